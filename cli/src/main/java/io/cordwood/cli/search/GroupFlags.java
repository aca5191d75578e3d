package io.cordwood.cli.search;

import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.program.Values;
import io.cordwood.cli.question.QueryString;
import io.cordwood.common.http.ApiParams;
import io.cordwood.query.groups.RecordGroups;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Flags for the fields that records are counted by, their measures, and the form of both. */
final class GroupFlags {
  @Option(
      names = {"--by", "--count-by"},
      paramLabel = "FIELDS",
      description = "Fields, with commas between: records of the same values are counted together.")
  List<String> by = new ArrayList<>();

  @Option(
      names = "--every",
      paramLabel = "DURATION",
      converter = Values.DurationValue.class,
      description = "Of a node: count each stretch of time by itself, such as 1m.")
  @Nullable Duration every;

  @Option(
      names = "--top",
      paramLabel = "N",
      description = "At most this many lines: those of the most records.")
  @Nullable Integer top;

  @Mixin MeasureFlags measures = new MeasureFlags();

  @Option(
      names = "--json",
      description = "An object a line: time, by, count, measures; the verdict at the end.")
  boolean json;

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
  RecordGroups groups() {
    if (top != null && top < 1) {
      throw new CommandException("--top: expected 1 or more, found " + top);
    }
    List<String> fields =
        by.stream().flatMap(all -> Stream.of(all.split(",", -1))).map(String::strip).toList();
    try {
      return new RecordGroups(
          fields, measures.measured(), Objects.requireNonNullElse(top, Integer.MAX_VALUE), json);
    } catch (IllegalArgumentException e) {
      throw new CommandException("--by, or what is measured: " + e.getMessage(), e);
    }
  }
}
