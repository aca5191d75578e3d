package io.cordwood.common.segment;

import io.cordwood.common.wire.BatchHeader;
import io.cordwood.common.wire.CorruptException;
import io.cordwood.common.wire.TopicName;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** A name that groups records: a service, a tenant. {@link TopicName} says what it may be. */
public record Topic(String name) implements Comparable<Topic> {
  public static final int MAX_BYTES = TopicName.MAX_BYTES;

  public static final Topic DEFAULT = new Topic("default");

  /**
   * @throws IllegalArgumentException if the name is not a topic's; the message says why
   */
  public Topic {
    TopicName.check(name);
  }

  byte[] bytes() {
    return name.getBytes(StandardCharsets.US_ASCII);
  }

  /** The topic of a name's bytes; one of another character is none. */
  public static Topic of(byte[] bytes) {
    return new Topic(new String(bytes, StandardCharsets.ISO_8859_1));
  }

  /**
   * The topic of a batch.
   *
   * @param index where the batch begins in the buffer
   * @param offset where it begins in its file or stream, for the message
   */
  static Topic read(BatchHeader header, ByteBuffer bytes, int index, long offset)
      throws CorruptException {
    byte[] name = new byte[header.topicBytes()];
    bytes.get(index + BatchHeader.BYTES, name);
    try {
      return of(name);
    } catch (IllegalArgumentException e) {
      throw new CorruptException(offset, String.valueOf(e.getMessage()));
    }
  }

  @Override
  public int compareTo(Topic other) {
    return name.compareTo(other.name);
  }

  @Override
  public String toString() {
    return name;
  }
}
