package io.cordwood.query.match;

import io.cordwood.query.match.RegexNode.Assertion;
import io.cordwood.query.match.RegexNode.Chars;
import io.cordwood.query.match.RegexNode.Choice;
import io.cordwood.query.match.RegexNode.Group;
import io.cordwood.query.match.RegexNode.Repeat;
import io.cordwood.query.match.RegexNode.Sequence;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads regular expressions in RE2's syntax: literals, {@code .}, classes, Perl, POSIX and Unicode
 * classes, alternation, groups (named ones too), {@code * + ? {n} {n,} {n,m}} greedy or not, {@code
 * ^ $ \A \z \b \B}, {@code \Q…\E}, and the flags {@code i m s U}.
 *
 * <p>What is particular here:
 *
 * <ul>
 *   <li>{@code ^} and {@code $} are the borders of the record; with {@code (?m)} also of the lines
 *       inside a record that NUL ends.
 *   <li>{@code .} is any character of the record. In a record that holds line feeds it matches them
 *       too, unless the flag s is taken off: {@code (?-s)}.
 *   <li>Bytes that are not UTF-8 match as U+FFFD, see {@link CharacterCompiler}.
 *   <li>Back-references, look-around and {@code \C} are refused: no linear time is known for them,
 *       or (the last) they would tear characters.
 * </ul>
 *
 * One use, one thread.
 */
final class RegexParser {
  static final int MAX_REPEAT = 1000;
  static final int MAX_DEPTH = 200;

  private static final int NO_NAME = -1;

  private final PatternReader in;
  private final @Nullable List<String> names;
  private RegexFlags flags;
  private int depth;

  private RegexParser(PatternReader in, RegexFlags flags, @Nullable List<String> names) {
    this.in = in;
    this.flags = flags;
    this.names = names;
  }

  /**
   * A regular expression, with its groups that have names.
   *
   * @param names gets them, in the order of their indexes
   */
  static RegexNode parseGroups(String pattern, List<String> names) {
    return new RegexParser(new PatternReader(pattern), RegexFlags.DEFAULT, names).whole();
  }

  /**
   * @param regex whether the pattern is a regular expression; else it is a literal
   */
  static RegexNode parse(String pattern, boolean regex, boolean ignoreCase) {
    RegexFlags flags = RegexFlags.DEFAULT.with('i', ignoreCase);
    RegexParser parser = new RegexParser(new PatternReader(pattern), flags, null);
    return regex ? parser.whole() : parser.quoted();
  }

  private RegexNode quoted() {
    List<RegexNode> parts = new ArrayList<>();
    while (in.hasNext()) {
      parts.add(literal(in.next()));
    }
    return new Sequence(parts);
  }

  private RegexNode whole() {
    RegexNode node = choice();
    if (in.hasNext()) {
      throw in.expected("the end of the pattern or \"(\" before");
    }
    return node;
  }

  private RegexNode choice() {
    List<RegexNode> branches = new ArrayList<>();
    do {
      branches.add(sequence());
    } while (in.skip('|'));
    return branches.size() == 1 ? branches.getFirst() : new Choice(branches);
  }

  private RegexNode sequence() {
    List<RegexNode> parts = new ArrayList<>();
    while (in.hasNext() && in.peek() != '|' && in.peek() != ')') {
      if (in.skip("\\Q")) {
        quotedPart(parts);
      } else if (!in.skip("\\E") && !flagGroup()) {
        parts.add(repeated(atom()));
      }
    }
    return parts.size() == 1 ? parts.getFirst() : new Sequence(parts);
  }

  private void quotedPart(List<RegexNode> parts) {
    while (in.hasNext() && !in.skip("\\E")) {
      RegexNode character = literal(in.next());
      boolean last = in.skip("\\E");
      parts.add(last ? repeated(character) : character);
      if (last) {
        return;
      }
    }
  }

  /** Reads flags that hold for the rest of the group: {@code (?i)}. */
  private boolean flagGroup() {
    int start = in.position();
    if (!in.skip("(?") || !in.hasNext() || "imsU-".indexOf(in.peek()) < 0) {
      in.reset(start);
      return false;
    }
    RegexFlags read = flags();
    if (in.hasNext() && in.peek() == ':') {
      in.reset(start);
      return false;
    }
    in.require(')', "\")\" or \":\" after the flags");
    flags = read;
    return true;
  }

  private RegexFlags flags() {
    RegexFlags read = flags;
    boolean on = true;
    while (in.hasNext() && in.peek() != ':' && in.peek() != ')') {
      if (on && in.skip('-')) {
        on = false;
      } else if ("imsU".indexOf(in.peek()) >= 0) {
        read = read.with(in.next(), on);
      } else {
        throw in.expected("one of the flags i, m, s, U");
      }
    }
    return read;
  }

