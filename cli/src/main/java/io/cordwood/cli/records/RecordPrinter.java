package io.cordwood.cli.records;

import io.cordwood.cli.terminal.TerminalSafeOutput;
import io.cordwood.common.wire.Labels;
import io.cordwood.query.match.SubMatches;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes records to standard output, each ended by LF or NUL, with what matches in them in colour,
 * or only what matches. On a terminal no byte of a record can do harm. One thread.
 */
public final class RecordPrinter implements AutoCloseable {
  private static final int BUFFER_BYTES = 64 << 10;
  private static final byte LF = '\n';

  private final OutputStream out;
  private final @Nullable TerminalSafeOutput safe;
  private final OutputStream text;
  private final Style style;
  private String tag = "";

  /**
   * How records are shown.
   *
   * @param subMatches what of a record matches; null: nothing of it is shown in another way
   * @param onlyParts whether each part is a line and nothing else is shown
   * @param colour SGR parameters for parts, such as {@code 01;31}; null: no colour
   * @param tagsColoured whether each tag has the colour of its text
   * @param end what is written after each line
   * @param row shows fields in place of the record, and nothing else counts; null: no fields
   * @param pretty whether JSON has a line for each field
   */
  public record Style(
      @Nullable SubMatches subMatches,
      boolean onlyParts,
      @Nullable String colour,
      boolean tagsColoured,
      byte end,
      @Nullable FieldRow row,
      boolean pretty) {
    /** After each line is an LF. */
    public Style(@Nullable SubMatches subMatches, boolean onlyParts, @Nullable String colour) {
      this(subMatches, onlyParts, colour, false, LF, null, false);
    }
  }

  /**
   * @param raw whether control characters pass, also to a terminal
   */
  public RecordPrinter(OutputStream out, boolean raw, Style style) {
    this.out = new BufferedOutputStream(out, BUFFER_BYTES);
    this.safe = raw ? null : new TerminalSafeOutput(this.out);
    this.text = safe == null ? this.out : safe;
    this.style = style;
  }

  private RecordPrinter(RecordPrinter beside, Style style) {
    this.out = beside.out;
    this.safe = beside.safe;
    this.text = beside.text;
    this.style = style;
  }

  /** Another one, for the same output, that shows nothing of a record in another way. */
  public RecordPrinter ofContext() {
    return new RecordPrinter(
        this,
        new Style(
            null, false, null, style.tagsColoured(), style.end(), style.row(), style.pretty()));
  }

  /** The record that follows is of a batch with these labels. */
  void of(Labels labels) {
    if (style.row() != null) {
      style.row().of(labels);
    }
  }

  /** Each line from now on begins with this text and a bar. */
  void tagged(String text) {
    tag = text;
  }

  /**
   * Writes the record {@code bytes[from, to)}, given without its delimiter.
   *
   * @param prefix written before each line that is written for the record
   */
  public void print(String prefix, byte[] bytes, int from, int to) throws IOException {
    print(prefix, bytes, from, to, "");
  }

  /**
   * Writes it.
   *
   * @param suffix written after each line
   */
  void print(String prefix, byte[] bytes, int from, int to, String suffix) throws IOException {
    FieldRow row = style.row();
    if (row != null) {
      print(row, prefix, row.of(bytes, from, to));
    } else if (style.pretty()) {
      byte[] lines = PrettyJson.of(bytes, from, to);
      printRecord(prefix, lines, 0, lines.length, suffix);
    } else {
      printRecord(prefix, bytes, from, to, suffix);
    }
  }

  private void print(FieldRow row, String prefix, byte[] line) throws IOException {
    String before = row.isCsv() ? "" : prefix;
    if (row.sorted() != null) {
      row.sorted().add(row.value(row.sorted().field()), before, line);
    } else {
      row(before, line);
    }
  }

  private void row(String prefix, byte[] line) throws IOException {
    String head = style.row() == null ? null : style.row().head();
    if (head != null) {
      message(head);
    }
    line(prefix, line, 0, line.length, "");
  }

  /** Writes what waits for records that are to come before it. */
  public void end() throws IOException {
    FieldRow row = style.row();
    if (row != null && row.sorted() != null) {
      long dropped = row.sorted().drain(this::row);
      if (dropped > 0) {
        System.err.printf(
            "cordwood: --sort: %d records that come last are left out, the others take %d MiB%n",
            dropped, SortedRows.MAX_BYTES >> 20);
      }
    }
  }

  private void printRecord(String prefix, byte[] bytes, int from, int to, String suffix)
      throws IOException {
    SubMatches subMatches = style.subMatches();
    if (subMatches == null) {
      line(prefix, bytes, from, to, suffix);
    } else if (style.onlyParts()) {
      int[] found = subMatches.in(bytes, from, to);
      for (int i = 0; i < found.length; i += 2) {
        begin(prefix);
        coloured(bytes, found[i], found[i + 1]);
        end(suffix);
      }
    } else {
      withParts(prefix, bytes, from, to, subMatches.in(bytes, from, to));
      end(suffix);
    }
  }

  private void line(String prefix, byte[] bytes, int from, int to, String suffix)
      throws IOException {
    begin(prefix);
    text.write(bytes, from, to - from);
    end(suffix);
  }

  private void withParts(String prefix, byte[] bytes, int from, int to, int[] parts)
      throws IOException {
    begin(prefix);
    int at = from;
    for (int i = 0; i < parts.length; i += 2) {
      text.write(bytes, at, parts[i] - at);
      coloured(bytes, parts[i], parts[i + 1]);
      at = parts[i + 1];
    }
    text.write(bytes, at, to - at);
  }

  private void coloured(byte[] bytes, int from, int to) throws IOException {
    coloured(bytes, from, to, style.colour());
  }

  private void coloured(byte[] bytes, int from, int to, @Nullable String colour)
      throws IOException {
    if (colour == null) {
      text.write(bytes, from, to - from);
      return;
    }
    markup("\033[" + colour + "m");
    text.write(bytes, from, to - from);
    markup("\033[m");
  }

  private void begin(String prefix) throws IOException {
    if (!tag.isEmpty()) {
      byte[] shown = tag.getBytes(StandardCharsets.UTF_8);
      coloured(shown, 0, shown.length, style.tagsColoured() ? LabelPrefix.colour(tag) : null);
      text(" | ");
    }
    text(prefix);
  }

  private void markup(String sequence) throws IOException {
    if (safe != null) {
      safe.release();
    }
    out.write(sequence.getBytes(StandardCharsets.US_ASCII));
  }

  /** Takes the values that a node knows of the next record, if fields are shown. */
  public void know(Map<String, String> known) {
    FieldRow row = style.row();
    if (row != null) {
      row.know(known);
    }
  }

  /** Whether fields are shown in place of records. */
  public boolean showsFields() {
    return style.row() != null;
  }

  /** Whether a record may hold LFs and be one line all the same. */
  boolean endsByNul() {
    return style.end() != LF;
  }

  /** Writes a line of its own, ended by LF. */
  public void message(String line) throws IOException {
    text(line + "\n");
  }

  /** Writes the line between groups of records that do not meet. */
  public void separator() throws IOException {
    message("--");
  }

  /** Writes text as it is. */
  public void text(String text) throws IOException {
    this.text.write(text.getBytes(StandardCharsets.UTF_8));
  }

  private void end(String suffix) throws IOException {
    text.write(suffix.getBytes(StandardCharsets.UTF_8));
    text.write(style.end());
  }

  /** Sends what is buffered. */
  public void flush() throws IOException {
    text.flush();
  }

  @Override
  public void close() throws IOException {
    end();
    text.close();
  }
}
