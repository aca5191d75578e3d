package io.cordwood.ingest.loki;

import io.cordwood.common.http.server.HttpError;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Labels as one text, as Prometheus writes them: <code>{app="shop", path="C:\\logs"}</code>.
 * Values, and names if need be, are quoted as texts of Go are. For one text and thread.
 */
final class LabelText {
  private static final int SHOWN_CHARS = 100;
  private static final int OCTAL_DIGITS = 3;

  private final byte[] text;
  private final byte[] value;
  private int at;

  private LabelText(byte[] text) {
    this.text = text;
    this.value = new byte[text.length];
  }

  /**
   * Reads them, in their order; of a name that is there twice, the last value.
   *
   * @throws HttpError 400 if they are not written so
   */
  static Map<String, String> parse(byte[] text) {
    var labels = new LabelText(text);
    return labels.all();
  }

  private Map<String, String> all() {
    var found = new LinkedHashMap<String, String>();
    if (peek() < 0) {
      return found;
    }
    expect('{');
    while (peek() != '}') {
      String name = name();
      expect('=');
      found.put(name, quoted());
      if (peek() != '}') {
        expect(',');
      }
    }
    expect('}');
    if (peek() >= 0) {
      throw bad("nothing after }");
    }
    return found;
  }

  /** The next character that is no blank, or -1 at the end. */
  private int peek() {
    while (at < text.length && (text[at] == ' ' || text[at] == '\t' || text[at] == '\n')) {
      at++;
    }
    return at < text.length ? text[at] & 0xff : -1;
  }

  private void expect(char wanted) {
    if (peek() != wanted) {
      throw bad(String.valueOf(wanted));
    }
    at++;
  }

  private String name() {
    int first = peek();
    if (first == '"' || first == '`') {
      return quoted();
    }
    int from = at;
    while (at < text.length && isOfName(text[at] & 0xff)) {
      at++;
    }
    if (at == from) {
      throw bad("a label's name");
    }
    return new String(text, from, at - from, StandardCharsets.UTF_8);
  }

  private static boolean isOfName(int each) {
    return each >= 0x80
        || (each >= 'a' && each <= 'z')
        || (each >= 'A' && each <= 'Z')
        || (each >= '0' && each <= '9')
        || "_.:-/".indexOf(each) >= 0;
  }

  private String quoted() {
    int quote = peek();
    if (quote != '"' && quote != '`') {
      throw bad("a quoted value");
    }
    at++;
    int size = 0;
    while (true) {
      int each = next();
      if (each == quote) {
        return new String(value, 0, size, StandardCharsets.UTF_8);
      }
      size = each == '\\' && quote == '"' ? escaped(size) : put(size, each);
    }
  }

  private int put(int size, int each) {
    value[size] = (byte) each;
    return size + 1;
  }

  private int next() {
    if (at == text.length) {
      throw bad("a quote at the end of a value");
    }
    return text[at++] & 0xff;
  }

  /** Writes what an escape means, which is never longer than itself. */
  private int escaped(int size) {
    int each = next();
    return switch (each) {
      case 'n' -> put(size, '\n');
      case 't' -> put(size, '\t');
      case 'r' -> put(size, '\r');
      case 'a' -> put(size, 7);
      case 'b' -> put(size, '\b');
      case 'f' -> put(size, '\f');
      case 'v' -> put(size, 11);
      case '\\', '"', '\'' -> put(size, each);
      case 'x' -> put(size, digits(2, 16));
      case 'u' -> character(size, digits(4, 16));
      case 'U' -> character(size, digits(8, 16));
      default -> octal(size);
    };
  }

  private int octal(int size) {
    at--;
    return put(size, digits(OCTAL_DIGITS, 8));
  }

  private int digits(int count, int radix) {
    int number = 0;
    for (int i = 0; i < count; i++) {
      int digit = Character.digit(next(), radix);
      if (digit < 0) {
        at--;
        throw bad(count + " digits after \\");
      }
      number = number * radix + digit;
    }
    return number;
  }

  private int character(int size, int code) {
    boolean isOne =
        Character.isValidCodePoint(code) && Character.getType(code) != Character.SURROGATE;
    String one = isOne ? Character.toString(code) : "\ufffd";
    byte[] bytes = one.getBytes(StandardCharsets.UTF_8);
    System.arraycopy(bytes, 0, value, size, bytes.length);
    return size + bytes.length;
  }

  private HttpError bad(String expected) {
    String whole = new String(text, StandardCharsets.UTF_8);
    String shown = whole.substring(0, Math.min(whole.length(), SHOWN_CHARS));
    return new HttpError(
        400, "labels: expected %s at byte %d, found %s".formatted(expected, at, shown));
  }
}
