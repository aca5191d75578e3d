package io.cordwood.query.match;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Puts a text in place of what a regular expression matches, as Go does: {@code $1}, {@code ${1}},
 * {@code $name} and {@code ${name}} in it are groups, {@code $0} is all that was matched, {@code
 * $$} a dollar. All matches of a text together take linear time; they are in its first {@link
 * CaptureRun#LOOKED_AT} bytes of UTF-8. Immutable; safe for many threads.
 */
public final class Substitution {
  private static final Pattern NAMED = Pattern.compile("\\?P?<([^>]*)>");
  private static final Pattern REFERENCE = Pattern.compile("\\$(?:\\$|(\\w+)|\\{(\\w+)})");
  private static final String PREFIX = "cordwood_group_";

  private final Captures captures;
  private final Map<String, Integer> groups;

  private Substitution(Captures captures, Map<String, Integer> groups) {
    this.captures = captures;
    this.groups = groups;
  }

  /**
   * Reads an expression for parts of a text.
   *
   * @throws PatternException if it is none, or too large
   */
  public static Substitution ofParts(String regex) {
    return of("", regex, "");
  }

  /**
   * Reads an expression for texts as a whole.
   *
   * @throws PatternException if it is none, or too large
   */
  public static Substitution ofWhole(String regex) {
    return of("(?s)\\A", regex, "\\z");
  }

  private static Substitution of(String before, String regex, String after) {
    RegexParser.parseGroups(regex, new ArrayList<>()); // errors name places in what was written
    Map<String, Integer> groups = new TreeMap<>(Map.of("0", 0));
    String named = "(?<" + PREFIX + "0>" + withNames(regex, groups) + ")";
    return new Substitution(Captures.of(before + named + after).byProgram(), groups);
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
        count++;
        if (group.lookingAt()) {
          groups.put(group.group(1), count);
          i = group.end() - 1;
        }
        groups.put(Integer.toString(count), count);
        named.append("(?<").append(PREFIX).append(count).append('>');
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

  /** How many parts of a text match. */
  public int count(String text) {
    int count = 0;
    var parts = new Parts(text);
    while (parts.next()) {
      count++;
    }
    return count;
  }

  /**
   * The text with another one in place of each part.
   *
   * @param made gets it, piece by piece
   */
  public void replaceAll(String text, String other, Consumer<String> made) {
    var parts = new Parts(text);
    int done = 0;
    while (parts.next()) {
      made.accept(parts.text(done, parts.start()));
      expand(other, parts, made);
      done = parts.end();
    }
    made.accept(done == 0 ? text : parts.text(done, parts.bytes.length));
  }

  /**
   * The other text for the first part that matches.
   *
   * @param made gets it, piece by piece
   * @return whether there is one
   */
  public boolean expandFirst(String text, String other, Consumer<String> made) {
    var parts = new Parts(text);
    boolean matches = parts.next();
    if (matches) {
      expand(other, parts, made);
    }
    return matches;
  }

  private void expand(String other, Parts parts, Consumer<String> made) {
    Matcher reference = REFERENCE.matcher(other);
    int done = 0;
    while (reference.find()) {
      made.accept(other.substring(done, reference.start()));
      made.accept(filled(reference, parts));
      done = reference.end();
    }
    made.accept(other.substring(done));
  }

  private String filled(MatchResult reference, Parts parts) {
    String name = reference.group(1) == null ? reference.group(2) : reference.group(1);
    if (name == null) {
      return "$";
    }
    Integer group = groups.get(name);
    return group == null ? "" : parts.group(group);
  }

  /** The parts of a text that match, from left to right. */
  private final class Parts {
    private final CaptureRun run = new CaptureRun(captures);
    private final byte[] bytes;
    private int from;
    private int lastEnd = -1;

    Parts(String text) {
      this.bytes = text.getBytes(StandardCharsets.UTF_8);
    }

    /** Whether there is one more; an empty one is none at the end of another. */
    boolean next() {
      while (lastEnd < 0
          ? run.find(bytes, 0, bytes.length)
          : run.findNext(bytes, 0, bytes.length, from)) {
        boolean isEmpty = start() == end();
        boolean isNext = !isEmpty || start() != lastEnd;
        lastEnd = end();
        from = isEmpty ? end() + 1 : end();
        if (isNext) {
          return true;
        }
      }
      return false;
    }

    int start() {
      return run.start(0);
    }

    int end() {
      return run.end(0);
    }

    String group(int group) {
      return run.start(group) < 0 ? "" : text(run.start(group), run.end(group));
    }

    String text(int from, int to) {
      return new String(bytes, from, to - from, StandardCharsets.UTF_8);
    }
  }
}
