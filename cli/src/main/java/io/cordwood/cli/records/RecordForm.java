package io.cordwood.cli.records;

import io.cordwood.cli.program.ExclusiveFlags;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Values;
import io.cordwood.query.http.AnswerKind;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;

/** The output for each record: its bytes, unless a flag says more. */
public class RecordForm implements ExclusiveFlags {
  boolean ulid;
  boolean json;
  boolean csv;
  @Nullable Template template;
  @Nullable LabelPrefix prefix;

  @Override
  public void list(FlagList list) {
    list.flag("--ulid")
        .help("Each record's ULID and a space before its lines.")
        .on(value -> ulid = value);
    list.flag("--json")
        .help("An object a line: ulid, time, topic, record.")
        .on(value -> json = value);
    list.flag("--csv")
        .help("With --fields: comma-separated values, as RFC 4180 has them, the names first.")
        .on(value -> csv = value);
    list.flag("--template")
        .label("TEXT")
        .help(
            "A line of text with {ulid}, {time}, {topic}, {line}, {field} or a label {@pod} in it;"
                + " also \\t and \\n.")
        .value(Template.class, new TemplateValue(), template, value -> template = value);
    list.flag("--label-prefix")
        .label("LABELS")
        .help("These labels before each line, with commas between: pod,container | line.")
        .value(LabelPrefix.class, new PrefixValue(), prefix, value -> prefix = value);
  }

  /** Names of labels with commas between. */
  static final class PrefixValue implements ITypeConverter<LabelPrefix> {
    @Override
    public LabelPrefix convert(String text) {
      return Values.read(text, LabelPrefix::new);
    }
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

  /** The form of a row of fields. */
  final AnswerKind kind() {
    return json ? AnswerKind.JSON : csv ? AnswerKind.CSV : AnswerKind.TEXT;
  }

  /** Whether each record is a line that is made here of what a node says of it. */
  public final boolean isMadeHere() {
    return template != null || prefix != null;
  }

  /** The name that the API has for it; null: the records alone. */
  public final @Nullable String format() {
    return json || isMadeHere() ? "json" : ulid ? "ulid" : null;
  }
}
