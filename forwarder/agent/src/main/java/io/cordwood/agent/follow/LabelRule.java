package io.cordwood.agent.follow;

import io.cordwood.common.wire.Labels;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/** Which labels a file's lines have: those of all files, and what a pattern finds in its path. */
public final class LabelRule {
  /** No labels for any file. */
  public static final LabelRule NONE = all(Labels.NONE);

  private final Labels ofAll;
  private final @Nullable Pattern pattern;
  private final Set<String> names;

  private LabelRule(Labels ofAll, @Nullable Pattern pattern, Set<String> names) {
    this.ofAll = ofAll;
    this.pattern = pattern;
    this.names = names;
  }

  /** A rule that gives all files the same labels. */
  public static LabelRule all(Labels labels) {
    return new LabelRule(labels, null, Set.of());
  }

  /**
   * The rule that finds more labels in the path; one of all files, of the same name, gives way.
   *
   * @param regex is looked for in the whole path; each of its named groups is a label
   * @throws IllegalArgumentException when it is none, or has no group with a label's name
   */
  public static LabelRule pattern(Labels ofAll, String regex) {
    try {
      Pattern pattern = Pattern.compile(regex);
      Set<String> names = new TreeSet<>(pattern.namedGroups().keySet());
      if (names.isEmpty()) {
        throw new IllegalArgumentException(
            "expected a named group, as in /pods/(?<namespace>[^_]+)_, found " + regex);
      }
      names.forEach(Labels::checkName);
      return new LabelRule(ofAll, pattern, names);
    } catch (PatternSyntaxException e) {
      throw new IllegalArgumentException(
          "expected a regular expression, found " + regex + ": " + e.getDescription(), e);
    }
  }

  /** Those of all files. */
  Labels ofAll() {
    return ofAll;
  }

  /** Whether the pattern, if there is one, is in a file's path. */
  boolean matches(Path file) {
    return pattern == null || pattern.matcher(file.toString()).find();
  }

  /**
   * The labels of a file's lines. Without what the pattern finds, if that is nothing.
   *
   * @throws IllegalArgumentException when what the pattern finds cannot be labels
   */
  Labels of(Path file) {
    Matcher matcher = pattern == null ? null : pattern.matcher(file.toString());
    if (matcher == null || !matcher.find()) {
      return ofAll;
    }
    Map<String, String> pairs = new TreeMap<>(ofAll.pairs());
    for (String name : names) {
      String value = matcher.group(name);
      if (value != null) {
        pairs.put(name, value);
      }
    }
    return Labels.of(pairs);
  }
}
