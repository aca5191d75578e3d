package io.cordwood.query;

import io.cordwood.common.segment.BlockInfo;
import io.cordwood.common.segment.Segment;
import io.cordwood.common.segment.Topic;
import java.io.IOException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Answers questions that segments' indexes answer; no block is read. */
final class IndexAnswer {
  private static final Comparator<TopicSummary> ORDER =
      Comparator.<TopicSummary, io.cordwood.common.ulid.Ulid>comparing(s -> s.range().from())
          .thenComparing(TopicSummary::topic);

  private IndexAnswer() {}

  /** Gives what {@link Query.Detail} says that is asked for, in the order of answers. */
  static void give(
      Query query, List<? extends Segment> segments, ScanStats stats, HitMerger.Sink sink)
      throws IOException {
    Map<Topic, TopicSummary> topics = new HashMap<>();
    for (Segment segment : segments) {
      for (BlockInfo block : ScanPlan.wanted(query, segment, stats)) {
        topics.merge(block.topic(), TopicSummary.of(block), TopicSummary::plus);
      }
    }
    for (TopicSummary topic : topics.values().stream().sorted(ORDER).toList()) {
      BlockHits hits = Summaries.hits(topic.topic(), topic.range().from(), List.of(topic.encode()));
      if (!sink.accept(hits, hits.groups().getFirst())) {
        return;
      }
    }
  }
}
