package io.cordwood.query.fields;

import io.cordwood.common.wire.Labels;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The name of a field: a key, or keys of nested objects with dots between, and places in arrays:
 * {@code status}, {@code user.id}, {@code spans[0].name}. A key may hold dots itself: {@code
 * user.id} is the key {@code user.id} as well as the key {@code id} of the object {@code user}.
 */
public final class FieldPath extends FieldNames {
  /** The longest name, in bytes of UTF-8. */
  public static final int MAX_BYTES = FieldNames.MAX_BYTES;

  /** A place may be part of a key as well, and need not stand in the record. */
  private static final Pattern BETWEEN_KEYS = Pattern.compile("[.\\[]([0-9]*])?");

  /** Stands before the name of a label. */
  private static final String LABEL = "@";

  private static final Pattern LABEL_NAME = Pattern.compile(Labels.NAME_PATTERN);

  private static final int MAX_PLACE = 999_999;

  static final int NOT_EXTRACTED = -1;

  private final byte[] text;
  private final @Nullable String label;
  private final boolean isLabel;
  private final int ofAccessLog;
  private final @Nullable LineField ofLine;
  private final int extracted;

  private FieldPath(byte[] text, @Nullable String label, boolean isLabel) {
    this.text = text;
    this.label = label;
    this.isLabel = isLabel;
    this.ofAccessLog = AccessLog.position(text);
    this.ofLine = LineField.of(toString());
    this.extracted = NOT_EXTRACTED;
  }

  private FieldPath(byte[] text, int extracted) {
    this.text = text;
    this.label = null;
    this.isLabel = false;
    this.ofAccessLog = AccessLog.NONE;
    this.ofLine = null;
    this.extracted = extracted;
  }

  /**
   * The path of a name: {@code @pod} is the label, {@code pod} the record's own field, or the label
   * if it has none. {@code "@pod"} in quotes is a field of this name.
   *
   * @throws IllegalArgumentException if it is empty or too long, or no label has this name
   */
  public static FieldPath of(String name) {
    if (name.startsWith(LABEL)) {
      String label = Labels.checkName(name.substring(LABEL.length()));
      return new FieldPath(name.getBytes(StandardCharsets.UTF_8), label, true);
    }
    boolean isQuoted = name.startsWith("\"" + LABEL) && name.length() > 2 && name.endsWith("\"");
    return ofRecord(isQuoted ? name.substring(1, name.length() - 1) : name);
  }

  /** The path of a record's own field, or of the label of this name. */
  static FieldPath ofRecord(String name) {
    byte[] text = name.getBytes(StandardCharsets.UTF_8);
    if (text.length == 0 || text.length > MAX_BYTES) {
      throw new IllegalArgumentException(
          "expected a field of 1 to %d bytes, found %d".formatted(MAX_BYTES, text.length));
    }
    return new FieldPath(text, LABEL_NAME.matcher(name).matches() ? name : null, false);
  }

  /** Whether it is a label, whatever fields the record has. */
  public boolean isLabel() {
    return isLabel;
  }

  /** The name of the label; only if it is one. */
  public String labelName() {
    return Objects.requireNonNull(label);
  }

  /** The value of the label of this name; null if there is none, and there can be none. */
  public @Nullable String label(Labels labels) {
    return label == null ? null : labels.pairs().get(label);
  }

  /** How the text of labels has it in a block's filter. */
  byte[] beforeLabel() {
    return (label + "=").getBytes(StandardCharsets.UTF_8);
  }

  /** The field that a group of an {@link Extract} is, which counts before others of its name. */
  FieldPath extractedAs(int group) {
    return new FieldPath(text, group);
  }

  /** Which group it is; {@link #NOT_EXTRACTED} if it is none. */
  int extracted() {
    return extracted;
  }

  /** Which part of a line of an access log has this name; -1 if none has. */
  int ofAccessLog() {
    return ofAccessLog;
  }

  /** Which part of a line of text has this name; null if none has. */
  @Nullable LineField ofLine() {
    return ofLine;
  }

  /** The longest of the parts between dots and brackets. Each of them stands in a key. */
  byte[] longestKey() {
    String longest = "";
    for (String part : BETWEEN_KEYS.split(name(), -1)) {
      longest = part.length() > longest.length() ? part : longest;
    }
    return longest.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  boolean endsAt(int index, byte first) {
    return index == text.length;
  }

  @Override
  boolean goesInto(int index, byte bracket) {
    return text[index] == (bracket == '{' ? '.' : '[');
  }

  @Override
  boolean accept(FieldValue value, int index) {
    return true;
  }

  @Override
  boolean isErrorSkipped(int index, byte bracket) {
    return false;
  }

  @Override
  void endObject() {}

  @Override
  boolean isWhole(byte[] bytes, int from, int to) {
    return to - from == text.length && Arrays.equals(bytes, from, to, text, 0, text.length);
  }

  /** A key may be all that is left, or what is before a dot or a bracket. */
  @Override
  int behindKey(int index, byte[] bytes, int from, int to) {
    int end = index + (to - from);
    if (end > text.length || end == index || bytes[from] != text[index]) {
      return -1;
    }
    boolean ends = end == text.length || text[end] == '.' || text[end] == '[';
    return ends && Arrays.equals(bytes, from, to, text, index, end) ? end : -1;
  }

  /** The number in the bracket that begins at an index; -1 if none is there. */
  @Override
  int place(int index) {
    int place = -1;
    int at = index + 1;
    for (; at < text.length && text[at] >= '0' && text[at] <= '9'; at++) {
      place = Math.min(Math.max(place, 0) * 10 + text[at] - '0', MAX_PLACE);
    }
    return at < text.length && text[at] == ']' ? place : -1;
  }

  @Override
  int behindPlace(int index, int place) {
    int at = index;
    while (text[at] != ']') {
      at++;
    }
    return at + 1;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof FieldPath that
        && isLabel == that.isLabel
        && Arrays.equals(text, that.text);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(text);
  }

  /** As {@link #of} reads it. */
  @Override
  public String toString() {
    String name = name();
    return !isLabel && name.startsWith(LABEL) ? '"' + name + '"' : name;
  }

  private String name() {
    return new String(text, StandardCharsets.UTF_8);
  }
}
