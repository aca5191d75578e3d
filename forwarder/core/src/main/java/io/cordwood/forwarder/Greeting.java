package io.cordwood.forwarder;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * How a connection begins: with a preamble that shows the token, if there is one, and asks for
 * hints, unless it should not; batches may follow it.
 *
 * @param preamble null if there is nothing to be said
 * @param told what the node tells of the cluster's nodes; null if it is not asked
 */
record Greeting(@Nullable ByteBuffer preamble, @Nullable ToldNodes told) {

  static final String HINTS = "hints=1";

  static Greeting of(Target target, ForwarderOptions options, boolean asksForHints) {
    String token = options.token();
    String words =
        (token.isEmpty() ? "" : " token=" + token)
            + (asksForHints ? " " + HINTS : "")
            + (options.keepTimes() ? " times=kept" : "");
    byte[] line = ("CORDWOOD/1" + words + "\n").getBytes(StandardCharsets.US_ASCII);
    return new Greeting(
        words.isEmpty() ? null : ByteBuffer.wrap(line),
        asksForHints ? new ToldNodes(target.tls()) : null);
  }
}
