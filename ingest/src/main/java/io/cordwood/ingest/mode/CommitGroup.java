package io.cordwood.ingest.mode;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Batches of all connections that are written and forced together. For the committer's thread. */
final class CommitGroup {
  private final List<ByteBuffer> buffers = new ArrayList<>();
  private final Map<DurableWriter, Integer> batches = new LinkedHashMap<>();
  private long bytes;
  private long records;

  private CommitGroup() {}

  /** All that has arrived. */
  static CommitGroup take(List<DurableWriter> writers) {
    var group = new CommitGroup();
    writers.forEach(group::takeFrom);
    return group;
  }

  private void takeFrom(DurableWriter writer) {
    int count = 0;
    for (UnforcedBatch next = writer.poll(); next != null; next = writer.poll()) {
      buffers.add(next.buffer());
      bytes += next.fileBytes();
      records += next.records();
      count++;
    }
    if (count > 0) {
      batches.put(writer, count);
    }
  }

  boolean isEmpty() {
    return batches.isEmpty();
  }

  /** Headers and payloads, in the order of each connection. */
  ByteBuffer[] buffers() {
    return buffers.toArray(ByteBuffer[]::new);
  }

  long bytes() {
    return bytes;
  }

  long records() {
    return records;
  }

  /** Tells the loops that these batches were forced; they let go of them. */
  void forced() {
    batches.forEach(DurableWriter::forced);
  }

  /** Tells the loops that these batches never will be; they let go of them. */
  void lost() {
    batches.forEach(DurableWriter::lost);
  }
}
