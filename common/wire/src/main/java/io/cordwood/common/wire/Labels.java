package io.cordwood.common.wire;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Names and values that say who sent a batch: its host, pod, container, version. Sorted by name,
 * each name once. Immutable; the pairs are made of the bytes when they are asked for, since stores
 * read many labels that nobody looks at.
 *
 * <pre>
 *   labels = *( LF name "=" value )      at most 64 pairs in 8,192 bytes
 *   name   = ( letter / "_" ) *( letter / digit / "_" / "." / "-" )      1 to 128 bytes; not "topic", not "time"
 *   value  = UTF-8 without NUL and LF, may be empty
 * </pre>
 */
public final class Labels implements Comparable<Labels> {
  public static final int MAX_PAIRS = LabelsCheck.MAX_PAIRS;

  /** The most bytes of all pairs, each with the LF before it and its equals sign. */
  public static final int MAX_BYTES = LabelsCheck.MAX_BYTES;

  public static final int MAX_NAME_BYTES = LabelsCheck.MAX_NAME_BYTES;

  /** The rule for names as a regular expression, for messages. */
  public static final String NAME_PATTERN = "[A-Za-z_][A-Za-z0-9_.-]{0,127}";

  /** Those of a batch of which nothing but its topic is known. */
  public static final Labels NONE = new Labels(new byte[0]);

  private static final int SHOWN_CHARACTERS = 60;

  private final byte[] bytes;
  private final int hashCode;
  private volatile @Nullable SortedMap<String, String> pairs;
  private volatile long identity;

  private Labels(byte[] bytes) {
    this(bytes, Arrays.hashCode(bytes));
  }

  private Labels(byte[] bytes, int hashCode) {
    this.bytes = bytes;
    this.hashCode = hashCode;
  }

  /**
   * Labels of any pairs.
   *
   * @throws IllegalArgumentException if a name or a value cannot be one, or if they are too many or
   *     too long; the message says which
   */
  public static Labels of(Map<String, String> pairs) {
    if (pairs.isEmpty()) {
      return NONE;
    }
    checkSize(pairs.size(), 0);
    var sorted = new TreeMap<>(pairs);
    var text = new StringBuilder();
    sorted.forEach((name, value) -> {
      checkName(name);
      checkValue(name, value);
      text.append('\n').append(name).append('=').append(value);
    });
    byte[] bytes = utf8(text);
    checkSize(pairs.size(), bytes.length);
    return new Labels(bytes);
  }

  /**
   * Adds a pair to others.
   *
   * @throws IllegalArgumentException if there is one of this name
   */
  public static void add(Map<String, String> pairs, String name, String value) {
    if (pairs.putIfAbsent(name, value) != null) {
      throw expected("each label once", name + " twice");
    }
  }

  /**
   * These and others.
   *
   * @throws IllegalArgumentException if both have one of the same name, or if they are too many or
   *     too long together
   */
  public Labels and(Labels others) {
    if (isEmpty() || others.isEmpty()) {
      return isEmpty() ? others : this;
    }
    var all = new TreeMap<>(pairs());
    others.pairs().forEach((name, value) -> add(all, name, value));
    return of(all);
  }

  /**
   * These and another pair, in the place of one of its name.
   *
   * @throws IllegalArgumentException if it cannot be one, or if they are too many or too long
   */
  public Labels with(String name, String value) {
    checkName(name);
    checkValue(name, value);
    byte[] pair = utf8("\n" + name + "=" + value);
    int found = find(name.getBytes(StandardCharsets.US_ASCII));
    int from = found < 0 ? -found - 1 : found;
    int to = found < 0 ? from : LabelsCheck.indexOf(bytes, '\n', from + 1);
    byte[] all = new byte[from + pair.length + bytes.length - to];
    System.arraycopy(bytes, 0, all, 0, from);
    System.arraycopy(pair, 0, all, from, pair.length);
    System.arraycopy(bytes, to, all, from + pair.length, bytes.length - to);
    checkSize(count(all), all.length);
    return new Labels(all);
  }

  private static int count(byte[] bytes) {
    int pairs = 0;
    for (byte each : bytes) {
      pairs += each == '\n' ? 1 : 0;
    }
    return pairs;
  }

  private static void checkSize(int pairs, int length) {
    if (pairs > MAX_PAIRS) {
      throw expected("at most " + MAX_PAIRS + " labels", String.valueOf(pairs));
    }
    if (length > MAX_BYTES) {
      throw expected("labels of at most " + MAX_BYTES + " bytes in all", length + " bytes");
    }
  }

  /** The place of a name's pair, or, below nought as in a binary search, where it would be. */
  private int find(byte[] name) {
    int at = 0;
    while (at < bytes.length) {
      int equals = LabelsCheck.indexOf(bytes, '=', at + 1);
      int order = Arrays.compareUnsigned(bytes, at + 1, equals, name, 0, name.length);
      if (order >= 0) {
        return order == 0 ? at : -at - 1;
      }
      at = LabelsCheck.indexOf(bytes, '\n', equals + 1);
    }
    return -at - 1;
  }

