package io.cordwood.dist;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Prints the lines of an answer in JSON: records on standard output, what the node says besides on
 * standard error. One thread.
 */
final class RecordOutput {
  private final String command;
  private final RecordPrinter printer;
  private final RecordForm form;
  private @Nullable String last;

  /**
   * @param command that says what the node says
   */
  RecordOutput(String command, RecordPrinter printer, RecordForm form) {
    this.command = command;
    this.printer = printer;
    this.form = form;
  }

  /** The largest ULID that was printed. */
  Optional<String> last() {
    return Optional.ofNullable(last);
  }

  /** Prints what is there at once as soon as it is. */
  void printAll(InputStream answer) throws IOException {
    var in = new BufferedInputStream(answer);
    var line = new ByteArrayOutputStream();
    for (int next = in.read(); next >= 0; next = in.read()) {
      if (next == '\n') {
        print(line.toByteArray());
        line.reset();
        if (in.available() == 0) {
          printer.flush();
        }
      } else {
        line.write(next);
      }
    }
    printer.flush();
  }

  private void print(byte[] bytes) throws IOException {
    JsonRecord line = JsonRecord.of(bytes);
    if (line.notice() != null) {
      printer.flush();
      System.err.println(command + ": " + plain(line.notice()));
    }
    if (line.record() != null) {
      print(bytes, line, line.record());
      last = last == null || line.ulid().compareTo(last) > 0 ? line.ulid() : last;
    }
  }

  private void print(byte[] line, JsonRecord record, byte[] bytes) throws IOException {
    if (form.json) {
      printer.print("", line, 0, line.length, "");
    } else if (form.template != null) {
      form.template.print(printer, record, bytes);
    } else if (!form.ulid) {
      printer.print("", bytes, 0, bytes.length, "");
    } else {
      printLines(record.ulid() + " ", bytes);
    }
  }

  private void printLines(String prefix, byte[] record) throws IOException {
    int from = 0;
    for (int at = 0; at <= record.length; at++) {
      if (at == record.length || record[at] == '\n') {
        printer.print(prefix, record, from, at, "");
        from = at + 1;
      }
    }
  }

  /** A node's words, which may be of another node that means ill. */
  private static String plain(String notice) {
    return notice.replaceAll("\\p{Cntrl}", "?");
  }
}
