package io.cordwood.query.fields;

import io.cordwood.common.segment.AnyOf;
import io.cordwood.query.match.Haystack;
import io.cordwood.query.match.Matcher;
import io.cordwood.query.match.Matchers;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Matches records that meet conditions on their fields, and in which a pattern is, or is not.
 * Fields are looked for only in records that hold the pattern, and one of a few literals without
 * which the conditions cannot be met.
 */
final class WhereMatcher implements Matcher {
  private final Where where;
  private final Matcher literals;
  private final boolean byLevel;
  private final Matcher wanted;
  private final @Nullable Matcher unwanted;
  private final List<AnyOf> required;

  WhereMatcher(Where where, int maxLiterals, Matcher wanted, @Nullable Matcher unwanted) {
    Where.Candidates candidates = where.candidates(maxLiterals);
    this.where = where;
    this.literals = Matchers.compile(candidates.literals());
    this.byLevel = candidates.byLevel();
    this.wanted = wanted;
    this.unwanted = unwanted;
    this.required = Stream.concat(wanted.required().stream(), where.required().stream()).toList();
  }

  /** From a record with the pattern to the next one with a literal, until they are the same. */
  @Override
  public int find(Haystack payloads, int from, int to, byte delimiter) {
    var record = new FieldFinder(where.extract());
    int searched = from;
    int literal = -1;
    while (searched < to) {
      int found = wanted.find(payloads, searched, to, delimiter);
      if (found < 0) {
        return -1;
      }
      int start = payloads.startOf(searched, found, delimiter);
      int end = payloads.endOf(found, to, delimiter);
      int behind = Math.min(end + 1, to);
      if (literal < start) {
        int next = literals.find(payloads, start, to, delimiter);
        literal = next < 0 ? Integer.MAX_VALUE : next;
      }
      boolean hasLiteral = literal < behind;
      if (!hasLiteral && !byLevel) {
        if (literal == Integer.MAX_VALUE) {
          return -1;
        }
        searched = payloads.startOf(behind, literal, delimiter);
        continue;
      }
      if (where.holds(record.in(payloads.array(start, end), start, end), hasLiteral)
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
