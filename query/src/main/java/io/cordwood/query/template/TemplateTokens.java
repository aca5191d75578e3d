package io.cordwood.query.template;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Goes through a template: from a text to the action after it, and through that. */
final class TemplateTokens {
  private static final Pattern SPACE = Pattern.compile("\\s*");
  private static final Pattern WORD = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
  private static final Pattern LABEL = Pattern.compile("\\.([A-Za-z_][A-Za-z0-9_.]*)");
  private static final Pattern STRING =
      Pattern.compile("\"((?:[^\"\\\\\\n]|\\\\.){0,65536}+)\"|`([^`]*+)`");
  private static final Pattern NUMBER =
      Pattern.compile("[+-]?(?:\\d+(?:\\.\\d*)?(?:[eE][+-]?\\d+)?|\\.\\d+)");
  private static final Pattern COMMENT = Pattern.compile("(?s)(?:-\\s)?\\s*/\\*.*?\\*/");
  private static final int SHOWN = 40;

  private final String text;
  private int at;
  private boolean inAction;
  private boolean trimsNext;

  TemplateTokens(String text) {
    this.text = text;
  }

  /** Whether there is an action after the text. */
  boolean isInAction() {
    return inAction;
  }

  /** The text up to the next action, or to the end; comments are left out. */
  String text() {
    var found = new StringBuilder();
    boolean trims = trimsNext;
    while (at < text.length()) {
      int begin = text.indexOf("{{", at);
      int end = begin < 0 ? text.length() : begin;
      boolean trimsRight = begin >= 0 && isHyphen(begin + 2, begin + 3);
      found.append(trimmed(text.substring(at, end), trims, trimsRight));
      at = begin < 0 ? end : begin + 2;
      inAction = begin >= 0;
      trims = false;
      if (begin < 0 || !comment()) {
        at += begin >= 0 && trimsRight ? 1 : 0;
        break;
      }
      trims = trimsNext;
    }
    trimsNext = false;
    return found.toString();
  }

  /** A hyphen that has a space on the side of the action. */
  private boolean isHyphen(int hyphen, int space) {
    return hyphen < text.length()
        && text.charAt(hyphen) == '-'
        && space < text.length()
        && Character.isWhitespace(text.charAt(space));
  }

  private static String trimmed(String text, boolean left, boolean right) {
    String rest = left ? text.stripLeading() : text;
    return right ? rest.stripTrailing() : rest;
  }

  /** Goes past a comment, if one is there. */
  private boolean comment() {
    Matcher comment = COMMENT.matcher(text).region(at, text.length());
    boolean there = comment.lookingAt();
    if (there) {
      at = comment.end();
      end();
    }
    return there;
  }

  /** The name that is next; empty if something else is. */
  String word() {
    space();
    Matcher word = WORD.matcher(text).region(at, text.length());
    return word.lookingAt() ? word.group() : "";
  }

  /** Goes over a word or sign, if it is next. */
  boolean skip(String wanted) {
    String word = word();
    boolean there = word.isEmpty() ? text.startsWith(wanted, at) : word.equals(wanted);
    at += there ? wanted.length() : 0;
    return there;
  }

  /** Whether a command is over: at its end, a pipe, or a parenthesis. */
  boolean isAtClose() {
    space();
    return at == text.length()
        || text.startsWith("}}", at)
        || text.startsWith("-}}", at)
        || text.charAt(at) == '|'
        || text.charAt(at) == ')';
  }

  /** Goes past the end of an action. */
  void end() {
    space();
    trimsNext = text.startsWith("-}}", at) && Character.isWhitespace(text.charAt(at - 1));
    at += trimsNext ? 1 : 0;
    if (!text.startsWith("}}", at)) {
      throw TemplateException.expected("}}", found());
    }
    at += 2;
    inAction = false;
  }

  Optional<String> label() {
    space();
    Matcher label = LABEL.matcher(text).region(at, text.length());
    if (!label.lookingAt()) {
      return Optional.empty();
    }
    at = label.end();
    return Optional.of(label.group(1));
  }

  /** A string or a number. */
  Term.Constant constant() {
    Matcher string = STRING.matcher(text).region(at, text.length());
    Matcher number = NUMBER.matcher(text).region(at, text.length());
    if (string.lookingAt()) {
      at = string.end();
      return new Term.Constant(
          string.group(1) == null ? string.group(2) : unescaped(string.group(1)));
    } else if (number.lookingAt()) {
      at = number.end();
      return new Term.Constant(number(number.group()));
    } else if (text.startsWith("$", at)) {
      throw TemplateException.unsupported("a variable");
    }
    throw TemplateException.expected("a label such as .name, a function or a text", found());
  }

  private static Object number(String digits) {
    try {
      return Long.valueOf(digits);
    } catch (NumberFormatException e) {
      return Double.valueOf(digits);
    }
  }

  private static String unescaped(String quoted) {
    var plain = new StringBuilder();
    for (int i = 0; i < quoted.length(); i++) {
      char next = quoted.charAt(i);
      if (next == '\\') {
        i++;
        next =
            switch (quoted.charAt(i)) {
              case 'n' -> '\n';
              case 't' -> '\t';
              case 'r' -> '\r';
              case '"' -> '"';
              case '\\' -> '\\';
              default -> throw TemplateException.unsupported("\\" + quoted.charAt(i));
            };
      }
      plain.append(next);
    }
    return plain.toString();
  }

  /** As it is shown in messages. */
  String found() {
    space();
    return at == text.length()
        ? "the end of the template"
        : text.substring(at, Math.min(text.length(), at + SHOWN));
  }

  private void space() {
    Matcher space = SPACE.matcher(text).region(at, text.length());
    if (space.lookingAt()) {
      at = space.end();
    }
  }
}
