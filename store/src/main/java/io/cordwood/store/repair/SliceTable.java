package io.cordwood.store.repair;

import io.cordwood.common.http.KnownParts;
import io.cordwood.common.segment.Fingerprint;
import io.cordwood.store.ByTopic;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;

/**
 * The contents of a store, by time slices; {@link SliceTableText} has its form as text.
 *
 * @param horizons before which records of a topic may be gone from this store
 * @param copies whether the store can make copies; a header of the answer says if it cannot
 * @param slices by number: a slice's start divided by the length
 * @param unknown stretches of slices of which not all is known, apart from each other
 */
record SliceTable(
    long lengthMillis,
    ByTopic<Instant> horizons,
    boolean copies,
    NavigableMap<Long, Fingerprint> slices,
    List<Stretch> unknown) {
  /** An odd number, by which lengths do not cancel each other. */
  private static final long SPREAD = 0x9E3779B97F4A7C15L;

  /** Slices from one number to another, both included. */
  record Stretch(long from, long to) {
    boolean contains(long slice) {
      return slice >= from && slice <= to;
    }
  }

  /** Before which no record may be there, whatever its topic. */
  Instant horizon() {
    return horizons.all().stream().min(Comparator.naturalOrder()).orElseThrow();
  }

  boolean isKnown(long slice) {
    return unknown.stream().noneMatch(stretch -> stretch.contains(slice));
  }

  boolean knowsAllBefore(Instant time) {
    return unknown.stream().noneMatch(stretch -> start(stretch.from).isBefore(time));
  }

  Fingerprint get(long slice) {
    return slices.getOrDefault(slice, Fingerprint.EMPTY);
  }

  Instant start(long slice) {
    return Instant.ofEpochMilli(slice * lengthMillis);
  }

  /** The slices, cut into parts by their numbers. */
  KnownParts parts(int count) {
    var parts = new KnownParts.Builder(count);
    slices.forEach((slice, print) -> parts.add(slice, hash(slice, print)));
    return parts.build();
  }

  private static long hash(long slice, Fingerprint print) {
    return print.hash(print.hash(slice) + print.records() * SPREAD + print.bytes());
  }
}
