package io.cordwood.query.logql;

import io.cordwood.query.match.PatternException;
import io.cordwood.query.match.Substitution;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Makes a label of another one, if its whole value matches a regular expression. Immutable. */
public final class LabelReplace {
  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  /** The longest value that is made, in characters. */
  private static final int MAX_CHARS = 64 << 10;

  private final List<String> texts;
  private final Substitution substitution;
  private final int at;

  private LabelReplace(List<String> texts, Substitution substitution, int at) {
    this.texts = texts;
    this.substitution = substitution;
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
    try {
      List<String> texts = List.of(target, value, source, regex);
      return new LabelReplace(texts, Substitution.ofWhole(regex), at);
    } catch (PatternException e) {
      throw new LogqlException(at, "label_replace: ", e);
    }
  }

  /**
   * The labels with the new one; as they are if the other one does not match.
   *
   * @throws LogqlException if the new one is too long
   */
  public SortedMap<String, String> apply(SortedMap<String, String> labels) {
    var made = new StringBuilder();
    String source = labels.getOrDefault(texts.get(2), "");
    if (!substitution.expandFirst(source, texts.get(1), piece -> append(made, piece))) {
      return labels;
    }
    SortedMap<String, String> replaced = new TreeMap<>(labels);
    if (made.isEmpty()) {
      replaced.remove(texts.getFirst());
    } else {
      replaced.put(texts.getFirst(), made.toString());
    }
    return replaced;
  }

  private void append(StringBuilder made, String piece) {
    made.append(piece);
    if (made.length() > MAX_CHARS) {
      throw LogqlException.tooMuch(
          at, "label_replace: expected a label of at most " + MAX_CHARS + " characters, made more");
    }
  }

  @Override
  public String toString() {
    List<String> quoted = new ArrayList<>();
    texts.forEach(text -> quoted.add(Texts.quoted(text)));
    return String.join(", ", quoted);
  }
}
