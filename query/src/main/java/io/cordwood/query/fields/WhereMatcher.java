package io.cordwood.query.fields;

import io.cordwood.common.segment.AnyOf;
import io.cordwood.query.match.Haystack;
import io.cordwood.query.match.Matcher;
import io.cordwood.query.match.Matchers;
import io.cordwood.query.match.PatternSpec;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Matches records that meet conditions on their fields, and in which a pattern is, or is not.
 * Fields are looked for only in records that hold the pattern, or else a literal without which the
 * conditions cannot be met.
 */
public final class WhereMatcher implements Matcher {
  private final Where where;
  private final Matcher candidates;
  private final @Nullable Matcher unwanted;
  private final List<AnyOf> required;

  private WhereMatcher(
      Where where, Matcher candidates, @Nullable Matcher unwanted, List<AnyOf> required) {
    this.where = where;
    this.candidates = candidates;
    this.unwanted = unwanted;
    this.required = required;
  }

  /**
   * The matcher for a pattern and conditions. Without conditions it is the pattern's own, and finds
   * what is not wanted if that is inverted.
   *
   * @param invert whether records are wanted that do not match the pattern
   * @throws io.cordwood.query.match.PatternException if the pattern is refused
   */
  public static Matcher of(PatternSpec pattern, boolean invert, Where where) {
    Matcher matcher = Matchers.compile(pattern);
    if (where.isEmpty()) {
      return matcher;
    }
    List<AnyOf> required = where.required();
    if (invert || pattern.matchesEverything()) {
      Matcher candidates = Matchers.compile(where.candidates());
      return new WhereMatcher(where, candidates, invert ? matcher : null, required);
    }
    List<AnyOf> ofBoth = Stream.concat(matcher.required().stream(), required.stream()).toList();
    return new WhereMatcher(where, matcher, null, ofBoth);
  }

  @Override
  public int find(Haystack payloads, int from, int to, byte delimiter) {
    var record = new FieldFinder();
    int searched = from;
    while (searched < to) {
      int found = candidates.find(payloads, searched, to, delimiter);
      if (found < 0) {
        return -1;
      }
      int start = payloads.startOf(searched, found, delimiter);
      int end = payloads.endOf(found, to, delimiter);
      int behind = Math.min(end + 1, to);
      if (where.holds(record.in(payloads.array(start, end), start, end))
          && (unwanted == null || unwanted.find(payloads, start, behind, delimiter) < 0)) {
        return found;
      }
      searched = behind;
    }
    return -1;
  }

  @Override
  public List<AnyOf> required() {
    return required;
  }
}
