package io.cordwood.common.wire;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The topic and the labels of a batch, as they stand after its {@link BatchHeader}.
 *
 * @param topic a valid name, see {@link TopicName}
 */
public record Origin(String topic, Labels labels) {
  /** The most bytes that one can have. */
  public static final int MAX_BYTES = TopicName.MAX_BYTES + Labels.MAX_BYTES;

  /**
   * @throws IllegalArgumentException if the topic cannot be one
   */
  public Origin {
    TopicName.check(topic);
  }

  /**
   * Reads what {@link #bytes()} gives.
   *
   * @throws IllegalArgumentException if it is not that, byte for byte; the message says why
   */
  public static Origin decode(byte[] bytes) {
    int topicBytes = topicBytes(bytes);
    return new Origin(topic(bytes, topicBytes), labels(bytes, topicBytes));
  }

  /** The topic in what {@link #bytes()} gives, which is not checked. */
  public static String topicIn(byte[] bytes) {
    return topic(bytes, topicBytes(bytes));
  }

  /** The bytes of the topic: those before the first LF, or all. */
  private static int topicBytes(byte[] bytes) {
    int end = 0;
    while (end < bytes.length && bytes[end] != '\n') {
      end++;
    }
    return end;
  }

  private static String topic(byte[] bytes, int topicBytes) {
    return new String(bytes, 0, topicBytes, StandardCharsets.ISO_8859_1);
  }

  private static Labels labels(byte[] bytes, int from) {
    return from == bytes.length
        ? Labels.NONE
        : Labels.decode(Arrays.copyOfRange(bytes, from, bytes.length));
  }

  /** As it stands in a batch. */
  public byte[] bytes() {
    byte[] name = topic.getBytes(StandardCharsets.US_ASCII);
    byte[] all = Arrays.copyOf(name, name.length + labels.bytes().length);
    System.arraycopy(labels.bytes(), 0, all, name.length, labels.bytes().length);
    return all;
  }
}
