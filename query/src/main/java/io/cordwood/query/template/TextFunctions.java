package io.cordwood.query.template;

import io.cordwood.query.match.Substitution;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;

/** Functions of texts. Places and lengths count characters as Java's strings do. */
final class TextFunctions {
  /** The most characters of padding. */
  static final int MAX_WIDTH = 1000;

  private TextFunctions() {}

  static String lower(String text) {
    return text.toLowerCase(Locale.ROOT);
  }

  static String upper(String text) {
    return text.toUpperCase(Locale.ROOT);
  }

  /** Words begin with capitals. */
  static String title(String text) {
    var made = new StringBuilder();
    boolean inWord = false;
    for (int i = 0; i < text.length(); i++) {
      char next = text.charAt(i);
      made.append(inWord ? next : Character.toTitleCase(next));
      inWord = Character.isLetterOrDigit(next) || next == '_' || next == '\'';
    }
    return made.toString();
  }

  /** Without characters of some at its ends. */
  static String trim(String text, String chars, boolean left, boolean right) {
    int from = 0;
    int to = text.length();
    while (left && from < to && chars.indexOf(text.charAt(from)) >= 0) {
      from++;
    }
    while (right && to > from && chars.indexOf(text.charAt(to - 1)) >= 0) {
      to--;
    }
    return text.substring(from, to);
  }

  static String withoutPrefix(String text, String prefix) {
    return text.startsWith(prefix) ? text.substring(prefix.length()) : text;
  }

  static String withoutSuffix(String text, String suffix) {
    return text.endsWith(suffix) ? text.substring(0, text.length() - suffix.length()) : text;
  }

  /**
   * Another text in place of each.
   *
   * @param most of them; all if it is negative
   */
  static String replaced(String text, String each, String other, int most) {
    var made = new BoundedText();
    int end = 0;
    if (!each.isEmpty()) {
      for (int count = 0; count != most; count++) {
        int at = text.indexOf(each, end);
        if (at < 0) {
          break;
        }
        made.append(text, end, at).append(other);
        end = at + each.length();
      }
    }
    return made.append(text, end, text.length()).toString();
  }

  /** Another text, with its groups, in place of each part that matches. */
  static String replaced(Substitution regex, String text, String other) {
    var made = new BoundedText();
    regex.replaceAll(text, other, made::append);
    return made.toString();
  }

  static String repeated(int times, String text) {
    int count = Math.max(0, times);
    BoundedText.check(Math.clamp((long) count * text.length(), 0, Integer.MAX_VALUE));
    return text.repeat(count);
  }

  /** With spaces before each of its lines. */
  static String indented(int width, String text) {
    String spaces = " ".repeat(Math.clamp(width, 0, MAX_WIDTH));
    return spaces + replaced(text, "\n", "\n" + spaces, -1);
  }

  /** The first characters of a text; the last if the number is negative. */
  static String cut(int length, String text) {
    if (length < 0) {
      return text.substring(Math.max(0, text.length() + length));
    }
    return text.substring(0, Math.min(length, text.length()));
  }

  /** From its beginning or to its end if a place is negative. */
  static String part(int from, int to, String text) {
    int begin = Math.clamp(from, 0, text.length());
    int end = to < 0 ? text.length() : Math.min(to, text.length());
    return text.substring(begin, Math.max(begin, end));
  }

  /** How many bytes of UTF-8 it has. */
  static long bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  /**
   * As many characters of it, or more spaces: its first ones on the left, its last on the right.
   */
  static String aligned(int width, String text, boolean left) {
    int length = Math.clamp(width, 0, MAX_WIDTH);
    String cut = cut(left || length == 0 ? length : -length, text);
    return padded(cut, length, left);
  }

  /** With spaces on one side. */
  static String padded(String text, int width, boolean left) {
    String spaces = " ".repeat(Math.max(0, Math.min(width, MAX_WIDTH) - text.length()));
    return left ? text + spaces : spaces + text;
  }

  static String urlEncoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  /** The text itself if it is not encoded so. */
  static String urlDecoded(String text) {
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return text;
    }
  }

  static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  /** The text itself if it is not encoded so. */
  static String ofBase64(String text) {
    try {
      return new String(Base64.getDecoder().decode(text), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return text;
    }
  }
}
