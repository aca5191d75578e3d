package io.cordwood.query.fields;

import java.nio.charset.StandardCharsets;
import java.util.List;
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

  private static final int MAX_BYTES_OF_CHARACTER = 4;

  private static final List<String> TIMES =
      List.of("time", "timestamp", "@timestamp", "ts", "@t", "t", "datetime", "date", "asctime");

  private static final List<String> MESSAGES =
      List.of("msg", "message", "short_message", "MESSAGE", "@m", "@mt");

  /** In text these are mostly something else. */
  private static final List<String> MESSAGES_OF_JSON = List.of("event", "error", "log", "body");

  /** Parses a record, which is given without its delimiter. */
  public static ParsedRecord of(byte[] bytes, int from, int to) {
    boolean isPart = to - from > LOOKED_AT;
    int end = isPart ? from + LOOKED_AT : to;
    var list = new FieldList(isPart ? end : -1);
    new FieldFinder().in(bytes, from, end).list(list);
    Map<String, String> fields = list.listed();
    RecordHead head = RecordHead.of(bytes, from, end);
    boolean isJson = from < end && bytes[from] == '{';
    Optional<String> time = first(fields, TIMES).filter(RecordHead::isTime);
    Optional<String> message =
        first(fields, MESSAGES)
            .or(() -> isJson ? first(fields, MESSAGES_OF_JSON) : Optional.empty())
            .or(() -> ofAccessLog(fields))
            .or(() ->
                head.message() == 0 ? Optional.empty() : rest(bytes, from + head.message(), end))
            .filter(text -> !text.isEmpty());
    return new ParsedRecord(
        Level.of(bytes, from, to),
        head.time().isEmpty() ? time : Optional.of(head.time()),
        message.map(ParsedRecord::cut),
        fields,
        list.isCut());
  }

  private static Optional<String> first(Map<String, String> fields, List<String> names) {
    return names.stream()
        .map(name -> fields.getOrDefault(name, ""))
        .filter(value -> !value.isEmpty() && !value.equals("null"))
        .findFirst();
  }

  private static Optional<String> ofAccessLog(Map<String, String> fields) {
    boolean isOne = fields.containsKey("remote") && fields.containsKey("status");
    return isOne ? first(fields, List.of("request")) : Optional.empty();
  }

  /** The rest of a line. */
  private static Optional<String> rest(byte[] bytes, int from, int to) {
    int end = from;
    while (end < to && bytes[end] != '\n') {
      end++;
    }
    int length = Math.min(end - from, MAX_BYTES_OF_CHARACTER * MAX_MESSAGE);
    return Optional.of(new String(bytes, from, length, StandardCharsets.UTF_8));
  }

  private static String cut(String message) {
    if (message.length() <= MAX_MESSAGE) {
      return message;
    }
    boolean isPair = Character.isHighSurrogate(message.charAt(MAX_MESSAGE - 1));
    return message.substring(0, isPair ? MAX_MESSAGE - 1 : MAX_MESSAGE);
  }
}
