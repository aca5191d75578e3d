package io.cordwood.common.segment;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * A name that groups records: a service, a tenant. 1 to 128 of {@code A-Z a-z 0-9 . _ -}, the first
 * a letter or a digit, so that it can stand in a path, a metric's label and a query as it is.
 */
public record Topic(String name) implements Comparable<Topic> {
  public static final int MAX_BYTES = 128;

  private static final Pattern VALID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,127}");

  public static final Topic DEFAULT = new Topic("default");

  /**
   * @throws IllegalArgumentException if the name is not a topic's; the message says why
   */
  public Topic {
    if (!VALID.matcher(name).matches()) {
      throw new IllegalArgumentException(
          ("expected a topic of 1 to %d characters of A-Z a-z 0-9 . _ - "
                  + "that begins with a letter or a digit, found \"%s\"")
              .formatted(
                  MAX_BYTES,
                  name.length() > MAX_BYTES ? name.substring(0, MAX_BYTES) + "…" : name));
    }
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
