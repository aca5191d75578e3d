package io.cordwood.query.logql;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Makes regular expressions of texts that name parts of lines. A pattern, {@code <ip> - <_>
 * "<method> <path>"}, begins where the line does; each part ends before the first of the text that
 * follows it, and the first of which that is not there has all the rest. What stands beside a line
 * is no part of it.
 */
final class LinePattern {
  private static final Pattern NAME = Pattern.compile("<([A-Za-z_][A-Za-z0-9_]*)>");
  private static final Pattern GROUP = Pattern.compile("\\?P?<([^>]*)>");
  private static final String NONE = "_";

  /** At the end of a pattern it means nothing, and what a line has there need not be looked at. */
  private static final String REST = "<_>";

  private static final String PART = "(?:.|\\x{FFFD})*?";
  private static final String END = "(?:  \\{(?:.|\\x{FFFD})*\\})?\\z";

  private LinePattern() {}

  /** Reads the pattern of a stage. */
  static Stage.Capture pattern(String text, int at) {
    List<String> labels = new ArrayList<>();
    var regex = new StringBuilder("(?s)\\A");
    String looked = text.endsWith(REST) ? text.substring(0, text.length() - REST.length()) : text;
    Matcher name = NAME.matcher(looked);
    int end = 0;
    int parts = 0;
    while (name.find()) {
      String before = looked.substring(end, name.start());
      if (parts > 0 && before.isEmpty()) {
        throw new LogqlException(at, "expected a text between two parts, found none");
      }
      regex.append(parts == 0 ? Texts.asRegex(before) : "(?:" + END + "|" + Texts.asRegex(before));
      regex.append(group(name.group(1), labels, at)).append(PART).append(')');
      parts++;
      end = name.end();
    }
    if (labels.isEmpty()) {
      throw new LogqlException(at, "expected a part with a name, such as <method>, found none");
    }
    String rest = looked.substring(end);
    if (!looked.equals(text) && rest.isEmpty() && parts > 0) {
      throw new LogqlException(at, "expected a text between two parts, found none");
    }
    regex.append("(?:").append(END).append(rest.isEmpty() ? "" : "|" + Texts.asRegex(rest));
    regex.append(')').append(")".repeat(parts - 1));
    return new Stage.Capture("pattern", text, List.copyOf(labels), regex.toString(), at);
  }

  /** Reads the pattern of a filter, whose parts have no names, and may be empty. */
  static Stage.LineText filter(String text, int at) {
    if (NAME.matcher(text).results().anyMatch(part -> !part.group().equals(REST))) {
      throw new LogqlException(at, "expected no part but <_> in a pattern of lines");
    } else if (text.contains(REST + REST)) {
      throw new LogqlException(at, "expected a text between two parts, found none");
    } else if (text.equals(REST)) {
      return new Stage.LineText(Texts.quoted(text), text, List.of(""));
    }
    String begin = text.startsWith(REST) ? "(?s)" : "(?s)\\A";
    String regex =
        Stream.of(text.split(REST, -1))
            .filter(each -> !each.isEmpty())
            .map(Texts::asRegex)
            .collect(Collectors.joining(PART, begin, text.endsWith(REST) ? "" : END));
    return new Stage.LineText(Texts.quoted(text), text, List.of(regex));
  }

  private static String group(String name, List<String> labels, int at) {
    if (name.equals(NONE)) {
      return "(?:";
    } else if (labels.contains(name)) {
      throw new LogqlException(at, "expected each name once, found " + name + " again");
    }
    labels.add(name);
    return "(?<" + Stage.Capture.PREFIX + name + ">";
  }

  /** Reads the regular expression of a stage. */
  static Stage.Capture regexp(String text, int at) {
    List<String> labels = new ArrayList<>();
    var regex = new StringBuilder();
    boolean inClass = false;
    for (int i = 0; i < text.length(); i++) {
      char next = text.charAt(i);
      Matcher group = GROUP.matcher(text).region(i + 1, text.length());
      if (next == '\\' && i + 1 < text.length()) {
        regex.append(next).append(text.charAt(++i));
      } else if (next == '(' && !inClass && group.lookingAt()) {
        regex.append(group(group.group(1), labels, at));
        i = group.end() - 1;
      } else {
        inClass = next == '[' || (inClass && next != ']');
        regex.append(next);
      }
    }
    if (labels.isEmpty()) {
      throw new LogqlException(
          at, "expected a group with a name, such as (?P<ms>\\\\d+), found none");
    }
    return new Stage.Capture("regexp", text, List.copyOf(labels), regex.toString(), at);
  }
}
