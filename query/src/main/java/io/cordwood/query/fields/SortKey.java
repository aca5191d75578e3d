package io.cordwood.query.fields;

import java.nio.charset.StandardCharsets;

/**
 * A value as it is sorted: numbers first, in seconds or bytes if they have a unit, then texts.
 *
 * @param number NaN if it is none
 */
public record SortKey(double number, String text) implements Comparable<SortKey> {
  public static SortKey of(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return new SortKey(Quantity.parse(bytes, 0, bytes.length, Quantity.Kind.PLAIN), text);
  }

  @Override
  public int compareTo(SortKey other) {
    int byNumber = Double.compare(number, other.number); // NaN is greater than all numbers.
    return byNumber != 0 ? byNumber : text.compareTo(other.text);
  }
}
