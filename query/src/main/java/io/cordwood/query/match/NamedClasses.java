package io.cordwood.query.match;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The classes of characters that have names: Perl's, POSIX's (both ASCII only, as in RE2) and
 * Unicode's general categories and scripts.
 */
final class NamedClasses {
  static final CodePoints DIGITS = CodePoints.ranges("09");
  static final CodePoints SPACES = CodePoints.ranges("\t\n\f\r  ");
  static final CodePoints WORD = CodePoints.ranges("09AZ__az");

  private static final Map<String, CodePoints> POSIX =
      Map.ofEntries(
          Map.entry("alnum", CodePoints.ranges("09AZaz")),
          Map.entry("alpha", CodePoints.ranges("AZaz")),
          Map.entry("ascii", CodePoints.range(0, 0x7F)),
          Map.entry("blank", CodePoints.ranges("\t\t  ")),
          Map.entry("cntrl", CodePoints.range(0, 0x1F).union(CodePoints.of(0x7F))),
          Map.entry("digit", DIGITS),
          Map.entry("graph", CodePoints.ranges("!~")),
          Map.entry("lower", CodePoints.ranges("az")),
          Map.entry("print", CodePoints.ranges(" ~")),
          Map.entry("punct", CodePoints.ranges("!/:@[`{~")),
          Map.entry("space", CodePoints.ranges("\t\r  ")),
          Map.entry("upper", CodePoints.ranges("AZ")),
          Map.entry("word", WORD),
          Map.entry("xdigit", CodePoints.ranges("09AFaf")));

  /** By {@link Character#getType}: two letters each, in the order of the constants' values. */
  private static final String CATEGORIES =
      "CnLuLlLtLmLoMnMeMcNdNlNo??ZsZlZpCcCf??CoCsPdPsPePcPoSmScSkSoPiPf";

  /** Made when first asked for: each takes a look at all of Unicode. Bounded by the valid names. */
  private static final Map<String, CodePoints> MADE = new ConcurrentHashMap<>();

  private NamedClasses() {}

  static Optional<CodePoints> perl(int letter) {
    return switch (letter) {
      case 'd' -> Optional.of(DIGITS);
      case 'D' -> Optional.of(DIGITS.negate());
      case 's' -> Optional.of(SPACES);
      case 'S' -> Optional.of(SPACES.negate());
      case 'w' -> Optional.of(WORD);
      case 'W' -> Optional.of(WORD.negate());
      default -> Optional.empty();
    };
  }

  static Optional<CodePoints> posix(String name) {
    return Optional.ofNullable(POSIX.get(name));
  }

  /** A general category such as L or Lu, a script such as Greek, or Any. */
  static Optional<CodePoints> unicode(String name) {
    Optional<CodePoints> known = Optional.ofNullable(MADE.get(name));
    return known.isPresent() ? known : makeUnicode(name);
  }

  private static Optional<CodePoints> makeUnicode(String name) {
    Optional<CodePoints> made = find(name);
    made.ifPresent(set -> MADE.put(name, set));
    return made;
  }

  private static Optional<CodePoints> find(String name) {
    if (name.equals("Any")) {
      return Optional.of(CodePoints.ALL);
    }
    if (name.matches("[CLMNPSZ][a-z]?")) {
      CodePoints members = CodePoints.where(c -> categoryOf(c).startsWith(name));
      return members.isEmpty() ? Optional.empty() : Optional.of(members);
    }
    try {
      Character.UnicodeScript script = Character.UnicodeScript.forName(name);
      return Optional.of(CodePoints.where(c -> Character.UnicodeScript.of(c) == script));
    } catch (IllegalArgumentException unknownScript) {
      return Optional.empty(); // the parser says where
    }
  }

  private static String categoryOf(int codePoint) {
    int type = 2 * Character.getType(codePoint);
    return CATEGORIES.substring(type, type + 2);
  }
}
