package io.cordwood.ingest;

import java.util.Locale;

/** A durability mode that senders choose by the port they connect to. */
enum Mode {
  /** What was read is written to a file, and is forced when that is flushed. */
  FAST,
  /** What is acknowledged was forced. */
  DURABLE;

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The flag that sets its port. */
  String flag() {
    return "--" + label() + "-port";
  }

  /** Whether senders of raw lines are sent acknowledgements too. */
  boolean acknowledgesLines() {
    return this == DURABLE;
  }
}
