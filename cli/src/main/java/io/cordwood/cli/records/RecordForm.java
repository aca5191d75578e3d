package io.cordwood.cli.records;

import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.OneOf;
import io.cordwood.cli.program.Values;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;

/** The output for each record: its bytes, unless a flag says more. */
public class RecordForm implements OneOf {
  boolean ulid;
  boolean json;
  @Nullable Template template;

  @Override
  public void list(FlagList list) {
    list.flag("--ulid")
        .help("Each record's ULID and a space before its lines.")
        .on(value -> ulid = value);
    list.flag("--json")
        .help("An object a line: ulid, time, topic, record.")
        .on(value -> json = value);
    list.flag("--template")
        .label("TEXT")
        .help("A line of text with {ulid}, {time}, {topic}, {line} in it; also \\t and \\n.")
        .value(Template.class, new TemplateValue(), template, value -> template = value);
  }

  /** A line with fields in braces. */
  static final class TemplateValue implements ITypeConverter<Template> {
    @Override
    public Template convert(String text) {
      return Values.read(text, Template::new);
    }
  }

  /** Whether each record is an object in JSON. */
  public final boolean isJson() {
    return json;
  }

  /** Whether each record is a line of a template. */
  public final boolean isTemplate() {
    return template != null;
  }

  /** The name that the API has for it; null: the records alone. */
  public final @Nullable String format() {
    return json || template != null ? "json" : ulid ? "ulid" : null;
  }
}
