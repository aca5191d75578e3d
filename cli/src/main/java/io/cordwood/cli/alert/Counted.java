package io.cordwood.cli.alert;

import java.util.Map;
import java.util.Optional;

/**
 * The numbers of records in a window.
 *
 * @param groups by labels; of a rule without groups, one without labels
 * @param mostElsewhere no other group has more records than that
 * @param doubt the reason why each number is a lower bound only; empty if it is exact
 */
public record Counted(
    Map<Map<String, String>, Long> groups, long mostElsewhere, Optional<String> doubt) {
  /** All records, counted together. */
  public static Counted all(long records, Optional<String> doubt) {
    return new Counted(Map.of(Map.of(), records), 0, doubt);
  }

  /** Nothing is known. */
  public static Counted failed(String reason) {
    return new Counted(Map.of(), 0, Optional.of(reason));
  }

  /** The records of the largest group. */
  long largest() {
    return groups.values().stream().mapToLong(Long::longValue).max().orElse(0);
  }

  boolean isExact() {
    return doubt.isEmpty();
  }

  long least(Map<String, String> group) {
    return groups.getOrDefault(group, 0L);
  }

  long most(Map<String, String> group) {
    return isExact() ? groups.getOrDefault(group, mostElsewhere) : Long.MAX_VALUE;
  }

  /** As {@link #most}, for groups that are not listed. */
  long mostOfOthers() {
    return isExact() ? mostElsewhere : Long.MAX_VALUE;
  }
}
