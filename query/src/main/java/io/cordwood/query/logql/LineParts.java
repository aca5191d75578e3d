package io.cordwood.query.logql;

import io.cordwood.query.fields.Extract;
import io.cordwood.query.fields.FieldFinder;
import io.cordwood.query.fields.FieldPath;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Parts of lines that become labels by {@code pattern} and {@code regexp}, and fields that {@code
 * json} and {@code logfmt} name.
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
    List<Stage.Capture> captures = new ArrayList<>();
    for (Stage stage : stages) {
      if (stage instanceof Stage.Capture capture) {
        captures.add(capture);
        capture.labels().forEach(each -> put(each, Stage.Capture.PREFIX + each, stage, names));
      } else if (stage instanceof Stage.Fields fields) {
        fields.fields().forEach(each -> put(each.label(), each.path(), stage, names));
      }
    }
    return new LineParts(names, extract(captures));
  }

  private static void put(String label, String field, Stage stage, Map<String, String> names) {
    if (names.put(label, field) != null) {
      throw new LogqlException(stage.at(), "two parts called " + label + " are not supported");
    }
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
