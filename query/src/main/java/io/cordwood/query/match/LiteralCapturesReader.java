package io.cordwood.query.match;

import io.cordwood.query.match.LiteralCaptures.Kind;
import io.cordwood.query.match.LiteralCaptures.Part;
import io.cordwood.query.match.RegexNode.Assertion;
import io.cordwood.query.match.RegexNode.Chars;
import io.cordwood.query.match.RegexNode.Choice;
import io.cordwood.query.match.RegexNode.Group;
import io.cordwood.query.match.RegexNode.Repeat;
import io.cordwood.query.match.RegexNode.Sequence;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds expressions that are {@link LiteralCaptures}:
 *
 * <pre>
 *   took (?&lt;ms&gt;\d+) ms           bytes of a set that does not begin the literal after it
 *   "(?&lt;path&gt;[^"]*)" (?&lt;rest&gt;.*)
 *   \A(?&lt;a&gt;.*?) - (?&lt;b&gt;.*?) "   all before the first of a literal
 * </pre>
 *
 * and what a pattern of LogQL is translated to, where each part may also end with the text. One
 * use, one thread.
 */
final class LiteralCapturesReader {
  /** The end of a text: docs/format/foreign.md says what may stand beside it. */
  private static final List<RegexNode> END =
      flat(RegexParser.parse("(?s)(?:  \\{(?:.|\\x{FFFD})*\\})?\\z", true, false));

  private static final RegexNode ANY = new Chars(CodePoints.ALL);
  private static final int REPLACEMENT = 0xFFFD;
  private static final int ASCII = 0x80;
  private static final boolean[] NO_SET = {};

  private List<RegexNode> nodes;
  private int at;
  private final List<Part> parts = new ArrayList<>();

  private LiteralCapturesReader(List<RegexNode> nodes) {
    this.nodes = nodes;
  }

  /** Empty if the expression is another one. */
  static Optional<LiteralCaptures> read(RegexNode expression) {
    return new LiteralCapturesReader(flat(expression)).whole();
  }

  private static List<RegexNode> flat(RegexNode node) {
    return node instanceof Sequence(List<RegexNode> all)
        ? all.stream().flatMap(each -> flat(each).stream()).toList()
        : List.of(node);
  }

  private Optional<LiteralCaptures> whole() {
    boolean anchored =
        !nodes.isEmpty() && nodes.getFirst().equals(new Assertion(Assertion.Kind.RECORD_START));
    at = anchored ? 1 : 0;
    byte[] first = literal();
    if (first.length == 0 && !anchored) {
      return Optional.empty();
    }
    while (at < nodes.size()) {
      Optional<Part> part = part();
      if (part.isEmpty() || !mayFollow(part.get().kind())) {
        return Optional.empty();
      }
      parts.add(part.get());
    }
    return Optional.of(new LiteralCaptures(anchored, first, List.copyOf(parts)));
  }

  /** After a part that could be longer, nothing may fail that would not fail then, too. */
  private boolean mayFollow(Kind kind) {
    Kind last = parts.isEmpty() ? kind : parts.getLast().kind();
    return switch (last) {
      case UNTIL -> kind == Kind.UNTIL || kind == Kind.REST;
      case UNTIL_OR_END -> kind == Kind.UNTIL_OR_END;
      case RUN -> kind != Kind.UNTIL_OR_END;
      case REST -> parts.isEmpty();
    };
  }

  private byte[] literal() {
    var text = new StringBuilder();
    while (at < nodes.size()
        && nodes.get(at) instanceof Chars(CodePoints set)
        && set.size() == 1
        && isCharacter(set.first(0))) {
      text.appendCodePoint(set.first(0));
      at++;
    }
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  /** Others are not in records as their own bytes, or also as bytes that are no UTF-8. */
  private static boolean isCharacter(int codePoint) {
    return codePoint != REPLACEMENT
        && !(codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE);
  }

  private Optional<Part> part() {
    RegexNode node = nodes.get(at);
    int group = node instanceof Group(RegexNode _, int index) ? index : -1;
    RegexNode body = node instanceof Group(RegexNode within, int _) ? within : node;
    if (!(body instanceof Repeat repeat) || repeat.max() != RegexNode.UNBOUNDED) {
      return Optional.empty();
    }
    at++;
    if (isAny(repeat.body())) {
      return repeat.min() > 0 ? Optional.empty() : repeat.greedy() ? rest(group) : until(group);
    }
    return repeat.body() instanceof Chars(CodePoints set)
        ? run(group, repeat, set)
        : Optional.empty();
  }

  private static boolean isAny(RegexNode node) {
    return node.equals(ANY)
        || (node instanceof Choice(List<RegexNode> branches)
            && branches.equals(List.of(ANY, new Chars(CodePoints.of(REPLACEMENT)))));
  }

  private Optional<Part> rest(int group) {
    return at < nodes.size()
        ? Optional.empty()
        : Optional.of(new Part(group, Kind.REST, NO_SET, 0, new byte[0]));
  }

  private Optional<Part> until(int group) {
    Kind kind = Kind.UNTIL;
    byte[] next = {};
    if (nodes.subList(at, nodes.size()).equals(END)) {
      at = nodes.size();
      return Optional.of(new Part(group, Kind.UNTIL_OR_END, NO_SET, 0, next));
    } else if (at == nodes.size() - 1
        && nodes.get(at) instanceof Choice(List<RegexNode> branches)
        && branches.size() == 2
        && flat(branches.getFirst()).equals(END)) {
      kind = Kind.UNTIL_OR_END;
      nodes = flat(branches.getLast());
      at = 0;
    }
    next = literal();
    return next.length == 0
        ? Optional.empty()
        : Optional.of(new Part(group, kind, NO_SET, 0, next));
  }

  /** Bytes are characters of ASCII, or those of all others are in the set. */
  private Optional<Part> run(int group, Repeat repeat, CodePoints set) {
    boolean beyond = set.containsRange(ASCII, CodePoints.MAX);
    boolean[] bytes = new boolean[256];
    for (int i = 0; i < set.rangeCount(); i++) {
      if (!beyond && set.last(i) >= ASCII) {
        return Optional.empty();
      }
      for (int each = set.first(i); each <= Math.min(set.last(i), bytes.length - 1); each++) {
        bytes[each] = true;
      }
    }
    byte[] next = literal();
    boolean isLast = at == nodes.size() && next.length == 0;
    boolean ends = next.length > 0 ? !bytes[next[0] & 0xFF] : isLast && repeat.greedy();
    return !ends || (beyond && repeat.min() > 1)
        ? Optional.empty()
        : Optional.of(new Part(group, Kind.RUN, bytes, repeat.min(), next));
  }
}
