package io.cordwood.query.fields;

import io.cordwood.common.segment.AnyOf;
import io.cordwood.query.match.CaptureRun;
import io.cordwood.query.match.Captures;
import io.cordwood.query.match.PatternException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Regular expressions whose groups are fields of the records that they match. Two are equal if
 * their texts are. Immutable; safe for many threads.
 */
public final class Extract {
  /** There are none. */
  public static final Extract NONE = new Extract(List.of(), List.of());

  /** The most expressions. */
  static final int MAX_REGEXES = 8;

  /** The most groups of all of them. */
  static final int MAX_GROUPS = 32;

  private static final Set<String> TAKEN = Set.of(GroupField.TOPIC, GroupField.SHAPE, "time");

  private final List<String> texts;
  private final List<Captures> all;
  private final List<String> names;

  private Extract(List<String> texts, List<Captures> all) {
    this.texts = List.copyOf(texts);
    this.all = List.copyOf(all);
    this.names = all.stream().flatMap(one -> one.names().stream()).toList();
  }

  /**
   * Compiles expressions.
   *
   * @throws IllegalArgumentException if one is none, has no name of a field, or they are too many
   */
  public static Extract parse(List<String> texts) {
    if (texts.size() > MAX_REGEXES) {
      throw PatternException.tooMuch(
          "expected at most %d regular expressions, found %d".formatted(MAX_REGEXES, texts.size()));
    }
    List<Captures> all = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (String text : texts) {
      Captures captures = Captures.of(text);
      if (captures.names().isEmpty()) {
        throw new IllegalArgumentException(
            "expected a group with a name, such as (?<ms>\\d+), found none in \"" + text + "\"");
      }
      captures.names().forEach(name -> check(name, names));
      all.add(captures);
    }
    if (names.size() > MAX_GROUPS) {
      throw PatternException.tooMuch(
          "expected at most %d groups, found %d".formatted(MAX_GROUPS, names.size()));
    }
    return texts.isEmpty() ? NONE : new Extract(texts, all);
  }

  private static void check(String name, List<String> names) {
    if (TAKEN.contains(name) || Letters.isDigit((byte) name.charAt(0))) {
      throw new IllegalArgumentException(
          "expected the name of a field that begins with a letter, but not topic or time, found \""
              + name
              + "\"");
    }
    if (names.contains(name)) {
      throw new IllegalArgumentException("expected each name once, found \"" + name + "\" again");
    }
    names.add(name);
  }

  public List<String> texts() {
    return texts;
  }

  /** The names of all groups. */
  List<String> names() {
    return names;
  }

  /**
   * The field of a name: a group, or what records call so.
   *
   * @throws IllegalArgumentException if it is empty or too long
   */
  public FieldPath path(String name) {
    int group = names.indexOf(name);
    FieldPath path = FieldPath.of(name);
    return group < 0 ? path : path.extractedAs(group);
  }

  /** Literals in each record that has a group: all of these hold. */
  List<AnyOf> required(int group) {
    int rest = group;
    for (Captures one : all) {
      if (rest < one.names().size()) {
        return one.required();
      }
      rest -= one.names().size();
    }
    return List.of();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Extract that && texts.equals(that.texts);
  }

  @Override
  public int hashCode() {
    return texts.hashCode();
  }

  @Override
  public String toString() {
    return texts.toString();
  }

  /** Finds groups in one record after the other. For one thread. */
  final class Run {
    private final List<CaptureRun> runs = all.stream().map(CaptureRun::new).toList();
    private final boolean[] searched = new boolean[runs.size()];
    private final boolean[] found = new boolean[runs.size()];

    /** Another record comes. */
    void forget() {
      for (int i = 0; i < searched.length; i++) {
        searched[i] = false;
      }
    }

    /** Whether the record has a group, which is the value then. */
    boolean find(int group, byte[] bytes, int from, int to, FieldValue value) {
      int own = group;
      int at = 0;
      while (own >= all.get(at).names().size()) {
        own -= all.get(at).names().size();
        at++;
      }
      CaptureRun run = runs.get(at);
      if (!searched[at]) {
        searched[at] = true;
        found[at] = run.find(bytes, from, to);
      }
      return found[at]
          && run.start(own) >= 0
          && value.set(bytes, run.start(own), run.end(own), false);
    }
  }
}
