package io.cordwood.forwarder;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * How a connection begins: with a preamble that shows the token, if there is one, and asks for what
 * the sender wants to know; batches may follow it.
 *
 * @param preamble null if there is nothing to be said
 * @param told what the node tells of the cluster's nodes; null if it is not asked
 * @param clock whether the node is asked for its time, so that it is said before all else
 */
record Greeting(@Nullable ByteBuffer preamble, @Nullable ToldNodes told, boolean clock) {

  static final String HINTS = "hints=1";
  static final String CLOCK = "clock=1";

  /** Things that a node is asked for. */
  record Asked(boolean hints, boolean clock) {
    /** All that makes sense with these options. */
    static Asked by(ForwarderOptions options) {
      boolean isUpload = options.uploadBytes() > 0;
      return new Asked(options.balance() && !isUpload, !options.keepTimes() && !isUpload);
    }
  }

  static Greeting of(Target target, ForwarderOptions options, Asked asked) {
    StringJoiner words = new StringJoiner(" ", "CORDWOOD/1 ", "\n");
    words.setEmptyValue("");
    if (!options.token().isEmpty()) {
      words.add("token=" + options.token());
    }
    if (asked.hints()) {
      words.add(HINTS);
    }
    if (asked.clock()) {
      words.add(CLOCK);
    }
    if (options.keepTimes()) {
      words.add("times=kept");
    }
    String line = words.toString();
    return new Greeting(
        line.isEmpty() ? null : ByteBuffer.wrap(line.getBytes(StandardCharsets.US_ASCII)),
        asked.hints() ? new ToldNodes(target.tls()) : null,
        asked.clock());
  }
}
