package io.cordwood.query.logql;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A text with names of labels in it: {@code {{.pod}}: {{.message}}}.
 *
 * @param text as it is written
 * @param between the texts before, between and after the names
 */
record Template(String text, List<String> between, List<String> names) {
  /** Stands for the line. */
  static final String LINE = "__line__";

  private static final Pattern ACTION =
      Pattern.compile("\\{\\{\\s*(?:\\.([A-Za-z_][A-Za-z0-9_.]*)|(__line__))\\s*}}");

  /** Reads one; what is no name is refused. */
  static Template of(String text, int at) {
    List<String> between = new ArrayList<>();
    List<String> names = new ArrayList<>();
    int end = 0;
    Matcher action = ACTION.matcher(text);
    while (action.find()) {
      between.add(plain(text.substring(end, action.start()), at));
      names.add(action.group(1) == null ? LINE : action.group(1));
      end = action.end();
    }
    between.add(plain(text.substring(end), at));
    return new Template(text, between, names);
  }

  /** The value of one label. */
  static Template ofName(String name) {
    return new Template("{{." + name + "}}", List.of("", ""), List.of(name));
  }

  private static String plain(String text, int at) {
    int begin = text.indexOf("{{");
    if (begin >= 0) {
      String found = text.substring(begin, Math.min(text.length(), begin + 40));
      throw new LogqlException(
          at, "template: expected {{.name}}, found " + found + ", which is not supported");
    }
    return text;
  }

  /** The text with values in it. */
  String with(UnaryOperator<String> value) {
    var all = new StringBuilder(between.getFirst());
    for (int i = 0; i < names.size(); i++) {
      all.append(value.apply(names.get(i))).append(between.get(i + 1));
    }
    return all.toString();
  }
}
