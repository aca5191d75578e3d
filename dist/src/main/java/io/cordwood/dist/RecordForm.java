package io.cordwood.dist;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What is printed of each record: its bytes, unless a flag says more. */
class RecordForm {
  @Option(names = "--ulid", description = "Each record's ULID and a space before its lines.")
  boolean ulid;

  @Option(names = "--json", description = "An object a line: ulid, time, topic, record.")
  boolean json;

  @Option(
      names = "--template",
      paramLabel = "TEXT",
      converter = Values.TemplateValue.class,
      description = "A line of text with {ulid}, {time}, {topic}, {line} in it; also \\t and \\n.")
  @Nullable Template template;

  /** The name that the API has for it; null: the records alone. */
  final @Nullable String format() {
    return json || template != null ? "json" : ulid ? "ulid" : null;
  }
}
