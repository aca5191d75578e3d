package io.cordwood.query.fields;

import io.cordwood.common.wire.Labels;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The fields of a record as conditions name them: labels, those that it names, and the time and the
 * message of a line of text. Elements of lists share a name, of which the first counts.
 */
public final class RecordFields {
  private RecordFields() {}

  /** Values by name. */
  public static Map<String, String> of(
      byte[] bytes, int from, int to, Extract extract, Labels labels) {
    Map<String, String> all = new LinkedHashMap<>();
    labels.pairs().forEach((name, value) -> all.put("@" + name, value));
    ParsedRecord parsed = ParsedRecord.of(bytes, from, to, extract);
    parsed.fields().forEach((name, value) -> all.putIfAbsent(shown(name), value));
    parsed.time().ifPresent(time -> addIfNew(LineField.TIME, time, parsed, all));
    parsed.message().ifPresent(message -> addIfNew(LineField.MESSAGE, message, parsed, all));
    return all;
  }

  private static void addIfNew(
      LineField field, String value, ParsedRecord parsed, Map<String, String> all) {
    if (parsed.fields().values().stream().noneMatch(each -> each.startsWith(value))) {
      all.putIfAbsent(field.word(), value);
    }
  }

  private static String shown(String name) {
    String own = name.startsWith("@") ? "\"" + name + "\"" : name;
    return own.indexOf('[') < 0 ? own : own.replaceAll("\\[\\d+]", "[]");
  }
}
