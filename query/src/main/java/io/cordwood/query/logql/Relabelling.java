package io.cordwood.query.logql;

import io.cordwood.query.logql.Stage.LabelFormat.Assignment;
import io.cordwood.query.template.Template;
import io.cordwood.query.template.TemplateException;
import io.cordwood.query.template.TemplateValues;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

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

  /** Labels that a stage changes. */
  interface Changed {
    void set(String name, String value);

    void removeIf(Predicate<String> name);
  }

  /**
   * Changes labels, if the stage does.
   *
   * @param filled makes the text of a template of the labels that are there then
   */
  static void change(Stage stage, Changed labels, Function<Template, String> filled) {
    if (stage instanceof Stage.LabelFormat format) {
      for (Assignment each : format.assignments()) {
        String value = filled.apply(each.template());
        each.renamed().ifPresent(name -> labels.removeIf(name::equals));
        labels.set(each.name(), value);
      }
    } else if (stage instanceof Stage.Pick pick) {
      labels.removeIf(name -> pick.names().contains(name) != pick.keep());
    }
  }

  /**
   * Changes the labels of a series. Those of a line or a time, which it has not, are empty.
   *
   * @throws TemplateException if a format makes a text that is too long
   */
  void apply(Map<String, String> labels) {
    var values = new TemplateValues(name -> labels.getOrDefault(name, ""), "", Instant.EPOCH);
    var changed =
        new Changed() {
          @Override
          public void set(String name, String value) {
            labels.put(name, value);
          }

          @Override
          public void removeIf(Predicate<String> name) {
            labels.keySet().removeIf(name);
          }
        };
    for (Stage stage : stages) {
      change(stage, changed, template -> template.isOfRecord() ? "" : template.with(values));
    }
  }
}
