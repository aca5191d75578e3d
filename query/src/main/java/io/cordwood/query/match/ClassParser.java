package io.cordwood.query.match;

import java.util.Optional;

/** Reads a class of characters in brackets, from after the first bracket. */
final class ClassParser {
  private final PatternReader in;
  private final EscapeParser escapes;
  private final int start;

  ClassParser(PatternReader in, RegexFlags flags) {
    this.in = in;
    this.escapes = new EscapeParser(in, flags);
    this.start = in.position();
  }

  CodePoints read() {
    boolean negated = in.skip('^');
    CodePoints set = item();
    while (!in.skip(']')) {
      set = set.union(item());
    }
    return negated ? set.negate() : set;
  }

  private CodePoints item() {
    if (!in.hasNext()) {
      throw in.expected("\"]\" for the class that begins at character " + start);
    }
    refuseCollation(".");
    refuseCollation("=");
    Optional<CodePoints> named = in.startsWith("[:") ? posix() : perl();
    return named.isPresent() ? named.get() : range();
  }

  /** Refuses POSIX's elements such as {@code [.a.]}, which would silently be other characters. */
  private void refuseCollation(String mark) {
    int before = in.position();
    if (!in.skip("[" + mark)) {
      return;
    }
    while (in.hasNext() && in.peek() != ']' && !in.startsWith(mark + "]")) {
      in.next();
    }
    boolean collates = in.position() > before + 2 && in.startsWith(mark + "]");
    in.reset(before);
    if (collates) {
      throw in.expected("\"\\[\" for a bracket, or a POSIX class such as [:alpha:]");
    }
  }

  private Optional<CodePoints> perl() {
    int before = in.position();
    Optional<CodePoints> named = in.skip('\\') ? escapes.namedClass() : Optional.empty();
    if (named.isEmpty()) {
      in.reset(before);
    }
    return named;
  }

  private Optional<CodePoints> posix() {
    int before = in.position();
    in.skip("[:");
    boolean negated = in.skip('^');
    StringBuilder name = new StringBuilder();
    while (in.hasNext() && Ascii.isWord(in.peek())) {
      name.append((char) in.next());
    }
    if (!in.skip(":]")) {
      in.reset(before);
      return Optional.empty();
    }
    Optional<CodePoints> set = NamedClasses.posix(name.toString());
    if (set.isEmpty()) {
      in.reset(before);
      throw in.expected("a POSIX class such as [:alpha:]");
    }
    return set.map(found -> escapes.folded(found, negated));
  }

  private CodePoints range() {
    int before = in.position();
    int first = character();
    int last = first;
    if (in.startsWith("-") && !in.startsWith("-]")) {
      in.next();
      last = character();
    }
    if (last < first) {
      in.reset(before);
      throw in.expected("a range whose first character is not after its last");
    }
    return escapes.folded(CodePoints.range(first, last), false);
  }

  private int character() {
    return in.skip('\\') ? escapes.character() : in.next();
  }
}
