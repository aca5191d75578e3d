package io.cordwood.query.groups;

import io.cordwood.query.fields.Extract;
import io.cordwood.query.fields.FieldPath;
import io.cordwood.query.fields.GroupField;
import io.cordwood.query.fields.Grouping;
import io.cordwood.query.fields.Grouping.Each;
import io.cordwood.query.http.AnswerKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The groups that an answer has, and their form.
 *
 * @param order that of most records first, or of time, if it is empty
 * @param top at most this number of groups
 */
record GroupsForm(
    Grouping grouping,
    List<Measure> measures,
    Shares shares,
    Optional<Order> order,
    long top,
    AnswerKind kind) {
  /** A measure of a field, by its name. */
  record MeasureSpec(Measure.Kind kind, String field) {}

  /** Too many fields, or what is no name of one, are an {@link IllegalArgumentException}. */
  static GroupsForm of(
      List<GroupField> by, List<MeasureSpec> asked, Extract extract, Shares shares, Lines lines) {
    List<String> numbers = fields(asked, false);
    List<String> sets = fields(asked, true);
    List<FieldPath> of = numbers.stream().map(extract::path).toList();
    List<GroupField> distinct = sets.stream().map(text -> GroupField.parse(text, extract)).toList();
    boolean values = asked.stream().anyMatch(each -> each.kind().isPercentile());
    List<Measure> measures = new ArrayList<>();
    for (MeasureSpec each : asked) {
      List<String> among = each.kind() == Measure.Kind.DISTINCT ? sets : numbers;
      measures.add(new Measure(each.kind(), each.field(), among.indexOf(each.field())));
    }
    var grouping =
        new Grouping(by, of, values, distinct, lines.hasExample() ? Each.EXAMPLE : Each.NOTHING);
    return new GroupsForm(grouping, measures, shares, lines.order(), lines.top(), lines.kind());
  }

  /** Which lines there are, in which order and form. */
  record Lines(Optional<Order> order, long top, boolean hasExample, AnswerKind kind) {}

  /** Fields are counted by their names. */
  static GroupsForm ofFields(long top, AnswerKind kind) {
    return new GroupsForm(
        Grouping.FIELDS, List.of(), new Shares(false, 0, false), Optional.empty(), top, kind);
  }

  private static List<String> fields(List<MeasureSpec> asked, boolean isDistinct) {
    return asked.stream()
        .filter(each -> (each.kind() == Measure.Kind.DISTINCT) == isDistinct)
        .map(MeasureSpec::field)
        .distinct()
        .toList();
  }

  /** How much is held of each field whose different values are counted. */
  Distinct.Size sizeOfSets() {
    boolean isOne = grouping.keys() == 0 && !shares.isByTime();
    return isOne ? Distinct.Size.LARGE : Distinct.Size.SMALL;
  }
}
