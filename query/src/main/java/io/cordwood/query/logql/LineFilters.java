package io.cordwood.query.logql;

import io.cordwood.query.match.PatternSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Line filters as a pattern, which has to match or must not, and conditions on the whole record,
 * where some have to match and others must not.
 *
 * @param invert whether records are wanted that do not match the pattern
 * @param conditions of which all have to hold
 */
record LineFilters(PatternSpec pattern, boolean invert, List<String> conditions) {
  /** The field of {@link #WHOLE}. */
  private static final String RECORD = "cordwood_record";

  /** A regular expression whose group is the whole record. */
  static final String WHOLE = "(?s)\\A(?<" + RECORD + ">(?:.|\\x{FFFD})*)\\z";

  private static final PatternSpec EVERYTHING = PatternSpec.literal("");

  static LineFilters of(List<Stage.Line> filters) {
    List<Stage.Line> wanted = filters.stream().filter(f -> !f.isNegative() && !isAny(f)).toList();
    List<Stage.Line> unwanted = filters.stream().filter(Stage.Line::isNegative).toList();
    if (wanted.isEmpty() && !unwanted.isEmpty()) {
      boolean regex = unwanted.stream().anyMatch(Stage.Line::isRegex);
      List<String> texts = unwanted.stream().flatMap(f -> texts(f, regex).stream()).toList();
      return new LineFilters(pattern(texts, regex), true, List.of());
    }
    List<String> conditions = new ArrayList<>();
    for (Stage.Line filter : unwanted) {
      String operator = filter.isRegex() ? " !~~ " : " !~ ";
      filter
          .patterns()
          .forEach(text -> conditions.add(RECORD + "?" + operator + Texts.quoted(text)));
    }
    return new LineFilters(all(wanted), false, conditions);
  }

  Optional<String> extract() {
    return conditions.isEmpty() ? Optional.empty() : Optional.of(WHOLE);
  }

  /** An empty text is in each line. */
  private static boolean isAny(Stage.Line filter) {
    return filter.patterns().contains("");
  }

  private static PatternSpec all(List<Stage.Line> wanted) {
    if (wanted.isEmpty()) {
      return EVERYTHING;
    }
    boolean severalOfSome = wanted.stream().filter(f -> f.patterns().size() > 1).count() > 1;
    boolean regex = severalOfSome || wanted.stream().anyMatch(Stage.Line::isRegex);
    List<Stage.Line> ordered = new ArrayList<>(wanted);
    ordered.sort((a, b) -> Integer.compare(b.patterns().size(), a.patterns().size()));
    List<String> and = ordered.stream().skip(1).map(filter -> one(texts(filter, regex))).toList();
    return pattern(texts(ordered.getFirst(), regex), regex).and(and);
  }

  private static String one(List<String> texts) {
    return texts.size() == 1
        ? texts.getFirst()
        : texts.stream().map(text -> "(?:" + text + ")").collect(Collectors.joining("|"));
  }

  private static List<String> texts(Stage.Line filter, boolean regex) {
    return filter.isRegex() || !regex
        ? filter.patterns()
        : filter.patterns().stream().map(Texts::asRegex).toList();
  }

  private static PatternSpec pattern(List<String> texts, boolean regex) {
    return new PatternSpec(texts, regex, false, PatternSpec.Extent.PART);
  }
}
