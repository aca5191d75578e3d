package io.cordwood.ingest.mode;

import java.util.Locale;

/** A durability mode that senders choose by the port they connect to. */
public enum Mode {
  /** What was read is written to a file, and is forced when that is flushed. */
  FAST,
  /** What is acknowledged was forced. */
  DURABLE;

  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The flag that sets its port. */
  public String flag() {
    return "--" + label() + "-port";
  }

  /** Whether senders of raw lines are sent acknowledgements too. */
  public boolean acknowledgesLines() {
    return this == DURABLE;
  }
}
