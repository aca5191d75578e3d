package io.cordwood.query.groups;

import io.cordwood.query.fields.GroupField;
import io.cordwood.query.fields.Grouping.Each;
import io.cordwood.query.groups.Groups.Group;
import io.cordwood.query.http.TableNumbers;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The columns of a table of groups. */
final class Columns {
  private Columns() {}

  /** Returns the form; an order by none of its columns is an {@link IllegalArgumentException}. */
  static GroupsForm checked(GroupsForm form) {
    form.order()
        .ifPresent(order -> order.of(of(form, new Groups(form.grouping(), form.sizeOfSets(), 0))));
    return form;
  }

  /** Those of an answer, in their order. */
  static List<Column> of(GroupsForm form, Groups groups) {
    List<Column> columns = new ArrayList<>();
    if (form.shares().isByTime()) {
      columns.add(
          new Column(
              Column.Kind.TIME, "time", group -> Instant.ofEpochMilli(group.time()).toString()));
    }
    List<GroupField> by = form.grouping().by();
    for (int i = 0; i < by.size(); i++) {
      int at = i;
      columns.add(
          new Column(Column.Kind.BY, by.get(i).toString(), group -> group.values().get(at)));
    }
    columns.add(new Column(Column.Kind.NUMBER, "count", Group::records));
    double seconds = form.shares().seconds();
    if (seconds > 0) {
      columns.add(
          new Column(
              Column.Kind.NUMBER,
              "rate",
              group -> TableNumbers.rounded(group.records() / seconds)));
    }
    if (form.shares().percent()) {
      columns.add(
          new Column(
              Column.Kind.NUMBER,
              "percent",
              group ->
                  TableNumbers.rounded(100.0 * group.records() / groups.records(group.time()))));
    }
    for (Measure measure : form.measures()) {
      columns.add(new Column(Column.Kind.NUMBER, measure.name(), measure::of));
    }
    if (form.grouping().each() == Each.EXAMPLE) {
      columns.add(
          new Column(Column.Kind.EXAMPLE, "example", group -> group.examples().iterator().next()));
    }
    return columns;
  }
}
