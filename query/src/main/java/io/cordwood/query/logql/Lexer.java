package io.cordwood.query.logql;

import io.cordwood.query.logql.Token.Kind;
import java.util.ArrayList;
import java.util.List;

/** Cuts a query into its parts. */
final class Lexer {
  /** The longest query, in characters. */
  static final int MAX_CHARS = 64 << 10;

  /** Longer ones first, where one begins like another. */
  private static final List<String> SIGNS =
      List.of(
          "|=", "|~", "|>", "!=", "!~", "!>", "==", "=~", ">=", "<=", "{", "}", "(", ")", "[", "]",
          ",", "=", ">", "<", "|", "+", "-", "*", "/", "%", "^", "@");

  private final String text;
  private final List<Token> tokens = new ArrayList<>();
  private int at;

  private Lexer(String text) {
    this.text = text;
  }

  /** All parts, and an end. */
  static List<Token> tokens(String text) {
    if (text.length() > MAX_CHARS) {
      throw LogqlException.tooMuch(
          MAX_CHARS,
          "expected at most %d characters, found %d".formatted(MAX_CHARS, text.length()));
    }
    var lexer = new Lexer(text);
    while (lexer.skipSpace()) {
      lexer.tokens.add(lexer.next());
    }
    lexer.tokens.add(new Token(Kind.END, "", text.length()));
    return lexer.tokens;
  }

  /** Whether something follows white space and comments. */
  private boolean skipSpace() {
    while (at < text.length()) {
      char next = text.charAt(at);
      if (next == '#') {
        int end = text.indexOf('\n', at);
        at = end < 0 ? text.length() : end;
      } else if (Character.isWhitespace(next)) {
        at++;
      } else {
        return true;
      }
    }
    return false;
  }

  private Token next() {
    char first = text.charAt(at);
    if (first == '"') {
      return quoted();
    } else if (first == '`') {
      return raw();
    } else if (isDigit(first)
        || (first == '.' && at + 1 < text.length() && isDigit(text.charAt(at + 1)))) {
      return number();
    } else if (isOfName(first)) {
      return name();
    }
    for (String sign : SIGNS) {
      if (text.startsWith(sign, at)) {
        at += sign.length();
        return new Token(Kind.SIGN, sign, at - sign.length());
      }
    }
    throw new LogqlException(at, "expected a part of LogQL, found \"" + first + "\"");
  }

  /** Names of fields of nested objects have dots. */
  private Token name() {
    int start = at;
    while (at < text.length()
        && (isOfName(text.charAt(at)) || isDigit(text.charAt(at)) || text.charAt(at) == '.')) {
      at++;
    }
    return new Token(Kind.NAME, text.substring(start, at), start);
  }

  /** A number, its unit after it, and further ones: {@code 1h30m}. */
  private Token number() {
    int start = at;
    while (at < text.length() && (isOfNumber(text.charAt(at)) || isExponentSign())) {
      at++;
    }
    return new Token(Kind.NUMBER, text.substring(start, at), start);
  }

  private boolean isExponentSign() {
    char sign = text.charAt(at);
    char before = text.charAt(at - 1);
    return (sign == '+' || sign == '-')
        && (before == 'e' || before == 'E')
        && isDigit(text.charAt(at - 2))
        && at + 1 < text.length()
        && isDigit(text.charAt(at + 1));
  }

  private static boolean isOfNumber(char next) {
    return isDigit(next) || next == '.' || Character.isLetter(next);
  }

  private static boolean isDigit(char next) {
    return next >= '0' && next <= '9';
  }

  private static boolean isOfName(char next) {
    return (next >= 'a' && next <= 'z') || (next >= 'A' && next <= 'Z') || next == '_';
  }

  private Token raw() {
    int start = at;
    int end = text.indexOf('`', start + 1);
    if (end < 0) {
      throw new LogqlException(start, "expected an end of the string that begins here");
    }
    at = end + 1;
    return new Token(Kind.STRING, text.substring(start + 1, end), start);
  }

  private Token quoted() {
    int start = at;
    var between = new StringBuilder();
    at++;
    while (at < text.length() && text.charAt(at) != '"') {
      char next = text.charAt(at++);
      if (next == '\n') {
        throw new LogqlException(start, "expected a string on one line, or in backquotes");
      } else if (next == '\\') {
        between.appendCodePoint(escaped());
      } else {
        between.append(next);
      }
    }
    if (at == text.length()) {
      throw new LogqlException(start, "expected an end of the string that begins here");
    }
    at++;
    return new Token(Kind.STRING, between.toString(), start);
  }

  /** As in Go. */
  private int escaped() {
    if (at == text.length()) {
      throw new LogqlException(at - 1, "expected a character after the backslash");
    }
    char next = text.charAt(at++);
    return switch (next) {
      case 'a' -> 7;
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'v' -> 11;
      case '\\', '"', '\'' -> next;
      case 'x' -> code(2, 16, 0x7F);
      case 'u' -> code(4, 16, Character.MAX_CODE_POINT);
      case 'U' -> code(8, 16, Character.MAX_CODE_POINT);
      case '0', '1', '2', '3' -> {
        at--;
        yield code(3, 8, 0x7F);
      }
      default ->
          throw new LogqlException(at - 2, "expected an escape such as \\n, found \\" + next);
    };
  }

  private int code(int digits, int radix, int max) {
    int end = Math.min(at + digits, text.length());
    String number = text.substring(at, end);
    try {
      int code = number.length() == digits ? Integer.parseInt(number, radix) : -1;
      if (code >= 0 && code <= max && !number.startsWith("+")) {
        at = end;
        return code;
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw new LogqlException(
        at - 1, "expected the number of a character after the backslash, found " + number);
  }
}
