package io.cordwood.dist;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Prints the lines of a stream in JSON: records on standard output, what the node says besides on
 * standard error. One thread.
 */
final class TailOutput {
  private static final JsonFactory FACTORY = JsonFactory.builder().build();

  private final RecordPrinter printer;
  private final boolean ulids;
  private final boolean json;
  private @Nullable String last;

  /**
   * @param ulids whether each line of a record has its ULID before it
   * @param json whether records are printed as they come
   */
  TailOutput(RecordPrinter printer, boolean ulids, boolean json) {
    this.printer = printer;
    this.ulids = ulids;
    this.json = json;
  }

  /** One line, by its fields. */
  private static final class Line {
    private @Nullable String ulid;
    private byte @Nullable [] record;
    private @Nullable String notice;
  }

  /** The largest ULID that was printed. */
  Optional<String> last() {
    return Optional.ofNullable(last);
  }

  void print(byte[] bytes) throws IOException {
    Line line = parse(bytes);
    if (line.notice != null) {
      flush();
      System.err.println("cordwood tail: " + plain(line.notice));
    }
    if (line.ulid != null && line.record != null) {
      print(bytes, line.ulid, line.record);
      last = last == null || line.ulid.compareTo(last) > 0 ? line.ulid : last;
    }
  }

  private void print(byte[] line, String ulid, byte[] record) throws IOException {
    if (json) {
      printer.print("", line, 0, line.length);
    } else if (!ulids) {
      printer.print("", record, 0, record.length);
    } else {
      int from = 0;
      for (int at = 0; at <= record.length; at++) {
        if (at == record.length || record[at] == '\n') {
          printer.print(ulid + " ", record, from, at);
          from = at + 1;
        }
      }
    }
  }

  void flush() throws IOException {
    printer.flush();
  }

  /** A node's words, which may be of another node that means ill. */
  private static String plain(String notice) {
    return notice.replaceAll("\\p{Cntrl}", "?");
  }

  private static Line parse(byte[] bytes) throws IOException {
    var line = new Line();
    try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), bytes)) {
      parser.nextToken();
      while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
        String name = parser.currentName();
        parser.nextToken();
        take(name, parser, line);
      }
      return line;
    } catch (JacksonException e) {
      throw new IOException("expected a line of JSON, found something else", e);
    }
  }

  private static void take(String name, JsonParser parser, Line line) {
    switch (name) {
      case "ulid" -> line.ulid = parser.getString();
      case "record" -> line.record = parser.getString().getBytes(StandardCharsets.UTF_8);
      case "record_base64" -> line.record = parser.getBinaryValue();
      case "notice" -> line.notice = parser.getString();
      default -> {} // Nothing that is printed by itself.
    }
  }
}