  private RegexNode repeated(RegexNode body) {
    Repeat repeat = repetition(body);
    if (repeat == null) {
      return body;
    }
    if (in.skip('?')) {
      repeat = new Repeat(body, repeat.min(), repeat.max(), !repeat.greedy());
    }
    int at = in.position();
    if (repetition(body) != null) {
      in.reset(at);
      throw in.expected("no second repetition: put the first into a group");
    }
    return repeat;
  }

  private @Nullable Repeat repetition(RegexNode body) {
    if (in.skip('*')) {
      return new Repeat(body, 0, RegexNode.UNBOUNDED, flags.greedy());
    }
    if (in.skip('+')) {
      return new Repeat(body, 1, RegexNode.UNBOUNDED, flags.greedy());
    }
    if (in.skip('?')) {
      return new Repeat(body, 0, 1, flags.greedy());
    }
    return counted(body);
  }

  /** Reads {@code {n}}, {@code {n,}} or {@code {n,m}}; anything else after a brace is a literal. */
  private @Nullable Repeat counted(RegexNode body) {
    int start = in.position();
    int min = in.skip('{') ? in.number() : -1;
    if (min < 0 && in.position() > start && in.skip(',') && in.number() >= 0 && in.skip('}')) {
      in.reset(start + 1);
      throw in.expected("a count before the comma, as in {0,2}");
    }
    boolean open = min >= 0 && in.skip(',');
    int max = open ? in.number() : min;
    if (min < 0 || !in.skip('}')) {
      in.reset(start);
      return null;
    }
    if (min > MAX_REPEAT || max > MAX_REPEAT || (max >= 0 && max < min)) {
      in.reset(start);
      throw in.expected("a repetition of at most " + MAX_REPEAT + ", the smaller count first");
    }
    return new Repeat(body, min, max, flags.greedy());
  }

  private RegexNode atom() {
    int start = in.position();
    int c = in.next();
    return switch (c) {
      case '(' -> group();
      case '[' -> new Chars(new ClassParser(in, flags).read());
      case '.' -> new Chars(flags.dotIsAll() ? CodePoints.ALL : CodePoints.of('\n').negate());
      case '^' -> new Assertion(flags.lineStart());
      case '$' -> new Assertion(flags.lineEnd());
      case '\\' -> escape();
      case '*', '+', '?' -> {
        in.reset(start);
        throw in.expected("something to repeat");
      }
      default -> literal(c);
    };
  }

  private RegexNode literal(int c) {
    return new Chars(flags.ignoreCase() ? CaseFolding.close(c) : CodePoints.of(c));
  }

  private RegexNode group() {
    if (++depth > MAX_DEPTH) {
      throw in.expected("groups at most " + MAX_DEPTH + " deep");
    }
    RegexFlags outer = flags;
    int open = in.position();
    int index = in.skip('?') ? groupKind() : NO_NAME;
    RegexNode body = choice();
    if (!in.skip(')')) {
      throw in.expected("\")\" for the group that begins at character " + open);
    }
    flags = outer;
    depth--;
    return index == NO_NAME ? body : new Group(body, index);
  }

  /** Reads what stands after {@code (?}: a name, or flags and a colon. */
  private int groupKind() {
    if (in.startsWith("=") || in.startsWith("!") || in.startsWith("<=") || in.startsWith("<!")) {
      throw in.expected("no look-around (it has no linear time)");
    }
    if (in.skip("P<") || in.skip("<")) {
      String name = in.name();
      in.require('>', "\">\" after the group's name");
      return names == null ? NO_NAME : index(names, name);
    }
    flags = flags();
    in.require(':', "\":\" after the flags");
    return NO_NAME;
  }

  private int index(List<String> known, String name) {
    if (known.contains(name)) {
      throw PatternException.at(in.position() + 1, "each name once", "\"" + name + "\" again");
    }
    known.add(name);
    return known.size() - 1;
  }

  /** Refuses GNU grep's borders, which RE2 would take for plain text and never find. */
  private void refuseOtherBorders(int c) {
    switch (c) {
      case '<', '>' -> throw in.expected("\\b for a border of a word, or the character alone");
      case '`' -> throw in.expected("\\A for the start of a record, or the character alone");
      case '\'' -> throw in.expected("\\z for the end of a record, or the character alone");
      default -> {}
    }
  }

  private RegexNode escape() {
    int c = in.hasNext() ? in.peek() : -1;
    refuseOtherBorders(c);
    Assertion.@Nullable Kind kind =
        switch (c) {
          case 'A' -> Assertion.Kind.RECORD_START;
          case 'z' -> Assertion.Kind.RECORD_END;
          case 'b' -> Assertion.Kind.WORD_BORDER;
          case 'B' -> Assertion.Kind.NO_WORD_BORDER;
          default -> null;
        };
    if (kind != null) {
      in.next();
      return new Assertion(kind);
    }
    EscapeParser escapes = new EscapeParser(in, flags);
    return escapes
        .namedClass()
        .<RegexNode>map(Chars::new)
        .orElseGet(() -> literal(escapes.character()));
  }
}
