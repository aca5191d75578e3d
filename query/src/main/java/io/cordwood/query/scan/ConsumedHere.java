package io.cordwood.query.scan;

import io.cordwood.common.segment.Block;
import io.cordwood.common.segment.Block.BatchSpan;
import io.cordwood.common.segment.BlockDecoder;
import io.cordwood.common.segment.BlockInfo;
import io.cordwood.common.segment.Segment;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Ingest segments that a store of the same node has consumed, and that are not deleted yet. Records
 * are told apart by their ULIDs; sums of blocks cannot be, so they leave these segments out. A
 * store publishes what it has consumed in order, so a topic's first and last batch stand for those
 * between them. One thread.
 */
final class ConsumedHere implements AutoCloseable {
  private final List<Segment> stored = new ArrayList<>();
  private final BlockDecoder decoder = new BlockDecoder();

  private ConsumedHere(List<? extends Segment> segments) {
    segments.stream().filter(it -> !it.isUnconsumed()).forEach(stored::add);
  }

  /** The segments whose sums make up what the node holds, each batch once. */
  static List<Segment> leftOut(List<? extends Segment> segments) {
    try (var consumed = new ConsumedHere(segments)) {
      List<Segment> counted = new ArrayList<>(consumed.stored);
      for (Segment each : segments) {
        if (each.isUnconsumed() && !consumed.hasAllOf(each)) {
          counted.add(each);
        }
      }
      return counted;
    }
  }

  private boolean hasAllOf(Segment received) {
    Map<Topic, UlidRange> topics = new HashMap<>();
    try {
      received.blocks().forEach(it -> topics.merge(it.topic(), it.range(), UlidRange::union));
    } catch (IOException e) {
      return false; // Whoever counts its records is told.
    }
    return topics.entrySet().stream()
        .allMatch(
            it -> has(it.getKey(), it.getValue().from()) && has(it.getKey(), it.getValue().to()));
  }

  private boolean has(Topic topic, Ulid record) {
    var one = new UlidRange(record, record);
    for (Segment segment : stored) {
      try {
        if (segment.range().overlaps(one) && has(segment, topic, one)) {
          return true;
        }
      } catch (IOException e) {
        // Its records are counted where they can be read.
      }
    }
    return false;
  }

  private boolean has(Segment segment, Topic topic, UlidRange one) throws IOException {
    for (BlockInfo block : segment.blocks()) {
      if (block.topic().equals(topic)
          && block.range().overlaps(one)
          && has(segment.read(block, decoder), one)) {
        return true;
      }
    }
    return false;
  }

  private static boolean has(Block block, UlidRange one) throws IOException {
    for (int i = 0; i < block.batches(); i++) {
      BatchSpan batch = block.batch(i);
      if (UlidRange.of(batch.first(), batch.records()).overlaps(one)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void close() {
    decoder.close();
  }
}
