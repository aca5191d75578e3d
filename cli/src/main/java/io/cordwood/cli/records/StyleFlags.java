package io.cordwood.cli.records;

import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Flags;
import io.cordwood.cli.question.DelimiterFlag;
import io.cordwood.cli.question.PatternFlags;
import io.cordwood.cli.terminal.StandardOutput;
import io.cordwood.common.wire.Delimiter;
import io.cordwood.query.match.PatternSpec;
import io.cordwood.query.match.SubMatches;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/** How records are shown: in what form, what ends them, what matches in colour, safe or raw. */
public final class StyleFlags implements Flags {
  private final RecordForm form;

  DelimiterFlag delimiter = new DelimiterFlag();
  ColourFlag colour = new ColourFlag();
  RawFlag raw = new RawFlag();
  FieldsFlag fields = new FieldsFlag();
  boolean pretty;

  @Override
  public void list(FlagList list) {
    list.addAll(delimiter);
    list.addAll(colour);
    list.addAll(raw);
    list.addAll(fields);
    list.flag("--pretty")
        .help("JSON with a line for each field, and stack traces in it as lines.")
        .on(value -> pretty = value);
  }

  /** Has rows of fields sorted by one; null: they are not. */
  public void sortedBy(@Nullable String field) {
    fields.sortedBy(field);
  }

  /**
   * @param form a mixin of the command's
   */
  public StyleFlags(RecordForm form) {
    this.form = form;
  }

  /** The byte after each record, also in files that are read. */
  public byte delimiter() {
    return delimiter.value();
  }

  /** Whether records are shown in another way than a node gives them, unless as JSON. */
  public boolean areOwn(PatternFlags patterns) {
    return fields.isGiven()
        || (!form.isJson()
            && (pretty || form.isMadeHere() || delimiter.isNul() || colourOf(patterns) != null));
  }

  /** The SGR parameters for what matches; null: no colour. */
  private @Nullable String colourOf(PatternFlags patterns) {
    return patterns.areInverted() || form.isJson() ? null : colour.parameters();
  }

  /** Standard output, for what a node has made of records. */
  public OutputStream output(StandardOutput out) {
    return raw.output(out);
  }

  /**
   * Standard output, for records.
   *
   * @param onlyMatching whether only what matches is shown of each
   */
  public RecordPrinter printer(
      PatternFlags patterns, PatternSpec pattern, boolean onlyMatching, StandardOutput out) {
    String parameters = colourOf(patterns);
    boolean apart = onlyMatching || parameters != null;
    SubMatches subMatches = apart ? PatternFlags.compiled(pattern, SubMatches::of) : null;
    byte end = form.isJson() ? Delimiter.LF.value() : delimiter.value();
    if (fields.isGiven() && (form.isMadeHere() || onlyMatching)) {
      throw new CommandException(
          "expected --fields without --template, --label-prefix and --only-matching, found both");
    }
    if (pretty && (fields.isGiven() || form.isJson() || onlyMatching)) {
      throw new CommandException(
          "expected --pretty without --fields, --json and --only-matching, found both");
    }
    FieldRow row = fields.row(form.kind(), patterns.extract());
    return raw.printer(
        new RecordPrinter.Style(
            subMatches, onlyMatching, parameters, colour.parameters() != null, end, row, pretty),
        out);
  }
}
