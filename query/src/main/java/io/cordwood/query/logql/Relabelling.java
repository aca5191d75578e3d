package io.cordwood.query.logql;

import io.cordwood.query.logql.Stage.LabelFormat.Assignment;
import io.cordwood.query.template.TemplateException;
import io.cordwood.query.template.TemplateValues;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Stages that change labels, on those of a series that many records have. Immutable. */
final class Relabelling {
  private final List<Stage> stages;

  /**
   * @param stages of a query; those that change no label are left out
   */
  Relabelling(List<Stage> stages) {
    this.stages =
        stages.stream()
            .filter(s -> s instanceof Stage.LabelFormat || s instanceof Stage.Pick)
            .toList();
  }

  boolean isNone() {
    return stages.isEmpty();
  }

  /** The labels that get new values. */
  Set<String> targets() {
    Set<String> targets = new HashSet<>();
    for (Stage stage : stages) {
      if (stage instanceof Stage.LabelFormat format) {
        format.assignments().forEach(each -> targets.add(each.name()));
      }
    }
    return targets;
  }

  /**
   * The labels that others are made of, before any change.
   *
   * @throws LogqlException if one is made of a line or a time, which a series has not
   */
  Set<String> sources(Set<String> names) {
    Set<String> needed = new HashSet<>(names);
    for (Stage stage : stages.reversed()) {
      if (stage instanceof Stage.LabelFormat format) {
        format.assignments().reversed().forEach(each -> goBack(each, format, needed));
      } else if (stage instanceof Stage.Pick pick) {
        needed.removeIf(name -> pick.names().contains(name) != pick.keep());
      }
    }
    return needed;
  }

  private static void goBack(Assignment assignment, Stage stage, Set<String> needed) {
    assignment.renamed().ifPresent(needed::remove);
    if (needed.remove(assignment.name())) {
      if (assignment.template().isOfRecord()) {
        throw new LogqlException(
            stage.at(),
            "a label of a line or a time, by which records are counted, is not supported");
      }
      needed.addAll(assignment.template().labels());
    }
  }

  /**
   * Changes the labels of a series.
   *
   * @throws TemplateException if a format makes a text that is too long
   */
  void apply(Map<String, String> labels) {
    for (Stage stage : stages) {
      if (stage instanceof Stage.LabelFormat format) {
        for (Assignment each : format.assignments()) {
          String value = each.template().isOfRecord() ? "" : each.template().with(values(labels));
          each.renamed().ifPresent(labels::remove);
          labels.put(each.name(), value);
        }
      } else if (stage instanceof Stage.Pick pick) {
        labels.keySet().removeIf(name -> pick.names().contains(name) != pick.keep());
      }
    }
  }

  private static TemplateValues values(Map<String, String> labels) {
    return new TemplateValues() {
      @Override
      public String label(String name) {
        return labels.getOrDefault(name, "");
      }

      @Override
      public String line() {
        return "";
      }

      @Override
      public Instant time() {
        return Instant.EPOCH;
      }
    };
  }
}
