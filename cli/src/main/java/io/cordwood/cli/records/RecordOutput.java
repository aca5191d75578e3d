package io.cordwood.cli.records;

import io.cordwood.cli.question.ZoneFlag;
import io.cordwood.query.fields.Extract;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Prints the lines of an answer in JSON: records on standard output, what the node says besides on
 * standard error. One thread.
 */
public final class RecordOutput {
  private final String command;
  private final RecordPrinter printer;
  private final RecordForm form;
  private final RecordValues values;
  private final ZoneFlag zone;
  private final RecordPrinter contextPrinter;
  private long group;

  /**
   * @param command that says what the node says
   * @param extract fields that are groups of regular expressions
   */
  public RecordOutput(
      String command, RecordPrinter printer, RecordForm form, ZoneFlag zone, Extract extract) {
    this.command = command;
    this.printer = printer;
    this.form = form;
    this.zone = zone;
    this.values = new RecordValues(extract);
    this.contextPrinter = printer.ofContext();
  }

  /** Prints what is there at once as soon as it is. */
  public void printAll(InputStream answer) throws IOException {
    var lines = new AnswerLines(answer);
    for (byte[] line = lines.next(); line != null; line = lines.next()) {
      print(line, _ -> true);
      if (lines.areDrained()) {
        flush();
      }
    }
    flush();
  }

  /** Lets go of what was printed. */
  public void flush() throws IOException {
    printer.flush();
  }

  /**
   * Prints what a line says.
   *
   * @param wanted asked if it is a record
   */
  public void print(byte[] bytes, Predicate<JsonRecord> wanted) throws IOException {
    JsonRecord line = JsonRecord.of(bytes);
    if (line.notice() != null) {
      printer.flush();
      System.err.println(command + ": " + plain(line.notice()));
    }
    if (line.record() != null && wanted.test(line)) {
      print(bytes, line, line.record());
    }
  }

  private void print(byte[] line, JsonRecord record, byte[] bytes) throws IOException {
    if (form.json && !printer.showsFields()) {
      contextPrinter.print("", line, 0, line.length);
      return;
    }
    begin(record.group());
    RecordPrinter own = record.context() ? contextPrinter : printer;
    JsonRecord local = record.at(zone.printed(record.time()));
    own.of(record.labels());
    own.know(Map.of("ulid", local.ulid(), "time", local.time(), "topic", local.topic()));
    if (form.template != null) {
      values.of(record.labels());
      form.template.print(own, local, bytes, values);
    } else if (form.prefix != null) {
      own.tagged(form.prefix.of(record));
      printLines(own, "", bytes);
    } else if (!form.ulid) {
      own.print("", bytes, 0, bytes.length);
    } else {
      printLines(own, record.ulid() + (record.context() ? "-" : " "), bytes);
    }
  }

  /** Separates groups of matches and their context. */
  private void begin(long next) throws IOException {
    if (group != 0 && next != group) {
      printer.separator();
    }
    group = next;
  }

  private static void printLines(RecordPrinter own, String prefix, byte[] record)
      throws IOException {
    int from = 0;
    for (int at = 0; at <= record.length; at++) {
      if (at == record.length || (record[at] == '\n' && !own.endsByNul())) {
        own.print(prefix, record, from, at);
        from = at + 1;
      }
    }
  }

  /** A node's words, which may be of another node that means ill. */
  private static String plain(String notice) {
    return notice.replaceAll("\\p{Cntrl}", "?");
  }
}
