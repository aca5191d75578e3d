package io.cordwood.ingest.mode;

import java.util.Locale;

/** A durability mode that senders choose by the port they connect to. */
public enum Mode {
  /** Bytes are written to a file as they are read, and forced when that is flushed. */
  FAST,
  /** A record is acknowledged after it was forced. */
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
