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
 */
record Greeting(@Nullable ByteBuffer preamble, @Nullable AdvertisedNodes told, Features features) {

  /**
   * Features of the protocol that a connection uses; nodes of earlier versions have fewer.
   *
   * @param clock whether the node is asked for its time, so that it is said before all else
   * @param labels whether batches may have labels
   */
  record Features(boolean hints, boolean clock, boolean labels) {
    /** All that make sense with these options. */
    static Features by(ForwarderOptions options) {
      boolean isUpload = options.memory().uploadBytes() > 0;
      return new Features(
          options.to().balance() && !isUpload, !options.records().keepTimes() && !isUpload, true);
    }
  }

  static Greeting of(Target target, ForwarderOptions options, Features features) {
    Optional<String> token =
        Optional.of(options.to().currentToken()).filter(text -> !text.isEmpty());
    Preamble preamble =
        new Preamble(
            Optional.empty(),
            token,
            features.hints(),
            features.clock(),
            features.labels(),
            Labels.NONE,
            options.records().keepTimes());
    byte[] line = preamble.line().getBytes(StandardCharsets.US_ASCII);
    return new Greeting(
        preamble.isEmpty() ? null : ByteBuffer.wrap(line),
        features.hints() ? new AdvertisedNodes(target.tls()) : null,
        features);
  }
}
