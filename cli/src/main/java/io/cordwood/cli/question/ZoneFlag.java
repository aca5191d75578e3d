package io.cordwood.cli.question;

import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.program.ExclusiveFlags;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Values;
import io.cordwood.common.text.Times;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;

/** The zone of times: of those that are read and name none, and of those that are printed. */
public final class ZoneFlag implements ExclusiveFlags {
  private static final String LOCAL = "local";
  private static final DateTimeFormatter SECONDS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss");
  private static final DateTimeFormatter OFFSET = DateTimeFormatter.ofPattern("XXX");

  /** A time as nodes write it, at the begin of a line or after a space. */
  private static final Pattern TIME =
      Pattern.compile("(?<![^ ])\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z(?![^ ])");

  @Nullable ZoneId named;
  boolean utc;

  @Override
  public void list(FlagList list) {
    list.flag("--tz")
        .label("ZONE")
        .help(
            "Zone of times, such as Europe/Berlin, +02:00, UTC or local: of a TIME that names none,"
                + " and of those that are printed, but in JSON. Default: TIME is local (TZ), UTC is"
                + " printed.")
        .value(ZoneId.class, new ZoneValue(), named, value -> named = value);
    list.flag("--utc").help("As --tz UTC.").on(value -> utc = value);
  }

  /** {@code Europe/Berlin}: a zone of times. */
  static final class ZoneValue implements ITypeConverter<ZoneId> {
    @Override
    public ZoneId convert(String text) {
      return Values.read(text, ZoneFlag::parse);
    }
  }

  /**
   * A zone as people write it.
   *
   * @throws IllegalArgumentException if it is none; the message says what was expected
   */
  static ZoneId parse(String text) {
    try {
      return text.equals(LOCAL) ? ZoneId.systemDefault() : ZoneId.of(text);
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(
          "expected a zone such as Europe/Berlin, +02:00, UTC or local, found \"%s\""
              .formatted(text),
          e);
    }
  }

  /**
   * The moment that a flag's value says.
   *
   * @throws CommandException if it says none
   */
  Instant moment(String flag, String value) {
    try {
      return Times.parse(value, Instant.now(), ofReading());
    } catch (IllegalArgumentException e) {
      throw new CommandException(flag + ": " + e.getMessage(), e);
    }
  }

  /** A time as nodes write it, as it is to be printed. */
  public String printed(String time) {
    if (named == null) {
      return time;
    }
    ZonedDateTime there = Instant.parse(time).atZone(named);
    int fraction = time.indexOf('.');
    String digits = fraction < 0 ? "" : time.substring(fraction, time.length() - 1);
    return SECONDS.format(there) + digits + OFFSET.format(there);
  }

  /** A line with times in it, likewise. */
  public String printedIn(String line) {
    return named == null ? line : TIME.matcher(line).replaceAll(this::printed);
  }

  /** Passes lines with times in them on, likewise. */
  public void copy(InputStream lines, OutputStream out) throws IOException {
    if (named == null) {
      lines.transferTo(out);
      return;
    }
    var reader = new BufferedReader(new InputStreamReader(lines, StandardCharsets.UTF_8));
    var line = new StringBuilder();
    for (int c = reader.read(); c >= 0; c = reader.read()) {
      line.append((char) c);
      if (c == '\n') {
        write(line, out);
      }
    }
    write(line, out);
  }

  private void write(StringBuilder line, OutputStream out) throws IOException {
    out.write(printedIn(line.toString()).getBytes(StandardCharsets.UTF_8));
    line.setLength(0);
  }

  private String printed(MatchResult time) {
    return printed(time.group());
  }

  /** That of times which name none. */
  public ZoneId ofReading() {
    ZoneId usual = utc ? ZoneOffset.UTC : ZoneId.systemDefault();
    return named == null ? usual : named;
  }
}
