package io.cordwood.query.logql;

import io.cordwood.query.logql.Stage.LabelFormat.Assignment;
import io.cordwood.query.template.Template;
import io.cordwood.query.template.TemplateException;
import io.cordwood.query.template.TemplateValues;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

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
        needed.removeIf(pick::removes);
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
   * A test of labels as they are after the stages, of what they were before.
   *
   * @param at where it stands
   * @throws LogqlException if one of them is made by a template
   */
  LabelTest before(LabelTest test, int at) {
    LabelTest back = test;
    for (Stage stage : stages.reversed()) {
      if (stage instanceof Stage.LabelFormat format) {
        for (Assignment each : format.assignments().reversed()) {
          back = back.with(leaf -> before(leaf, each, at));
        }
      } else if (stage instanceof Stage.Pick pick) {
        back = back.with(leaf -> before(leaf, pick));
      }
    }
    return back;
  }

  private static LabelTest before(LabelTest.OfOne test, Assignment assignment, int at) {
    if (!test.name().equals(assignment.name())) {
      boolean isGone = assignment.renamed().equals(Optional.of(test.name()));
      return isGone ? new LabelTest.Decided(test.passesNone()) : test;
    }
    String source =
        assignment
            .renamed()
            .orElseThrow(() ->
                new LogqlException(
                    at, "a filter of a label that a template makes is not supported"));
    return test.named(source);
  }

  /** The label is there no more, or it still is and passes. */
  private static LabelTest before(LabelTest.OfOne test, Stage.Pick pick) {
    if (pick.removes(test.name())) {
      return new LabelTest.Decided(test.passesNone());
    } else if (!pick.mayRemove(test.name())) {
      return test;
    }
    List<LabelMatcher> values =
        pick.of(test.name()).stream().map(each -> each.value().orElseThrow()).toList();
    return test.passesNone()
        ? new LabelTest.Or(one(values, pick.keep()), test)
        : new LabelTest.And(one(values, !pick.keep()), test);
  }

  /** Whether one passes, or none does. */
  private static LabelTest one(List<LabelMatcher> values, boolean none) {
    return values.stream()
        .<LabelTest>map(value -> new LabelTest.OfText(none ? value.negated() : value))
        .reduce(none ? LabelTest.And::new : LabelTest.Or::new)
        .orElseThrow();
  }

  /** Labels that a stage changes. */
  interface Changed {
    Set<String> names();

    /** Empty if there is none. */
    String value(String name);

    void set(String name, String value);

    void remove(String name);
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
        each.renamed().ifPresent(labels::remove);
        labels.set(each.name(), value);
      }
    } else if (stage instanceof Stage.Pick pick) {
      labels.names().stream()
          .filter(name -> pick.removes(name, labels.value(name)))
          .toList()
          .forEach(labels::remove);
    }
  }

  /**
   * Changes the labels of a series. Those of a line or a time, which it has not, are empty.
   *
   * @throws TemplateException if a format makes a text that is too long
   */
  void apply(Map<String, String> labels) {
    var changed =
        new Changed() {
          @Override
          public Set<String> names() {
            return labels.keySet();
          }

          @Override
          public String value(String name) {
            return labels.getOrDefault(name, "");
          }

          @Override
          public void set(String name, String value) {
            labels.put(name, value);
          }

          @Override
          public void remove(String name) {
            labels.remove(name);
          }
        };
    var values = new TemplateValues(changed::value, "", Instant.EPOCH);
    for (Stage stage : stages) {
      change(stage, changed, template -> template.isOfRecord() ? "" : template.with(values));
    }
  }
}
