package io.cordwood.query.fields;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * All fields of a record, each with the value that {@link FieldFinder#find} takes for its name. In
 * JSON that is broken there may be fewer. For one record.
 *
 * <p>Listed are values that are no objects or arrays, up to {@value #MAX_FIELDS} of them, in the
 * order of the record; names of logfmt if they look like names, and the parts of an access log if
 * it has a status.
 */
final class FieldList extends FieldNames {
  static final int MAX_FIELDS = 200;

  /** Names of what is not listed are kept too: what they stand for again does not count. */
  private static final int MAX_NAMES = 1000;

  /** Each name is compared with all of them. */
  private static final int MAX_ERRORS = 50;

  private static final Pattern NAME_IN_TEXT = Pattern.compile("[A-Za-z_][\\w.\\-/@]{0,63}");

  private final int cutAt;
  private final byte[] name = new byte[MAX_BYTES];
  private final Map<String, Field> fields = new LinkedHashMap<>();

  /** Beginnings of names that led into an error: none of these is found after it. */
  private final List<String> errors = new ArrayList<>();

  private boolean isListed;
  private boolean isBare;
  private boolean isCut;
  private int listed;

  /** A value, and whether it is listed. */
  record Field(String value, boolean isListed) {}

  /**
   * @param cutAt where the part of the record ends that is looked at; -1 if that is all of it
   */
  FieldList(int cutAt) {
    this.cutAt = cutAt;
    this.isCut = cutAt >= 0;
  }

  /** The fields that are listed. */
  Map<String, String> listed() {
    Map<String, String> all = LinkedHashMap.newLinkedHashMap(listed);
    fields.forEach((key, field) -> {
      if (field.isListed) {
        all.put(key, field.value);
      }
    });
    return all;
  }

  /** All that were found, the others too; objects and arrays have no value here. */
  Map<String, Field> all() {
    return fields;
  }

  /** Whether there may be more. */
  boolean isCut() {
    return isCut;
  }

  /** Adds a value; true if there is no room for more. */
  boolean add(String key, FieldValue value, boolean isListed) {
    if (value.to() == cutAt) {
      return true; // Only the begin of a value.
    }
    return add(key, isListed, new String(value.decoded(), StandardCharsets.UTF_8));
  }

  /** Gives a field another value, or adds it. */
  void replace(String key, String value) {
    if (fields.containsKey(key)) {
      listed += fields.get(key).isListed ? 0 : 1;
      fields.put(key, new Field(value, true));
    } else {
      add(key, true, value);
    }
  }

  private boolean add(String key, boolean isListed, String value) {
    boolean isFull = fields.size() == MAX_NAMES || (isListed && listed == MAX_FIELDS);
    if (errors.size() <= MAX_ERRORS && (fields.containsKey(key) || isBehindError(key))) {
      return false;
    } else if (isFull || errors.size() > MAX_ERRORS) {
      isCut = true;
      return true;
    }
    fields.put(key, new Field(value, isListed));
    listed += isListed ? 1 : 0;
    return false;
  }

  private boolean isBehindError(String key) {
    return errors.stream().anyMatch(key::startsWith);
  }

  @Override
  int behindKey(int index, byte[] bytes, int from, int to) {
    isListed = true;
    return to > from ? put(index, bytes, from, to) : -1;
  }

  @Override
  int place(int index) {
    return EACH_PLACE;
  }

  @Override
  int behindPlace(int index, int place) {
    byte[] text = ("[" + place + "]").getBytes(StandardCharsets.US_ASCII);
    return put(index, text, 0, text.length);
  }

  private int put(int index, byte[] bytes, int from, int to) {
    int end = index + to - from;
    if (end > name.length) {
      return -1;
    }
    System.arraycopy(bytes, from, name, index, to - from);
    return end;
  }

  @Override
  boolean endsAt(int index, byte first) {
    isBare = first != '"';
    return !Letters.isBracket(first);
  }

  @Override
  boolean goesInto(int index, byte bracket) {
    add(name(index), false, "");
    return bracket == '[' || put(index, new byte[] {'.'}, 0, 1) > 0;
  }

  @Override
  boolean isWhole(byte[] bytes, int from, int to) {
    isBare = false;
    int end = put(0, bytes, from, to);
    isListed = end > 0 && NAME_IN_TEXT.matcher(name(end)).matches();
    return end > 0;
  }

  @Override
  boolean accept(FieldValue value, int index) {
    boolean isFull = add(name(index), value, isListed);
    // Who goes around what is around a bare value counts its brackets, and who goes in does not.
    return isFull || (isBare && value.hasBracketOrQuote());
  }

  @Override
  boolean isErrorSkipped(int index, byte bracket) {
    errors.add(name(index) + (bracket == '{' ? '.' : '['));
    return errors.size() <= MAX_ERRORS;
  }

  @Override
  void endObject() {
    if (errors.size() <= MAX_ERRORS) {
      errors.clear();
    }
  }

  private String name(int end) {
    return new String(name, 0, end, StandardCharsets.UTF_8);
  }
}
