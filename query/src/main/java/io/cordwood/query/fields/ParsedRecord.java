package io.cordwood.query.fields;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/**
 * A record as it describes itself. The first {@value #LOOKED_AT} bytes are looked at, and at most
 * {@value FieldList#MAX_FIELDS} fields are named.
 *
 * @param level as {@link Level} finds it
 * @param time as it is written: the value of a field, or what the text begins with
 * @param message the value of a field, or the rest of the first line after time and level; at most
 *     {@value #MAX_MESSAGE} characters. Empty if it is the whole text
 * @param fields in their order, by the names with which {@link FieldFinder} finds the same values;
 *     no objects and arrays, but what is in them
 * @param isCut whether it may have more fields
 */
public record ParsedRecord(
    Level level,
    Optional<String> time,
    Optional<String> message,
    Map<String, String> fields,
    boolean isCut) {
  static final int LOOKED_AT = 64 << 10;
  static final int MAX_MESSAGE = 1000;

  /** Parses a record, which is given without its delimiter. */
  public static ParsedRecord of(byte[] bytes, int from, int to) {
    return of(bytes, from, to, Extract.NONE);
  }

  /** Parses it, with groups as fields. */
  public static ParsedRecord of(byte[] bytes, int from, int to, Extract extract) {
    boolean isPart = to - from > LOOKED_AT;
    int end = isPart ? from + LOOKED_AT : to;
    var list = new FieldList(isPart ? end : -1);
    FieldFinder finder = new FieldFinder(extract).in(bytes, from, end);
    finder.list(list, extract);
    Optional<String> time = finder.findTime() ? Optional.of(text(finder)) : Optional.empty();
    Optional<String> message = finder.findMessage() ? Optional.of(text(finder)) : Optional.empty();
    return new ParsedRecord(
        LevelFinder.level(bytes, from, to),
        time,
        message.map(ParsedRecord::cut),
        list.listed(),
        list.isCut());
  }

  private static String text(FieldFinder finder) {
    return new String(finder.value(), StandardCharsets.UTF_8);
  }

  private static String cut(String message) {
    if (message.length() <= MAX_MESSAGE) {
      return message;
    }
    boolean isPair = Character.isHighSurrogate(message.charAt(MAX_MESSAGE - 1));
    return message.substring(0, isPair ? MAX_MESSAGE - 1 : MAX_MESSAGE);
  }
}
