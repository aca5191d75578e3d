package io.cordwood.common.segment;

import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.common.wire.Labels;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/**
 * Writes a store segment: header, blocks, filter, index, list, footer, front to back in one pass.
 *
 * <pre>
 *   16      header   {@link StoreSegmentHeader}
 *           blocks   {@link BlockHeader}, topic by topic in the order of their names, each topic in ULID order
 *           filter   {@link FilterBuilder}; which blocks can hold a substring
 *           index    {@link SegmentIndex}
 *           list     {@link BatchSection}; missing if it would be longer than 32 MiB
 *   96      footer   {@link SegmentFooter}
 * </pre>
 *
 * <p>Nothing is durable until the caller has forced the file and its folder. Memory: one block and
 * the filter's signatures, some 20 MiB, and some 8 bytes a batch. One thread, and one more while
 * that waits for it: a block is compressed here, and what the filter wants of it is found meanwhile
 * by whoever takes that on.
 */
public final class StoreSegmentWriter implements AutoCloseable {
  /** Nobody who helps. */
  public static final Executor ALONE = _ -> {};

  private final SegmentOutput output;
  private final Executor beside;
  private final BlockEncoder encoder = new BlockEncoder();
  private final FilterBuilder filter = new FilterBuilder(BlockEncoder.TARGET_RAW_BYTES);
  private final BatchSectionWriter list = new BatchSectionWriter();
  private final List<BlockInfo> blocks = new ArrayList<>();
  private @Nullable Topic topic;
  private Ulid lastFirst = Ulid.MIN;
  private Labels lastLabels = Labels.NONE;
  private long payloadBytes;
  private long records;

  /** Begins a segment at the file's present end, which must be its start, with nobody's help. */
  public StoreSegmentWriter(WritableByteChannel file) throws IOException {
    this(file, ALONE);
  }

  /**
   * Begins a segment at the file's present end, which must be its start.
   *
   * @param beside given a part of each block's work, and free not to run it; never waited for
   *     unless it has begun
   */
  public StoreSegmentWriter(WritableByteChannel file, Executor beside) throws IOException {
    this.output = new SegmentOutput(file);
    this.beside = beside;
    output.write(StoreSegmentHeader.encode(StoreSegmentHeader.VERSION));
  }

  /**
   * Adds a batch. Its payload is copied.
   *
   * @throws IllegalArgumentException if it does not come after the batch before: by topic, then by
   *     first ULID, then by labels
   * @throws IllegalStateException if it needs another block and {@link #isFull}
   */
  public void append(Batch batch) throws IOException {
    Topic previous = topic;
    boolean sameTopic = batch.topic().equals(previous);
    if (sameTopic ? !followsInTopic(batch) : !follows(batch.topic(), previous)) {
      throw new IllegalArgumentException(
          "batch %s %s %s does not come after %s %s %s"
              .formatted(
                  batch.topic(), batch.first(), batch.labels(), previous, lastFirst, lastLabels));
    }
    if (!sameTopic || encoder.isFullFor(batch)) {
      if (isFull()) {
        throw new IllegalStateException(
            "a segment has at most " + SegmentIndex.MAX_BLOCKS + " blocks, this would be one more");
      }
      finishBlock();
    }
    topic = batch.topic();
    lastFirst = batch.first();
    lastLabels = batch.labels();
    encoder.add(batch);
    list.add(batch);
    records += batch.records();
    payloadBytes += batch.payload().remaining();
  }

  private boolean followsInTopic(Batch batch) {
    int order = batch.first().compareTo(lastFirst);
    return order > 0 || (order == 0 && batch.labels().compareTo(lastLabels) > 0);
  }

  private static boolean follows(Topic next, @Nullable Topic previous) {
    return previous == null || next.compareTo(previous) > 0;
  }

  /** Payload bytes appended so far. */
  public long payloadBytes() {
    return payloadBytes;
  }

  /** Whether the format has no room for another block. */
  public boolean isFull() {
    return blocks.size() >= SegmentIndex.MAX_BLOCKS - 1;
  }

  /**
   * Writes what is left of the segment. The file is neither forced nor closed.
   *
   * @throws IllegalStateException if nothing was appended
   */
  public Summary finish() throws IOException {
    finishBlock();
    if (blocks.isEmpty()) {
      throw new IllegalStateException("a segment without records");
    }
    UlidRange range = blocks.stream().map(BlockInfo::range).reduce(UlidRange::union).orElseThrow();
    long filterOffset = output.offset();
    filter.writeTo(output::write);
    output.finish(
        filterOffset,
        blocks,
        list,
        (index, filtered) ->
            new SegmentFooter(
                index, filtered, records, payloadBytes, range, 0, StoreSegmentHeader.VERSION));
    return new Summary(range, blocks.size(), records, payloadBytes, output.offset());
  }

  /** The totals of a finished segment; {@code fileBytes} is the length of the file. */
  public record Summary(
      UlidRange range, int blocks, long records, long payloadBytes, long fileBytes) {}

  private void finishBlock() throws IOException {
    if (encoder.isEmpty()) {
      return;
    }
    ByteBuffer labels = encoder.labels();
    ByteBuffer payloads = encoder.payloads();
    var filtered = new FutureTask<>(() -> filter.addBlock(labels, payloads), Boolean.TRUE);
    beside.execute(filtered);
    BlockEncoder.Encoded encoded =
        encoder.finish(java.util.Objects.requireNonNull(topic), blocks.size(), output.offset());
    filtered.run(); // Does nothing if somebody has begun it.
    await(filtered);
    blocks.add(encoded.info());
    list.addTable(encoded.sets(), encoded.entries());
    output.write(encoded.bytes());
  }

  private static void await(FutureTask<?> task) throws IOException {
    try {
      task.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while a block was filtered");
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
  }

  @Override
  public void close() {
    encoder.close();
  }
}
