package io.cordwood.query.logql;

import io.cordwood.query.fields.Extract;
import io.cordwood.query.fields.FieldFinder;
import io.cordwood.query.fields.FieldPath;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Parts of lines that become labels by {@code pattern} and {@code regexp}.
 *
 * @param names of the labels, each with that of the field in which the engine finds the part
 */
public record LineParts(Map<String, String> names, Extract extract) {
  /**
   * Those of a query's stages.
   *
   * @throws LogqlException if they are too many, or a regular expression is none
   */
  static LineParts of(List<Stage> stages) {
    Map<String, String> names = new LinkedHashMap<>();
    List<Stage.Capture> captures =
        stages.stream()
            .filter(Stage.Capture.class::isInstance)
            .map(Stage.Capture.class::cast)
            .toList();
    for (Stage.Capture capture : captures) {
      for (String label : capture.labels()) {
        if (names.put(label, Stage.Capture.PREFIX + label) != null) {
          throw new LogqlException(
              capture.at(), "two parts called " + label + " are not supported");
        }
      }
    }
    return new LineParts(names, extract(captures));
  }

  private static Extract extract(List<Stage.Capture> captures) {
    try {
      return Extract.parse(captures.stream().map(Stage.Capture::regex).toList());
    } catch (IllegalArgumentException e) {
      throw new LogqlException(captures.getLast().at(), captures.getLast().name() + ": ", e);
    }
  }

  /** The field in which a label's part is; empty if it is the label of no part. */
  Optional<String> field(String label) {
    return Optional.ofNullable(names.get(label));
  }

  /** The parts that a line has, without those that are empty. */
  public Map<String, String> in(byte[] line) {
    Map<String, String> found = new LinkedHashMap<>();
    if (!names.isEmpty()) {
      FieldFinder finder = new FieldFinder(extract).in(line, 0, line.length);
      names.forEach((label, field) -> {
        FieldPath path = extract.path(field);
        if (finder.find(path)) {
          String value = new String(finder.value(), StandardCharsets.UTF_8);
          if (!value.isEmpty()) {
            found.put(label, value);
          }
        }
      });
    }
    return found;
  }
}
