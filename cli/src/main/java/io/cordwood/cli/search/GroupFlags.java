package io.cordwood.cli.search;

import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Flags;
import io.cordwood.cli.question.QueryString;
import io.cordwood.common.http.ApiParams;
import io.cordwood.query.fields.Extract;
import io.cordwood.query.groups.RecordGroups;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Flags for the fields that records are counted by, their measures, and the form of both. */
final class GroupFlags implements Flags, GroupsSearch.Counted {
  List<String> by = new ArrayList<>();
  @Nullable Duration every;
  @Nullable Integer top;
  @Nullable String sort;
  boolean rate;
  boolean percent;
  boolean example;
  MeasureFlags measures = new MeasureFlags();
  TableForm form = new TableForm();

  @Override
  public void list(FlagList list) {
    list.flag("--by", "--count-by")
        .label("FIELDS")
        .help(
            "Fields, with commas between: records of the same values are counted together. topic"
                + " is the topic, shape the message without numbers and ids, and status/100 steps"
                + " of a number.")
        .list(String.class, by, value -> by = value);
    list.flag("--every")
        .label("DURATION")
        .help("Of a node: count each stretch of time by itself, such as 1m.")
        .duration(every, value -> every = value);
    list.flag("--top")
        .label("N")
        .help("At most this many lines: the first, which are those of the most records.")
        .value(Integer.class, top, value -> top = value);
    list.flag("--sort")
        .label("COLUMN")
        .help(
            "The order of lines: count, time, a field or a measure such as p99; numbers from the"
                + " greatest on, others from the least, or by :asc or :desc behind it.")
        .value(String.class, sort, value -> sort = value);
    list.flag("--rate")
        .help("Of a node: records per second too, of --every or else of the range from --from on.")
        .on(value -> rate = value);
    list.flag("--percent")
        .help("What part of all records each line is too, or of those of the same time.")
        .on(value -> percent = value);
    list.flag("--example")
        .help("The text of one of the records of each line too.")
        .on(value -> example = value);
    list.addAll(measures);
    list.addAll(form);
  }

  /** Whether stretches of time are counted apart, which only a node can do. */
  @Override
  public boolean isByTime() {
    return every != null;
  }

  @Override
  public TableForm form() {
    return form;
  }

  /** Refuses a number of lines that is none. */
  static void checkTop(@Nullable Integer top) {
    if (top != null && top < 1) {
      throw new CommandException("--top: expected 1 or more, found " + top);
    }
  }

  @Override
  public void addTo(QueryString query) {
    by.forEach(fields -> query.add(ApiParams.BY, fields));
    query
        .addIfThere(ApiParams.EVERY, every)
        .addIfThere(ApiParams.TOP, top)
        .addIfThere(ApiParams.SORT, sort)
        .addIf(ApiParams.RATE, rate)
        .addIf(ApiParams.PERCENT, percent)
        .addIf(ApiParams.EXAMPLE, example)
        .addIfThere(ApiParams.FORMAT, form.format());
    measures.measured().forEach(each -> query.add(each.kind(), each.field()));
  }

  /**
   * Makes groups for records that this process reads.
   *
   * @throws CommandException if a field has no name, or there are too many
   */
  @Override
  public RecordGroups groups(Extract extract) {
    checkTop(top);
    List<String> fields =
        by.stream().flatMap(all -> Stream.of(all.split(",", -1))).map(String::strip).toList();
    try {
      var wanted =
          new RecordGroups.Wanted(
              fields,
              measures.measured(),
              percent,
              sort,
              Objects.requireNonNullElse(top, Integer.MAX_VALUE),
              example,
              form.kind());
      return new RecordGroups(wanted, extract);
    } catch (IllegalArgumentException e) {
      throw new CommandException("--by, --sort, or what is measured: " + e.getMessage(), e);
    }
  }
}
