package io.cordwood.query.logql;

import io.cordwood.query.match.CaptureRun;
import io.cordwood.query.match.Captures;
import io.cordwood.query.match.PatternException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Makes a label of another one, if its whole value matches a regular expression: {@code $1}, {@code
 * ${1}}, {@code $name} and {@code ${name}} in the new value are groups, {@code $$} is a dollar. An
 * expression takes linear time. Immutable.
 */
public final class LabelReplace {
  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
  private static final Pattern NAMED = Pattern.compile("\\?P?<([^>]*)>");
  private static final Pattern REFERENCE = Pattern.compile("\\$(?:\\$|(\\w+)|\\{(\\w+)})");
  private static final String PREFIX = "cordwood_group_";

  /** The longest value that is made, in characters. */
  private static final int MAX_CHARS = 64 << 10;

  private final List<String> texts;
  private final Captures captures;
  private final Map<String, Integer> groups;
  private final int at;

  private LabelReplace(List<String> texts, Captures captures, Map<String, Integer> groups, int at) {
    this.texts = texts;
    this.captures = captures;
    this.groups = groups;
    this.at = at;
  }

  /**
   * Reads one.
   *
   * @param at where the expression stands
   */
  static LabelReplace of(String target, String value, String source, String regex, int at) {
    if (!NAME.matcher(target).matches()) {
      throw new LogqlException(at, "expected the name of a label, found \"" + target + "\"");
    }
    Map<String, Integer> groups = new TreeMap<>();
    try {
      Captures captures = Captures.of("(?s)\\A(?:" + withNames(regex, groups) + ")\\z");
      return new LabelReplace(List.of(target, value, source, regex), captures, groups, at);
    } catch (PatternException e) {
      throw new LogqlException(at, "label_replace: ", e);
    }
  }

  /** Gives all groups names, which only named ones have numbers by. */
  private static String withNames(String regex, Map<String, Integer> groups) {
    var named = new StringBuilder();
    int count = 0;
    int inClass = -1;
    for (int i = 0; i < regex.length(); i++) {
      char next = regex.charAt(i);
      Matcher group = NAMED.matcher(regex).region(i + 1, regex.length());
      if (regex.startsWith("\\Q", i)) {
        int end = regex.indexOf("\\E", i);
        int after = end < 0 ? regex.length() : end + 2;
        named.append(regex, i, after);
        i = after - 1;
      } else if (next == '\\' && i + 1 < regex.length()) {
        named.append(next).append(regex.charAt(++i));
      } else if (next == '(' && inClass < 0 && (group.lookingAt() || !isNext(regex, i, '?'))) {
        if (group.lookingAt()) {
          groups.put(group.group(1), count);
          i = group.end() - 1;
        }
        groups.put(Integer.toString(count + 1), count);
        named.append("(?<").append(PREFIX).append(++count).append('>');
      } else {
        if (next == '[' && inClass < 0) {
          inClass = isNext(regex, i, '^') ? i + 2 : i + 1;
        } else if (next == ']' && i > inClass) {
          inClass = -1;
        }
        named.append(next);
      }
    }
    return named.toString();
  }

  private static boolean isNext(String text, int at, char wanted) {
    return at + 1 < text.length() && text.charAt(at + 1) == wanted;
  }

  /**
   * The labels with the new one; as they are if the other one does not match.
   *
   * @throws LogqlException if the new one is too long
   */
  public SortedMap<String, String> apply(SortedMap<String, String> labels) {
    byte[] value = labels.getOrDefault(texts.get(2), "").getBytes(StandardCharsets.UTF_8);
    var run = new CaptureRun(captures);
    if (!run.find(value, 0, value.length)) {
      return labels;
    }
    SortedMap<String, String> replaced = new TreeMap<>(labels);
    String made = made(run, value);
    if (made.isEmpty()) {
      replaced.remove(texts.getFirst());
    } else {
      replaced.put(texts.getFirst(), made);
    }
    return replaced;
  }

  private String made(CaptureRun run, byte[] value) {
    String text = texts.get(1);
    var made = new StringBuilder();
    Matcher reference = REFERENCE.matcher(text);
    int done = 0;
    while (reference.find()) {
      made.append(text, done, reference.start()).append(filled(reference, run, value));
      done = reference.end();
      if (made.length() > MAX_CHARS) {
        throw LogqlException.tooMuch(
            at,
            "label_replace: expected a label of at most " + MAX_CHARS + " characters, made more");
      }
    }
    return made.append(text, done, text.length()).toString();
  }

  private String filled(MatchResult found, CaptureRun run, byte[] value) {
    String name = found.group(1) == null ? found.group(2) : found.group(1);
    if (name == null) {
      return "$";
    } else if (name.equals("0")) {
      return new String(value, StandardCharsets.UTF_8);
    }
    Integer group = groups.get(name);
    return group == null || run.start(group) < 0
        ? ""
        : new String(
            value, run.start(group), run.end(group) - run.start(group), StandardCharsets.UTF_8);
  }

  @Override
  public String toString() {
    List<String> quoted = new ArrayList<>();
    texts.forEach(text -> quoted.add(Texts.quoted(text)));
    return String.join(", ", quoted);
  }
}
