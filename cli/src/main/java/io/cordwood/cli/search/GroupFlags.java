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
final class GroupFlags implements Flags {
  List<String> by = new ArrayList<>();
  @Nullable Duration every;
  @Nullable Integer top;
  MeasureFlags measures = new MeasureFlags();
  boolean json;

  @Override
  public void list(FlagList list) {
    list.flag("--by", "--count-by")
        .label("FIELDS")
        .help(
            "Fields, with commas between: records of the same values are counted together. topic"
                + " is the topic, and status/100 steps of a number.")
        .list(String.class, by, value -> by = value);
    list.flag("--every")
        .label("DURATION")
        .help("Of a node: count each stretch of time by itself, such as 1m.")
        .duration(every, value -> every = value);
    list.flag("--top")
        .label("N")
        .help("At most this many lines: those of the most records.")
        .value(Integer.class, top, value -> top = value);
    list.addAll(measures);
    list.flag("--json")
        .help("An object a line: time, by, count, measures; the verdict at the end.")
        .on(value -> json = value);
  }

  boolean isJson() {
    return json;
  }

  /** Whether stretches of time are counted apart, which only a node can do. */
  boolean isByTime() {
    return every != null;
  }

  void addTo(QueryString query) {
    by.forEach(fields -> query.add(ApiParams.BY, fields));
    query
        .addIfThere(ApiParams.EVERY, every)
        .addIfThere(ApiParams.TOP, top)
        .addIfThere(ApiParams.FORMAT, json ? "json" : null);
    measures.measured().forEach(each -> query.add(each.kind(), each.field()));
  }

  /**
   * Makes groups for records that this process reads.
   *
   * @throws CommandException if a field has no name, or there are too many
   */
  RecordGroups groups(Extract extract) {
    if (top != null && top < 1) {
      throw new CommandException("--top: expected 1 or more, found " + top);
    }
    List<String> fields =
        by.stream().flatMap(all -> Stream.of(all.split(",", -1))).map(String::strip).toList();
    try {
      return new RecordGroups(
          fields,
          measures.measured(),
          Objects.requireNonNullElse(top, Integer.MAX_VALUE),
          json,
          extract);
    } catch (IllegalArgumentException e) {
      throw new CommandException("--by, or what is measured: " + e.getMessage(), e);
    }
  }
}
