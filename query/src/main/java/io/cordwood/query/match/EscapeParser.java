package io.cordwood.query.match;

import java.util.Optional;

/** Reads what stands after a backslash, inside and outside of classes. */
final class EscapeParser {
  private final PatternReader in;
  private final RegexFlags flags;

  EscapeParser(PatternReader in, RegexFlags flags) {
    this.in = in;
    this.flags = flags;
  }

  /**
   * Reads {@code \d} and its like or {@code \p{…}}; empty, and nothing read, if another follows.
   */
  Optional<CodePoints> namedClass() {
    if (!in.hasNext()) {
      return Optional.empty();
    }
    if (in.startsWith("p") || in.startsWith("P")) {
      return Optional.of(unicode(in.next() == 'P'));
    }
    int letter = in.peek();
    Optional<CodePoints> perl = NamedClasses.perl(Character.toLowerCase(letter));
    perl.ifPresent(set -> in.next());
    return perl.map(set -> folded(set, Character.isUpperCase(letter)));
  }

  private CodePoints unicode(boolean negated) {
    int start = in.position();
    boolean braces = in.skip('{');
    boolean caret = braces && in.skip('^');
    String name = braces ? in.until('}', "\"}\"") : Character.toString(in.next());
    Optional<CodePoints> set = NamedClasses.unicode(name);
    if (set.isEmpty()) {
      in.reset(start);
      throw in.expected("a Unicode category or script");
    }
    return folded(set.get(), negated != caret);
  }

  CodePoints folded(CodePoints set, boolean negated) {
    CodePoints closed = flags.ignoreCase() ? CaseFolding.close(set) : set;
    return negated ? closed.negate() : closed;
  }

  /** Reads an escape that stands for one character. */
  int character() {
    int start = in.position();
    int c = in.next();
    return switch (c) {
      case 'a' -> 0x07;
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'v' -> 0x0B;
      case 'x' -> hex();
      case '0' -> octal(0, 2);
      case '1', '2', '3', '4', '5', '6', '7' -> backReferenceOrOctal(start, c);
      default -> punctuation(start, c);
    };
  }

  private int backReferenceOrOctal(int start, int c) {
    boolean octal = in.hasNext() && in.peek() >= '0' && in.peek() <= '7';
    if (!octal) {
      in.reset(start);
      throw in.expected("no back-reference (it has no linear time)");
    }
    return octal(c - '0', 2);
  }

  private int octal(int first, int maxDigits) {
    int value = first;
    for (int i = 0; i < maxDigits && in.hasNext() && in.peek() >= '0' && in.peek() <= '7'; i++) {
      value = 8 * value + (in.next() - '0');
    }
    return value;
  }

  private int hex() {
    int start = in.position();
    String digits = in.skip('{') ? in.until('}', "\"}\"") : twoCharacters();
    try {
      int value = digits.startsWith("+") ? -1 : Integer.parseInt(digits, 16);
      if (Character.isValidCodePoint(value)) {
        return value;
      }
    } catch (NumberFormatException notHex) {
      // refused below, like a number that is no character
    }
    in.reset(start);
    throw in.expected("hexadecimal digits of a character: \\x41 or \\x{1F600}");
  }

  private String twoCharacters() {
    return Character.toString(in.next()) + Character.toString(in.next());
  }

  private int punctuation(int start, int c) {
    if (c < 0x80 && (!Ascii.isWord(c) || c == '_')) {
      return c;
    }
    in.reset(start);
    throw in.expected("an escape that RE2 knows");
  }
}
