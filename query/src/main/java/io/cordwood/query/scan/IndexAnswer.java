package io.cordwood.query.scan;

import io.cordwood.common.segment.BlockInfo;
import io.cordwood.common.segment.Segment;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.query.request.Query;
import io.cordwood.query.request.Query.Detail;
import io.cordwood.query.result.BlockHits;
import io.cordwood.query.result.HitSink;
import io.cordwood.query.result.ScanStats;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Answers questions that segments' indexes answer; no block is read. */
final class IndexAnswer {
  private static final Comparator<TopicSummary> BY_FIRST =
      Comparator.<TopicSummary, Ulid>comparing(s -> s.range().from())
          .thenComparing(TopicSummary::topic);

  private static final Comparator<BlockRef> BLOCKS_BY_FIRST =
      Comparator.<BlockRef, Ulid>comparing(ref -> ref.info().range().from())
          .thenComparing(ref -> ref.info().topic());

  private IndexAnswer() {}

  /** Gives what {@link Detail} says that is asked for, in the order of answers. */
  static void give(Query query, List<? extends Segment> held, ScanStats stats, HitSink sink)
      throws IOException {
    List<? extends Segment> segments =
        query.detail().sumsCopies() ? ConsumedHere.leftOut(held) : held;
    if (!query.topics().labels().isEmpty()) {
      giveTopics(LabelAnswer.ofTopics(query, segments, stats), sink);
      return;
    }
    List<BlockRef> blocks = new ArrayList<>();
    for (Segment segment : segments) {
      for (BlockInfo block : ScanPlan.blocks(query, segment, stats)) {
        blocks.add(new BlockRef(segment, block));
      }
    }
    if (query.detail() == Detail.INDEX) {
      giveBlocks(blocks, stats, sink);
    } else {
      giveTopics(blocks.stream().map(block -> TopicSummary.of(block.info())).toList(), sink);
    }
  }

  private static void giveTopics(List<TopicSummary> parts, HitSink sink) throws IOException {
    Map<Topic, TopicSummary> topics = new HashMap<>();
    for (TopicSummary next : parts) {
      topics.merge(next.topic(), next, TopicSummary::plus);
    }
    for (TopicSummary next : topics.values().stream().sorted(BY_FIRST).toList()) {
      Ulid first = next.range().from();
      if (!give(Summaries.hits(next.topic(), first, List.of(next.encode())), sink)) {
        return;
      }
    }
  }

  /** Those that begin with the same batch together; one that cannot be read is left out. */
  private static void giveBlocks(List<BlockRef> blocks, ScanStats stats, HitSink sink)
      throws IOException {
    blocks.sort(BLOCKS_BY_FIRST);
    for (int at = 0; at < blocks.size(); ) {
      BlockInfo first = blocks.get(at).info();
      List<byte[]> same = new ArrayList<>();
      for (; at < blocks.size() && beginWithTheSame(first, blocks.get(at).info()); at++) {
        summary(blocks.get(at), stats).ifPresent(same::add);
      }
      if (!same.isEmpty()
          && !give(Summaries.hits(first.topic(), first.range().from(), same), sink)) {
        return;
      }
    }
  }

  private static Optional<byte[]> summary(BlockRef ref, ScanStats stats) {
    try {
      return Optional.of(BlockSummary.of(ref.segment(), ref.info()).encode());
    } catch (IOException e) {
      ScanPlan.unreadable(ref, e, stats);
      return Optional.empty();
    }
  }

  private static boolean beginWithTheSame(BlockInfo one, BlockInfo other) {
    return one.range().from().equals(other.range().from()) && one.topic().equals(other.topic());
  }

  private static boolean give(BlockHits hits, HitSink sink) throws IOException {
    return sink.accept(hits, hits.groups().getFirst());
  }
}
