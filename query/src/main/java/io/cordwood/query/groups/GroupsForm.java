package io.cordwood.query.groups;

import io.cordwood.query.fields.FieldPath;
import io.cordwood.query.fields.GroupField;
import io.cordwood.query.fields.Grouping;
import java.util.List;

/**
 * The groups that an answer has, and their form.
 *
 * @param byTime whether stretches of time are told apart
 * @param top at most this number of groups
 */
record GroupsForm(
    Grouping grouping, List<Measure> measures, boolean byTime, long top, boolean json) {
  /** Too many fields are an {@link IllegalArgumentException}. */
  static GroupsForm of(
      List<GroupField> by, List<Measure> measures, boolean byTime, long top, boolean json) {
    List<FieldPath> of = measures.stream().map(Measure::field).distinct().toList();
    boolean values = measures.stream().anyMatch(measure -> measure.kind().isPercentile());
    return new GroupsForm(new Grouping(by, of, values), measures, byTime, top, json);
  }
}
