package io.cordwood.forwarder;

import io.cordwood.common.wire.Labels;
import io.cordwood.common.wire.Preamble;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How a connection begins: with a preamble that shows the token, if there is one, and asks for what
 * the sender wants to know; batches may follow it.
 *
 * @param preamble null if there is nothing to be said
 * @param told what the node tells of the cluster's nodes; null if it is not asked
 * @param clock whether the node is asked for its time, so that it is said before all else
 * @param labels whether batches may have labels
 */
record Greeting(
    @Nullable ByteBuffer preamble, @Nullable AdvertisedNodes told, boolean clock, boolean labels) {

  /** Things that a node is asked for, and whether it is told to expect labels. */
  record Asked(boolean hints, boolean clock, boolean labels) {
    /** All that makes sense with these options. */
    static Asked by(ForwarderOptions options) {
      boolean isUpload = options.memory().uploadBytes() > 0;
      return new Asked(
          options.to().balance() && !isUpload, !options.records().keepTimes() && !isUpload, true);
    }
  }

  static Greeting of(Target target, ForwarderOptions options, Asked asked) {
    Optional<String> token =
        Optional.of(options.to().currentToken()).filter(text -> !text.isEmpty());
    Preamble preamble =
        new Preamble(
            Optional.empty(),
            token,
            asked.hints(),
            asked.clock(),
            asked.labels(),
            Labels.NONE,
            options.records().keepTimes());
    byte[] line = preamble.line().getBytes(StandardCharsets.US_ASCII);
    return new Greeting(
        preamble.isEmpty() ? null : ByteBuffer.wrap(line),
        asked.hints() ? new AdvertisedNodes(target.tls()) : null,
        asked.clock(),
        asked.labels());
  }
}
