package io.cordwood.dist;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What is printed of each record: its bytes, unless a flag says more. */
class RecordForm implements QuickFlags {
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

  @Override
  public boolean take(String flag) {
    boolean free = isFree();
    switch (flag) {
      case "--ulid" -> ulid = true;
      case "--json" -> json = true;
      default -> {
        return false;
      }
    }
    return free;
  }

  @Override
  public boolean take(String flag, String value) {
    if (!flag.equals("--template") || !isFree()) {
      return false;
    }
    try {
      template = new Template(value);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** Whether none of the flags is given, of which one at most may be. */
  boolean isFree() {
    return !ulid && !json && template == null;
  }

  /** The name that the API has for it; null: the records alone. */
  final @Nullable String format() {
    return json || template != null ? "json" : ulid ? "ulid" : null;
  }
}
