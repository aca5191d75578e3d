package io.cordwood.store.keep;

import io.cordwood.common.cold.BucketPlace;
import io.cordwood.common.segment.SegmentSource.Evicted;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.store.segment.StoreLog;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Up to which time records went since a bucket has them, for each place. Kept in a file over
 * restarts and losses of power. One thread changes it, any may ask.
 *
 * <pre>
 *   MILLIS SPACE PLACE LF    what is older may be there alone; one line for each place
 * </pre>
 */
final class EvictedRanges {
  /** Written by versions that did not note it. */
  private static final String UNKNOWN_PLACE = "";

  private final HorizonFile file;
  private volatile Map<String, Instant> before;

  /**
   * @param path of the file in which it is kept
   */
  EvictedRanges(StoreLog log, Path path) {
    this.file = new HorizonFile(log, path);
    this.before = file.read(EvictedRanges::parse, Map.of(), it -> Map.of(UNKNOWN_PLACE, it));
  }

  private static Map<String, Instant> parse(String text) {
    Map<String, Instant> read = new TreeMap<>();
    for (String line : text.lines().toList()) {
      String[] words = line.split(" ", 2);
      Instant time = Instant.ofEpochMilli(Long.parseLong(words[0]));
      read.merge(words.length < 2 ? UNKNOWN_PLACE : words[1], time, EvictedRanges::later);
    }
    return Map.copyOf(read);
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }

  /** The time before which records may be gone; {@link Instant#MIN} if none are. */
  Instant before() {
    return before.values().stream().max(Comparator.naturalOrder()).orElse(Instant.MIN);
  }

  /** Notes that records up to this time are about to go; when this returns, that is durable. */
  void goes(UlidRange range, BucketPlace place) throws IOException {
    Instant next = HorizonFile.after(range);
    Map<String, Instant> all = new TreeMap<>(before);
    Instant known = all.getOrDefault(place.toString(), Instant.MIN);
    if (!next.isAfter(known)) {
      return;
    }
    all.put(place.toString(), next);
    before = Map.copyOf(all);
    var text = new StringBuilder();
    all.forEach((at, time) -> {
      text.append(time.toEpochMilli());
      text.append(at.equals(UNKNOWN_PLACE) ? "" : " " + at).append('\n');
    });
    file.write(text.toString());
  }

  /**
   * The ranges of records that are gone and would be there by their age.
   *
   * @param horizon what is older is gone by its age
   */
  List<Evicted> since(Instant horizon) {
    return before.entrySet().stream()
        .filter(it -> HorizonFile.isBeyond(horizon, it.getValue()))
        .map(it -> new Evicted(HorizonFile.between(horizon, it.getValue()), it.getKey()))
        .toList();
  }
}
