package io.cordwood.query.fields;

import io.cordwood.common.segment.AnyOf;
import io.cordwood.common.text.JsonEscapes;
import io.cordwood.query.fields.ValueTest.Side;
import io.cordwood.query.match.Matcher;
import io.cordwood.query.match.Matchers;
import io.cordwood.query.match.PatternException;
import io.cordwood.query.match.PatternSpec;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads conditions:
 *
 * <pre>
 *   where     = condition { "and" condition }
 *   condition = field [ "?" ] ( operator value | "in" "(" value { "," value } ")" )
 *   operator  = "=" | "!=" | "<" | "<=" | ">" | ">=" | "~" | "!~" | "~~" | "!~~"
 *   field     = [ "@" ] characters but white space and =!<>~?,()"' | quoted
 *   value     = characters but white space, and , and ) in a list; no =<>~! first | quoted
 *   quoted    = " characters, escaped as in JSON " | ' characters as they are '
 * </pre>
 */
final class WhereParser {
  /** The longest that all texts may be together, in bytes of UTF-8. */
  static final int MAX_BYTES = 64 * 1024;

  /** The most texts. */
  static final int MAX_TEXTS = 100;

  /** The most conditions, of all texts together. */
  static final int MAX_CONDITIONS = 100;

  /** The most values of a list. */
  private static final int MAX_VALUES = 1000;

  /** Regular expressions keep states, up to 2 MiB each. */
  private static final int MAX_REGEXES = 8;

  private static final String NOT_IN_FIELDS = "=!<>~?,()\"'";
  private static final String NO_FIRST_OF_VALUES = "=<>~!";

  private final String where;
  private final int[] text;
  private int at;
  private int conditions;
  private int regexes;

  private final Extract extract;

  private WhereParser(String where, String text, Extract extract, @Nullable WhereParser before) {
    this.where = where;
    this.extract = extract;
    this.text = text.codePoints().toArray();
    this.conditions = before == null ? 0 : before.conditions;
    this.regexes = before == null ? 0 : before.regexes;
  }

  /** The conditions of each text. */
  static List<List<Condition>> parse(List<String> texts, Extract extract) {
    long bytes = texts.stream().mapToLong(t -> t.getBytes(StandardCharsets.UTF_8).length).sum();
    if (texts.size() > MAX_TEXTS || bytes > MAX_BYTES) {
      throw new WhereException(
          "expected at most %d conditions of %d bytes together, found %d of %d"
              .formatted(MAX_TEXTS, MAX_BYTES, texts.size(), bytes),
          true);
    }
    List<List<Condition>> all = new ArrayList<>();
    @Nullable WhereParser last = null;
    for (int i = 0; i < texts.size(); i++) {
      String which = texts.size() > 1 ? (i + 1) + ". of them, " : "";
      var parser = new WhereParser(which, texts.get(i), extract, last);
      all.add(parser.all());
      last = parser;
    }
    return all;
  }

  private List<Condition> all() {
    List<Condition> all = new ArrayList<>();
    do {
      all.add(condition());
      conditions++;
      if (conditions > MAX_CONDITIONS) {
        throw expected("at most " + MAX_CONDITIONS + " conditions", at);
      }
      skipSpace();
    } while (skipWord("and"));
    if (at < text.length) {
      throw expected("\"and\", or the end", at);
    }
    return all;
  }

  private Condition condition() {
    FieldPath field = field();
    boolean orAbsent = skip("?");
    skipSpace();
    if (skipWord("in")) {
      return condition(field, orAbsent, false, Condition.equal(field, list()));
    }
    boolean negated = at + 1 < text.length && text[at] == '!';
    at += negated ? 1 : 0;
    return condition(field, orAbsent, negated, test(field, negated));
  }

  private Condition condition(FieldPath field, boolean orAbsent, boolean negated, ValueTest test) {
    List<AnyOf> ofField =
        field.extracted() < 0 || orAbsent ? List.of() : extract.required(field.extracted());
    return new Condition(field, orAbsent, negated, test, ofField);
  }

  private FieldPath field() {
    skipSpace();
    int start = at;
    String name = quoted();
    boolean isQuoted = name != null;
    if (name == null) {
      while (at < text.length && !isSpace(text[at]) && NOT_IN_FIELDS.indexOf(text[at]) < 0) {
        at++;
      }
      name = new String(text, start, at - start);
    }
    try {
      boolean isOfRecord = isQuoted && name.startsWith("@");
      return isOfRecord ? FieldPath.ofRecord(name) : extract.path(name);
    } catch (IllegalArgumentException e) {
      throw name.isEmpty() ? expected("a field", start) : at(start, String.valueOf(e.getMessage()));
    }
  }

