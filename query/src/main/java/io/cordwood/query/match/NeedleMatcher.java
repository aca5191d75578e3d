package io.cordwood.query.match;

import io.cordwood.common.segment.AnyOf;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Matches records that contain one of a few needles, and looks at each such record by a regular
 * expression if that is not enough.
 */
final class NeedleMatcher implements Matcher {
  /**
   * Several needles are searched for one after another in stretches of this size: small enough that
   * little is searched twice if one of them is frequent, and for the nearest cache.
   */
  private static final int STRETCH_BYTES = 4 * 1024;

  private final Needle[] needles;
  private final @Nullable RegexMatcher regex;
  private final List<AnyOf> required;
  private final Kernel kernel;

  NeedleMatcher(SearchPlan plan, RegexMatcher regex, List<AnyOf> required) {
    this(plan.needles(), plan.verify() ? regex : null, required, Kernels.BEST);
  }

  NeedleMatcher(
      List<Needle> needles, @Nullable RegexMatcher regex, List<AnyOf> required, Kernel kernel) {
    this.needles = needles.toArray(Needle[]::new);
    this.regex = regex;
    this.required = required;
    this.kernel = kernel;
  }

  static NeedleMatcher ofLiteral(byte[] literal) {
    AnyOf required = new AnyOf(List.of(Ascii.lower(literal)));
    return new NeedleMatcher(
        List.of(new Needle(literal, false)), null, List.of(required), Kernels.BEST);
  }

  @Override
  public int find(Haystack payloads, int from, int to, byte delimiter) {
    int candidate = candidate(payloads, from, to, delimiter);
    if (regex == null) {
      return candidate;
    }
    LazyDfa dfa = regex.dfa(delimiter);
    int searched = from;
    while (candidate >= 0) {
      int start = payloads.startOf(searched, candidate, delimiter);
      int end = Math.min(to, payloads.endOf(candidate, to, delimiter) + 1);
      int found = dfa.find(payloads.array(start, end), start, end);
      if (found >= 0) {
        return found;
      }
      searched = end;
      candidate = candidate(payloads, searched, to, delimiter);
    }
    return -1;
  }

  private int candidate(Haystack payloads, int from, int to, byte delimiter) {
    return needles.length == 1
        ? candidate(payloads, from, to, delimiter, needles[0])
        : firstOfAll(payloads, from, to, delimiter);
  }

  private int firstOfAll(Haystack payloads, int from, int to, byte delimiter) {
    int found = -1;
    for (int at = from; at < to && found < 0; at += STRETCH_BYTES) {
      int starts = Math.min(to - at, STRETCH_BYTES);
      for (Needle needle : needles) {
        int end = Math.min(to - at, starts + needle.length() - 1) + at;
        int nearest = candidate(payloads, at, end, delimiter, needle);
        if (nearest >= 0) {
          found = nearest;
          starts = nearest - at;
        }
      }
    }
    return found;
  }

  /** A needle that holds the delimiter is in no record, though it may be across two. */
  private int candidate(Haystack payloads, int from, int to, byte delimiter, Needle needle) {
    return needle.contains(delimiter) ? -1 : payloads.find(kernel, from, to, needle);
  }

  @Override
  public List<AnyOf> required() {
    return required;
  }
}
