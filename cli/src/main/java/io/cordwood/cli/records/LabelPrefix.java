package io.cordwood.cli.records;

import io.cordwood.common.wire.Labels;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Some labels of a record, before each of its lines: {@code web-1 nginx | line}. On a terminal the
 * same values have the same colour.
 */
final class LabelPrefix {
  /** SGR parameters that are read on light and dark ground. */
  private static final List<String> COLOURS =
      List.of("32", "33", "34", "35", "36", "92", "93", "94", "95", "96");

  private final List<String> names;

  /**
   * Reads the names, with commas between.
   *
   * @throws IllegalArgumentException if no label has such a name
   */
  LabelPrefix(String text) {
    names =
        Stream.of(text.split(",", -1))
            .map(String::strip)
            .map(name -> name.startsWith("@") ? name.substring(1) : name)
            .map(Labels::checkName)
            .toList();
  }

  /** The values of a record's labels, with spaces between, and a hyphen for what is not there. */
  String of(JsonRecord record) {
    return names.stream().map(record::label).collect(Collectors.joining(" "));
  }

  /** The SGR parameters for a prefix. */
  static String colour(String prefix) {
    int mixed = prefix.hashCode() * 0x9E3779B9;
    return COLOURS.get((mixed >>> 16) % COLOURS.size());
  }

  @Override
  public String toString() {
    return String.join(",", names);
  }
}