  /**
   * Reads what {@link #bytes()} gives; the same object again for labels that were read lately.
   *
   * @param bytes not to be changed any more
   * @throws IllegalArgumentException if it is not that, byte for byte
   */
  public static Labels decode(byte[] bytes) {
    if (bytes.length == 0) {
      return NONE;
    }
    int hash = Arrays.hashCode(bytes);
    Labels recent = RecentLabels.get(bytes, hash);
    if (recent != null) {
      return recent;
    }
    if (LabelsCheck.isAsWritten(bytes)) {
      var labels = new Labels(bytes, hash);
      RecentLabels.put(labels);
      return labels;
    }
    String text = text(bytes);
    Labels sorted = of(parse(text));
    if (!Arrays.equals(sorted.bytes, bytes)) {
      throw expected("labels in the order of their names", quoted(text));
    }
    return sorted;
  }

  private static String text(byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw expected("labels in UTF-8", "other bytes");
    }
  }

  private static SortedMap<String, String> parse(String text) {
    var pairs = new TreeMap<String, String>();
    int at = 0;
    while (at < text.length()) {
      int end = text.indexOf('\n', at + 1);
      end = end < 0 ? text.length() : end;
      int equals = text.indexOf('=', at + 1);
      if (text.charAt(at) != '\n' || equals < 0 || equals > end) {
        throw expected("labels as name=value", quoted(text.substring(at, end)));
      }
      String name = text.substring(at + 1, equals);
      if (pairs.put(name, text.substring(equals + 1, end)) != null) {
        throw expected("each label once", quoted(name) + " twice");
      }
      at = end;
    }
    return pairs;
  }

  /**
   * Gives the name back.
   *
   * @throws IllegalArgumentException if it cannot be a label's; the message says why
   */
  public static String checkName(String name) {
    byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
    if (!LabelsCheck.isName(bytes, 0, bytes.length)) {
      throw expected("a label's name as " + NAME_PATTERN, quoted(name));
    }
    if (LabelsCheck.isReserved(bytes, 0, bytes.length)) {
      throw expected("a label with another name, since each record has a " + name, quoted(name));
    }
    return name;
  }

  private static void checkValue(String name, String value) {
    if (value.indexOf('\n') >= 0 || value.indexOf(0) >= 0) {
      throw expected("a value of label " + name + " without line feed and NUL", quoted(value));
    }
  }

  private static byte[] utf8(CharSequence text) {
    try {
      ByteBuffer encoded = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
      byte[] bytes = new byte[encoded.remaining()];
      encoded.get(bytes);
      return bytes;
    } catch (CharacterCodingException e) {
      throw expected("labels of whole characters", "half of one");
    }
  }

  private static IllegalArgumentException expected(String what, String found) {
    return new IllegalArgumentException("expected " + what + ", found " + found);
  }

  private static String quoted(String text) {
    String shown =
        text.length() > SHOWN_CHARACTERS ? text.substring(0, SHOWN_CHARACTERS) + "…" : text;
    return '"' + shown.replace("\n", "\\n").replace("\0", "\\0") + '"';
  }

  public boolean isEmpty() {
    return bytes.length == 0;
  }

  /** The number of pairs. */
  public int size() {
    return count(bytes);
  }

  /** In the order of the names; not to be changed. Kept from then on. */
  public SortedMap<String, String> pairs() {
    SortedMap<String, String> known = pairs;
    if (known == null) {
      known = Collections.unmodifiableSortedMap(parse(text(bytes)));
      pairs = known;
    }
    return known;
  }

  /** The value of one; null if there is none of this name. */
  public @Nullable String value(String name) {
    byte[] wanted = name.getBytes(StandardCharsets.UTF_8);
    int found = find(wanted);
    if (found < 0) {
      return null;
    }
    int from = found + wanted.length + 2;
    int to = LabelsCheck.indexOf(bytes, '\n', from);
    return new String(bytes, from, to - from, StandardCharsets.UTF_8);
  }

  /** As they stand in a batch; not to be changed. */
  public byte[] bytes() {
    return bytes;
  }

  /**
   * The first 64 bits of the SHA-256 of the bytes; 0 if there are no labels. Stores tell each other
   * by it which batch they mean, and nobody can find other labels that have the same.
   */
  public long identity() {
    long known = identity;
    if (known == 0 && bytes.length > 0) {
      long first = ByteBuffer.wrap(sha256()).getLong();
      known = first == 0 ? 1 : first;
      identity = known;
    }
    return known;
  }

  private byte[] sha256() {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("a JDK without SHA-256", e);
    }
  }

  /** By {@link #identity()}, so that lists of it alone have the order of what they list. */
  @Override
  public int compareTo(Labels other) {
    if (equals(other)) {
      return 0;
    }
    int order = Long.compareUnsigned(identity(), other.identity());
    return order != 0 ? order : Arrays.compareUnsigned(bytes, other.bytes);
  }

  @Override
  public boolean equals(Object other) {
    return this == other
        || (other instanceof Labels that
            && hashCode == that.hashCode
            && Arrays.equals(bytes, that.bytes));
  }

  @Override
  public int hashCode() {
    return hashCode;
  }

  /** As {@code {name=value, …}}. */
  @Override
  public String toString() {
    return pairs().toString();
  }
}
