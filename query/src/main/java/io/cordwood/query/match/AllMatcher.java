package io.cordwood.query.match;

import io.cordwood.common.segment.AnyOf;
import java.util.List;

/** Matches records that each of several matchers finds. */
final class AllMatcher implements Matcher {
  private final List<Matcher> all;

  AllMatcher(List<Matcher> all) {
    this.all = List.copyOf(all);
  }

  /** From the next record of one to the next of another, until they are the same. */
  @Override
  public int find(Haystack payloads, int from, int to, byte delimiter) {
    int record = from;
    int same = 0;
    int hit = -1;
    for (int i = 0; same < all.size() && record < to; i = (i + 1) % all.size()) {
      hit = all.get(i).find(payloads, record, to, delimiter);
      if (hit < 0) {
        return -1;
      }
      int start = payloads.startOf(record, hit, delimiter);
      same = start == record ? same + 1 : 1;
      record = start;
    }
    return same == all.size() ? hit : -1;
  }

  @Override
  public List<AnyOf> required() {
    return all.stream().flatMap(one -> one.required().stream()).toList();
  }
}
