package io.cordwood.jmh.load;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Locale;

/**
 * The load of the senders.
 *
 * @param node where they connect to
 * @param connections at the same time
 * @param form of what they send
 * @param windowBytes that a connection may have unacknowledged; it sends the next group once this
 *     has room, or nothing is unacknowledged
 * @param bytesPerSecond of a connection at most; 0 for as fast as it goes
 * @param warmUp time before the figures are taken
 * @param measured time in which they are taken
 */
record Load(
    InetSocketAddress node,
    int connections,
    Form form,
    int windowBytes,
    int bytesPerSecond,
    Duration warmUp,
    Duration measured) {

  /** The form of the bytes on a connection. */
  enum Form {
    /** Raw lines, acknowledged. */
    LINES(false, true),
    /** Raw lines that nobody acknowledges, as in fast mode. */
    UNACKNOWLEDGED_LINES(false, false),
    /** A batch for each group of lines. */
    BATCHES(true, true),
    /** Raw lines, a connection for each group, and one acknowledgement at its end. */
    BULK(false, true);

    private final boolean batches;
    private final boolean acknowledged;

    Form(boolean batches, boolean acknowledged) {
      this.batches = batches;
      this.acknowledged = acknowledged;
    }

    boolean batches() {
      return batches;
    }

    boolean acknowledged() {
      return acknowledged;
    }
  }

  static Load of(Flags flags) {
    return new Load(
        new InetSocketAddress(flags.text("host", "127.0.0.1"), flags.port("port")),
        flags.number("connections", 1),
        Form.valueOf(flags.text("form", "batches").toUpperCase(Locale.ROOT)),
        flags.bytes("window", "0"),
        flags.bytes("rate", "0"),
        flags.duration("warm-up", "1s"),
        flags.duration("time", "2s"));
  }
}
