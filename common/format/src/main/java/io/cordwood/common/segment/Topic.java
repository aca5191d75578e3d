package io.cordwood.common.segment;

import io.cordwood.common.wire.TopicName;
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

  @Override
  public int compareTo(Topic other) {
    return name.compareTo(other.name);
  }

  @Override
  public String toString() {
    return name;
  }
}
