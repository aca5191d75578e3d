package io.cordwood.query.scan;

import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.wire.Labels;
import io.cordwood.query.result.BlockHits;
import java.util.List;

/**
 * Hits that stand for what the index says instead of a record: their bytes are a summary's, of
 * numbers, and an LF as after any record.
 */
final class Summaries {
  private static final byte LF = '\n';

  private Summaries() {}

  /** Some summaries that have the same place in the order of answers. */
  static BlockHits hits(Topic topic, Ulid first, List<byte[]> summaries) {
    return hits(topic, Labels.NONE, first, summaries);
  }

  /** Those of batches with these labels. */
  static BlockHits hits(Topic topic, Labels labels, Ulid first, List<byte[]> summaries) {
    int[] ends = new int[summaries.size()];
    int length = 0;
    for (int i = 0; i < ends.length; i++) {
      length += summaries.get(i).length + 1;
      ends[i] = length;
    }
    byte[] bytes = new byte[length];
    for (int i = 0; i < ends.length; i++) {
      byte[] summary = summaries.get(i);
      System.arraycopy(summary, 0, bytes, ends[i] - 1 - summary.length, summary.length);
      bytes[ends[i] - 1] = LF;
    }
    var group = new BlockHits.Group(first, labels, 0, ends.length);
    return new BlockHits(topic, bytes, ends, new int[0], List.of(group));
  }
}
