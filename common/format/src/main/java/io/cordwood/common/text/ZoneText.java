package io.cordwood.common.text;

import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The zone that stands after a time in a line: {@code Z}, {@code +01}, {@code +0100}, {@code
 * +01:00}, {@code UTC}, {@code GMT-8}, an abbreviation such as {@code CET}, or {@code
 * Europe/Berlin}; close to the time or after a blank or two, also in brackets.
 */
public final class ZoneText {
  /** The most characters that one takes, with what is around it. */
  public static final int MAX_CHARS = 64;

  private static final Pattern OFFSET =
      Pattern.compile("([+-])(\\d\\d)(?::?([0-5]\\d)(?::?([0-5]\\d))?)?");
  private static final Pattern SHORT_OFFSET = Pattern.compile("([+-])(\\d)(?::([0-5]\\d))?");
  private static final Pattern WORD = Pattern.compile("[A-Za-z]+");
  private static final Pattern REGION = Pattern.compile("[A-Z][A-Za-z_]+(?:/[A-Za-z0-9_+-]+)+");

  /** U+2212 as ISO 8601 asks for it, in UTF-8 that was read as Latin-1. */
  private static final String MINUS = "\u00e2\u0088\u0092";

  private static final Set<String> UTC = Set.of("UTC", "GMT", "UT", "UCT", "Z", "ZULU");

  /** Abbreviations that mean one zone wherever they are in use. */
  private static final Map<String, ZoneId> ABBREVIATIONS =
      abbreviations(
          """
          WET 0 WEST 1 CET 1 CEST 2 MET 1 MEST 2 MEZ 1 MESZ 2 EET 2 EEST 3
          MSK Europe/Moscow MSD 4 TRT Europe/Istanbul
          EST -5 EDT -4 MST -7 MDT -6 PST -8 PDT -7 AKST -9 AKDT -8 HST -10 HDT -9 NDT -2:30
          WAT 1 CAT 2 SAST 2 EAT 3 IRST 3:30 IRDT 4:30 IDT 3 PKT 5 UZT 5 NPT 5:45 ICT 7
          WIB 7 WITA 8 WIT 9 HKT 8 SGT 8 PHT 8 AWST 8 JST 9 KST 9 CHST 10
          ACST 9:30 ACDT 10:30 AEST 10 AEDT 11 NZST 12 NZDT 13 BRT -3 BRST -2 UYT -3 BOT -4
          """);

  /** Those that mean several, or have meant several. */
  private static final Set<String> AMBIGUOUS =
      Set.of(
          "ADT", "AMST", "AMT", "AST", "BST", "CDT", "CLST", "CLT", "CST", "ECT", "GST", "IRKT",
          "IST", "KRAT", "LMT", "MAGT", "NOVT", "NST", "OMST", "PETT", "PYST", "PYT", "SAMT", "SST",
          "VET", "VLAT", "WAST", "WST", "YAKT", "YEKT");

  private ZoneText() {}

  /**
   * A zone, and where in the text it ends.
   *
   * @param end after a bracket that closes it
   */
  public record Found(ZoneId zone, int end) {}

  /**
   * The zone right after a time; empty if what stands there is something else.
   *
   * @param at where the time ended
   * @throws IllegalArgumentException if it is a zone that means several; the message says so
   */
  public static Optional<Found> after(String text, int at) {
    int begin = at;
    while (begin < text.length() && begin < at + 2 && " \t".indexOf(text.charAt(begin)) >= 0) {
      begin++;
    }
    int bracket = begin < text.length() ? "[(".indexOf(text.charAt(begin)) : -1;
    if (bracket < 0) {
      return zone(text, begin).filter(found -> isEnd(text, found.end));
    }
    char closing = "])".charAt(bracket);
    return zone(text, begin + 1)
        .filter(found -> found.end < text.length() && text.charAt(found.end) == closing)
        .map(found -> new Found(found.zone, found.end + 1));
  }

  private static Optional<Found> zone(String text, int at) {
    return offset(text, at, OFFSET).or(() -> named(text, at)).or(() -> region(text, at));
  }

  /** Whether what follows is no more of the same word or number. */
  private static boolean isEnd(String text, int at) {
    char next = at < text.length() ? text.charAt(at) : ' ';
    char behind = at + 1 < text.length() ? text.charAt(at + 1) : ' ';
    return !isWord(next)
        && !((next == '-' || next == '.') && isWord(behind))
        && !(next == ':' && Character.isDigit(behind));
  }

  private static boolean isWord(char c) {
    return Character.isLetterOrDigit(c) || c == '_';
  }

  private static Optional<Found> offset(String text, int at, Pattern form) {
    String signed = text;
    int shift = 0;
    if (text.startsWith(MINUS, at)) {
      signed = text.substring(0, at) + "-" + text.substring(at + MINUS.length());
      shift = MINUS.length() - 1;
    }
    Matcher offset = form.matcher(signed).region(at, signed.length());
    if (!offset.lookingAt()) {
      return Optional.empty();
    }
    int seconds =
        Integer.parseInt(offset.group(2)) * 3600 + number(offset, 3) * 60 + number(offset, 4);
    return seconds > ZoneOffset.MAX.getTotalSeconds()
        ? Optional.empty()
        : Optional.of(
            new Found(
                ZoneOffset.ofTotalSeconds(offset.group(1).equals("-") ? -seconds : seconds),
                offset.end() + shift));
  }

  private static int number(Matcher offset, int group) {
    return offset.groupCount() < group || offset.group(group) == null
        ? 0
        : Integer.parseInt(offset.group(group));
  }

  private static Optional<Found> named(String text, int at) {
    Matcher word = WORD.matcher(text).region(at, text.length());
    if (!word.lookingAt()) {
      return Optional.empty();
    }
    String name = word.group();
    if (UTC.contains(name.toUpperCase(Locale.ROOT))) {
      Found plain = new Found(ZoneOffset.UTC, word.end());
      Optional<Found> offset =
          offset(text, word.end(), OFFSET).or(() -> offset(text, word.end(), SHORT_OFFSET));
      return Optional.of(offset.orElse(plain));
    }
    if (AMBIGUOUS.contains(name) && isEnd(text, word.end())) {
      throw new IllegalArgumentException(
          "expected a zone that means one offset, such as CET, UTC or +01:00, found \""
              + name
              + "\", which means or meant several");
    }
    ZoneId zone = ABBREVIATIONS.get(name);
    return zone == null ? Optional.empty() : Optional.of(new Found(zone, word.end()));
  }

  private static Optional<Found> region(String text, int at) {
    Matcher region = REGION.matcher(text).region(at, text.length());
    return region.lookingAt() && ZoneId.getAvailableZoneIds().contains(region.group())
        ? Optional.of(new Found(ZoneId.of(region.group()), region.end()))
        : Optional.empty();
  }

  private static Map<String, ZoneId> abbreviations(String table) {
    Map<String, ZoneId> zones = new HashMap<>();
    String[] words = table.strip().split("\\s+", -1);
    for (int i = 0; i < words.length; i += 2) {
      zones.put(words[i], words[i + 1].contains("/") ? ZoneId.of(words[i + 1]) : of(words[i + 1]));
    }
    return Map.copyOf(zones);
  }

  /** Hours east of Greenwich, and minutes. */
  private static ZoneOffset of(String offset) {
    String[] parts = offset.split(":", 2);
    int hours = Integer.parseInt(parts[0]);
    int minutes = parts.length == 1 ? 0 : Integer.parseInt(parts[1]);
    return ZoneOffset.ofHoursMinutes(hours, hours < 0 ? -minutes : minutes);
  }
}