  private ValueTest test(FieldPath field, boolean negated) {
    int start = at;
    if (skip("~~")) {
      skip("=");
      return regex();
    } else if (skip("~")) {
      skip("=");
      Value value = value("");
      return new ValueTest.Holds(
          compiled(PatternSpec.literal(value.text), value),
          new EncodedLiterals(List.of(value.bytes()), false));
    } else if (skip("=")) {
      return Condition.equal(field, List.of(value("").text));
    } else if (!negated && (skip("<") || skip(">"))) {
      boolean equal = skip("=");
      boolean below = text[start] == '<';
      return side(below ? (equal ? Side.AT_MOST : Side.BELOW) : equal ? Side.AT_LEAST : Side.ABOVE);
    }
    throw expected(
        negated ? "an operator such as !=" : "an operator such as =", negated ? start - 1 : start);
  }

  private ValueTest side(Side side) {
    Value value = value("");
    byte[] bytes = value.bytes();
    Quantity.Kind kind = Quantity.kind(value.text);
    double number = Quantity.parse(bytes, 0, bytes.length, kind);
    return value.quoted || Double.isNaN(number)
        ? new ValueTest.OfText(side, bytes)
        : new ValueTest.OfNumber(side, number, kind);
  }

  private ValueTest regex() {
    Value value = value("");
    regexes++;
    if (regexes > MAX_REGEXES) {
      throw expected("at most " + MAX_REGEXES + " regular expressions", value.at);
    }
    Matcher matcher = compiled(PatternSpec.regex(value.text), value);
    List<byte[]> literals =
        matcher.required().stream()
            .map(clause -> clause.literals())
            .max(Comparator.comparingInt(WhereParser::shortest))
            .orElse(List.of());
    return new ValueTest.Holds(matcher, new EncodedLiterals(literals, true));
  }

  private static int shortest(List<byte[]> literals) {
    return literals.stream().mapToInt(literal -> literal.length).min().orElse(0);
  }

  private Matcher compiled(PatternSpec pattern, Value value) {
    try {
      return Matchers.compile(pattern);
    } catch (PatternException e) {
      throw at(value.at, String.valueOf(e.getMessage()), e.isTooMuch());
    }
  }

  private List<String> list() {
    skipSpace();
    if (!skip("(")) {
      throw expected("\"(\"", at);
    }
    List<String> values = new ArrayList<>();
    do {
      if (values.size() == MAX_VALUES) {
        throw expected("at most " + MAX_VALUES + " values", at);
      }
      values.add(value(",)").text);
      skipSpace();
    } while (skip(","));
    if (!skip(")")) {
      throw expected("\",\" or \")\"", at);
    }
    return values;
  }

  /** A value, and where it begins. */
  private record Value(String text, boolean quoted, int at) {
    byte[] bytes() {
      return text.getBytes(StandardCharsets.UTF_8);
    }
  }

  /**
   * Reads a value.
   *
   * @param ends which characters end one without quotes, besides white space
   */
  private Value value(String ends) {
    skipSpace();
    int start = at;
    String quoted = quoted();
    if (quoted != null) {
      return new Value(quoted, true, start);
    }
    while (at < text.length && !isSpace(text[at]) && ends.indexOf(text[at]) < 0) {
      at++;
    }
    if (at == start || NO_FIRST_OF_VALUES.indexOf(text[start]) >= 0) {
      throw expected("a value or a quote", start);
    }
    return new Value(new String(text, start, at - start), false, start);
  }

  /** Reads what stands in quotes; null if nothing does. */
  private @Nullable String quoted() {
    if (at == text.length || (text[at] != '"' && text[at] != '\'')) {
      return null;
    }
    int start = at;
    int quote = text[at++];
    var between = new StringBuilder();
    while (at < text.length && text[at] != quote) {
      if (quote == '"' && text[at] == '\\' && at + 1 < text.length) {
        between.append('\\');
        at++;
      }
      between.appendCodePoint(text[at++]);
    }
    if (at == text.length) {
      throw expected("an end of the quote at character " + (start + 1), at);
    }
    at++;
    byte[] bytes = between.toString().getBytes(StandardCharsets.UTF_8);
    return quote == '\''
        ? between.toString()
        : new String(JsonEscapes.decode(bytes, 0, bytes.length), StandardCharsets.UTF_8);
  }

  private boolean skip(String expected) {
    if (!startsWith(expected)) {
      return false;
    }
    at += expected.length();
    return true;
  }

  /** Skips a word, after which another thing begins. */
  private boolean skipWord(String word) {
    int end = at + word.length();
    boolean ends = end >= text.length || isSpace(text[end]) || text[end] == '(';
    return ends && skip(word);
  }

  private boolean startsWith(String expected) {
    for (int i = 0; i < expected.length(); i++) {
      if (at + i >= text.length || text[at + i] != expected.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  private void skipSpace() {
    while (at < text.length && isSpace(text[at])) {
      at++;
    }
  }

  private static boolean isSpace(int character) {
    return character <= ' ';
  }

  private WhereException expected(String expected, int index) {
    String found = index < text.length ? "\"" + Character.toString(text[index]) + "\"" : "the end";
    return at(index, "expected " + expected + ", found " + found);
  }

  private WhereException at(int index, String message) {
    return at(index, message, false);
  }

  private WhereException at(int index, String message, boolean tooMuch) {
    return new WhereException(where + "character " + (index + 1) + ": " + message, tooMuch);
  }
}
