package io.cordwood.cli.program;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a node in a file: UTF-8, a line {@code flag = value} for each, or {@code command.flag
 * = value} for one command only. A {@code #} at the beginning of a line, or after a blank, begins a
 * comment. There are no quotes, escapes or continued lines.
 */
public record ConfigFile(Path path, List<Entry> entries) {
  /** The file that counts if none is named. */
  static final Path USUAL = Path.of("/etc/cordwood/cordwood.properties");

  /** The name of a file without settings. */
  private static final Path NONE = Path.of("/dev/null");

  /** The commands that a key may begin with. */
  static final List<String> COMMANDS = List.of("ingest", "store", "ingeststore", "query");

  /** The largest file; the largest sensible one has a few thousand bytes. */
  static final int MAX_BYTES = 1 << 20;

  private static final int MAX_SHOWN = 40;

  /** Some editors begin a file of UTF-8 with it. */
  private static final String BYTE_ORDER_MARK = "\uFEFF";

  private static final Pattern COMMENT = Pattern.compile("(^|\\s)#.*$");
  private static final Pattern LINE = Pattern.compile("([^=]*[^=\\s])\\s*=\\s*(.*)");

  /**
   * A line.
   *
   * @param line its number, from 1
   */
  public record Entry(String key, String value, int line) {}

  /**
   * Reads the file that counts; empty if there is none.
   *
   * @param named by the command line; null if none is
   * @throws CommandException if it cannot be read or is none; the message says where
   */
  public static Optional<ConfigFile> orUsual(@Nullable Path named) {
    return orUsual(named, USUAL);
  }

  /** One that is closed to this user is not missing: without its settings a node may be open. */
  static Optional<ConfigFile> orUsual(@Nullable Path named, Path usual) {
    Path path = named != null ? named : usual;
    boolean isNone = path.equals(NONE) || (named == null && Files.notExists(usual));
    return isNone ? Optional.empty() : Optional.of(read(path));
  }

  /**
   * Reads a file.
   *
   * @throws CommandException if it cannot be read or is none; the message says where
   */
  public static ConfigFile read(Path path) {
    String text = text(path);
    List<Entry> entries = new ArrayList<>();
    Map<String, Integer> lines = new HashMap<>();
    int number = 0;
    for (String line : text.split("\n", -1)) {
      number++;
      String content = content(line);
      if (!content.isEmpty()) {
        Entry entry = entry(path, content, number);
        Integer earlier = lines.putIfAbsent(entry.key, number);
        if (earlier != null) {
          throw error(path, number, shown(entry.key) + " is set by line " + earlier + " already");
        }
        entries.add(entry);
      }
    }
    return new ConfigFile(path, List.copyOf(entries));
  }

  /**
   * The text of a file of settings.
   *
   * @throws CommandException if it cannot be read, or is no text; the message says where
   */
  public static String text(Path path) {
    return decode(path, bytes(path));
  }

  /** A line without its comment, and without blanks around. */
  public static String content(String line) {
    return COMMENT.matcher(line).replaceFirst("").strip();
  }

  private static byte[] bytes(Path path) {
    try (InputStream in = Files.newInputStream(path)) {
      byte[] bytes = in.readNBytes(MAX_BYTES + 1);
      if (bytes.length > MAX_BYTES) {
        throw new CommandException(path + ": expected at most 1 MiB, found more");
      }
      return bytes;
    } catch (IOException e) {
      String why = Failures.explain(e);
      String message = why.startsWith(path.toString()) ? why : path + ": " + why;
      throw new CommandException(message, e);
    }
  }

  private static String decode(Path path, byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    CharBuffer out = CharBuffer.allocate(bytes.length);
    CoderResult result = StandardCharsets.UTF_8.newDecoder().decode(in, out, true);
    String text = out.flip().toString();
    int line = 1;
    for (int at = 0; at < text.length(); at++) {
      char found = text.charAt(at);
      if (found == '\n') {
        line++;
      } else if (Character.isISOControl(found) && found != '\t' && found != '\r') {
        throw error(path, line, "expected text, found the character U+%04X".formatted((int) found));
      }
    }
    if (result.isError()) {
      int found = bytes[in.position()] & 0xFF;
      throw error(path, line, "expected UTF-8, found the byte 0x%02X".formatted(found));
    }
    return text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
  }

  /**
   * Reads a line that sets something.
   *
   * @param content of the line
   * @throws CommandException if it does not; the message says where
   */
  public static Entry entry(Path path, String content, int number) {
    Matcher line = LINE.matcher(content);
    if (!line.matches()) {
      throw error(path, number, "expected 'flag = value', found " + shown(content));
    }
    if (line.group(2).isEmpty()) {
      throw error(path, number, "expected a value for " + shown(line.group(1)) + ", found none");
    }
    return new Entry(line.group(1), line.group(2), number);
  }

  /** The line of an entry, for messages. */
  public String place(Entry entry) {
    return place(path, entry.line);
  }

  private static String place(Path path, int line) {
    return path + " line " + line;
  }

  /** An error at a line. */
  public static CommandException error(Path path, int line, String what) {
    return new CommandException(place(path, line) + ": " + what);
  }

  /** A text of the file in a message. */
  public static String shown(String text) {
    return "'" + (text.length() > MAX_SHOWN ? text.substring(0, MAX_SHOWN) + "…" : text) + "'";
  }
}
