package io.cordwood.store.segment;

import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The name of a store segment's file.
 *
 * <pre>
 *   ULID.active          being written; the ULID is made for the file
 *   FROM-TO.flushed      the ULIDs of the first and of the last record
 *   FROM-TO-N.flushed    the same for the Nth segment with that range, N from 2
 *   FROM-TO.trashed, FROM-TO.damaged, FROM-TO.restored, each with -N if need be
 * </pre>
 *
 * <p>The range in a name is for people; what the segment's footer says is what counts.
 *
 * @param stem the name without its ending
 */
public record SegmentName(String stem, StoreSegmentState state) {
  private static final Pattern STEM =
      Pattern.compile("([0-9A-Z]{26}-[0-9A-Z]{26})(-[2-9]|-[1-9][0-9]{1,8})?");

  /** The name of a file being written. */
  static SegmentName active(Ulid id) {
    return new SegmentName(id.toString(), StoreSegmentState.ACTIVE);
  }

  /** The {@code number}th name for a range, from 1. */
  static SegmentName of(UlidRange range, int number, StoreSegmentState state) {
    return new SegmentName(number == 1 ? range.toString() : range + "-" + number, state);
  }

  /** Reads a file's name; empty if it is no segment's. */
  public static Optional<SegmentName> parse(String fileName) {
    for (StoreSegmentState state : StoreSegmentState.values()) {
      if (fileName.endsWith(state.ending())) {
        String stem = fileName.substring(0, fileName.length() - state.ending().length());
        return isStem(stem, state) ? Optional.of(new SegmentName(stem, state)) : Optional.empty();
      }
    }
    return Optional.empty();
  }

  /** The range of its records by the name; everything, if it is still being written. */
  public UlidRange range() {
    var parts = STEM.matcher(stem);
    return parts.matches() ? UlidRange.parse(parts.group(1)).orElse(UlidRange.ALL) : UlidRange.ALL;
  }

  private static boolean isStem(String stem, StoreSegmentState state) {
    if (state == StoreSegmentState.ACTIVE) {
      return Ulid.isValid(stem);
    }
    var parts = STEM.matcher(stem);
    return parts.matches() && UlidRange.parse(parts.group(1)).isPresent();
  }

  /** The file's name. */
  @Override
  public String toString() {
    return stem + state.ending();
  }
}
