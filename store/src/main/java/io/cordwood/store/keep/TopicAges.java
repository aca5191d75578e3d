package io.cordwood.store.keep;

import io.cordwood.common.segment.BlockInfo;
import io.cordwood.common.segment.StoreSegment;
import io.cordwood.common.segment.Topic;
import io.cordwood.store.ByTopic;
import io.cordwood.store.segment.LiveSegment;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * How old segments are, by how long their topics are kept: the time of the newest record of each
 * retention that they have records of. Read from a segment's index once; memory: some 100 bytes for
 * each segment that was asked for. One thread.
 */
final class TopicAges {
  /** Nothing is beyond its time. */
  static final Expired NONE = new Expired(List.of(), false);

  private final ByTopic<Duration> retention;
  private final Map<StoreSegment, Map<Duration, Instant>> newest = new HashMap<>();

  TopicAges(ByTopic<Duration> retention) {
    this.retention = retention;
  }

  /** Forgets segments that are not among these. */
  void retain(Collection<LiveSegment> live) {
    newest
        .keySet()
        .retainAll(live.stream().map(LiveSegment::segment).collect(Collectors.toUnmodifiableSet()));
  }

  /**
   * The retentions of which a segment holds older records only.
   *
   * @throws IOException if its index cannot be read
   */
  Expired expired(LiveSegment segment, Instant now) throws IOException {
    Map<Duration, Instant> ages = newest.get(segment.segment());
    if (ages == null) {
      ages = read(segment.segment().blocks());
      newest.put(segment.segment(), ages);
    }
    List<Duration> over =
        ages.entrySet().stream()
            .filter(age -> age.getValue().isBefore(now.minus(age.getKey())))
            .map(Map.Entry::getKey)
            .toList();
    return new Expired(over, over.size() == ages.size());
  }

  /**
   * Retentions that are over.
   *
   * @param isAll whether the segment holds nothing else
   */
  record Expired(List<Duration> retentions, boolean isAll) {
    /** Those that are over by a second witness, too: the time when the segment was written. */
    Expired and(Instant written, Instant now) {
      List<Duration> both =
          retentions.stream().filter(each -> written.isBefore(now.minus(each))).toList();
      return new Expired(both, isAll && both.size() == retentions.size());
    }
  }

  /** Whether a topic is not among those whose time is over. */
  Predicate<Topic> kept(Expired expired) {
    return topic -> !expired.retentions.contains(retention.of(topic));
  }

  private Map<Duration, Instant> read(List<BlockInfo> blocks) {
    var ages = new TreeMap<Duration, Instant>();
    for (BlockInfo block : blocks) {
      ages.merge(
          retention.of(block.topic()), block.range().to().time(), (a, b) -> a.isAfter(b) ? a : b);
    }
    return Map.copyOf(ages);
  }
}
