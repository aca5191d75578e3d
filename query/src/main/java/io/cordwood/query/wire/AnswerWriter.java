package io.cordwood.query.wire;

import io.cordwood.common.segment.SegmentSource.Evicted;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.segment.Varints;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.common.wire.Labels;
import io.cordwood.query.request.Query.Detail;
import io.cordwood.query.result.BatchId;
import io.cordwood.query.result.BlockHits;
import io.cordwood.query.result.HitSink;
import io.cordwood.query.result.ScanStats;
import io.cordwood.query.result.SearchProgress;
import io.cordwood.query.result.Stop;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Writes an answer's {@link AnswerFrame}s. What is written goes out when a chunk of the stream is
 * full, or after some milliseconds. For the query's own thread.
 */
public final class AnswerWriter implements HitSink {
  private static final long FLUSH_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
  private static final long ALIVE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** For a number, and for a place and a length together. */
  private static final int MAX_VARINT_BYTES = 10;

  private static final int MAX_HEAD_BYTES = 3 * MAX_VARINT_BYTES + 1 + Topic.MAX_BYTES + Ulid.BYTES;

  private static final int MAX_NODE_BYTES = 1 + KnownNode.MAX_ID_BYTES + 1 + 2 * Long.BYTES;

  private final OutputStream out;
  private final Detail detail;
  private final boolean labelled;
  private final AnswerLabels known = new AnswerLabels();
  private @Nullable BatchId last;
  private ByteBuffer payload = ByteBuffer.allocate(1 << 10);
  private @Nullable Topic topic;
  private Ulid passed = Ulid.MIN;
  private Ulid told = Ulid.MIN;
  private long flushedNanos = System.nanoTime();
  private boolean pending;

  /**
   * @param labelled whether the reader takes labels; one that does not takes one batch of each
   *     topic and first ULID, so that it is not given others
   */
  public AnswerWriter(OutputStream out, Detail detail, boolean labelled) {
    this.out = out;
    this.detail = detail;
    this.labelled = labelled;
  }

  /** To be called once, first; sends it. */
  public void head(Optional<Instant> stampTime, List<KnownNode> known) throws IOException {
    ByteBuffer start = ByteBuffer.allocate(Integer.BYTES + 1);
    out.write(start.putInt(AnswerFrame.MAGIC).put((byte) AnswerFrame.VERSION).array());
    begin(1 + Long.BYTES + (long) known.size() * MAX_NODE_BYTES);
    payload.put(AnswerFrame.code(detail));
    payload.putLong(stampTime.map(Instant::toEpochMilli).orElse(-1L));
    known.forEach(this::putNode);
    write(AnswerFrame.HEAD);
    flush();
  }

  private void putNode(KnownNode node) {
    byte[] id = node.nodeId().getBytes(StandardCharsets.US_ASCII);
    payload.put((byte) id.length).put(id);
    payload.put((byte) ((node.ingests() ? 1 : 0) | (node.stores() ? 2 : 0)));
    payload.putLong(node.goneSinceMillis()).putLong(node.replicatedFromMillis());
  }

  @Override
  public boolean accept(BlockHits hits, BlockHits.Group group) throws IOException {
    if (!labelled && isOfSameUlid(hits.id(group))) {
      return true;
    }
    boolean withLabels = labelled && !group.labels().isEmpty();
    begin(MAX_HEAD_BYTES);
    if (withLabels) {
      putLabels(group.labels());
    }
    putTopic(hits.topic());
    group.first().put(payload, payload.position());
    payload.position(payload.position() + Ulid.BYTES);
    Varints.put(payload, group.size());
    if (detail.hasBytes()) {
      putRecords(hits, group);
    }
    write(withLabels ? AnswerFrame.LABELLED : AnswerFrame.HITS);
    passed = group.first();
    told = passed;
    flushIfDue();
    return true;
  }

  private boolean isOfSameUlid(BatchId next) {
    BatchId before = last;
    last = next;
    return before != null
        && before.first().equals(next.first())
        && before.topic().equals(next.topic());
  }

  private void putLabels(Labels labels) {
    int number = known.number(labels);
    Varints.put(payload, number);
    if (number == known.next()) {
      makeRoom(labels.bytes().length + (long) MAX_HEAD_BYTES);
      Varints.put(payload, labels.bytes().length);
      payload.put(labels.bytes());
      known.add(labels);
    }
  }

  private void putTopic(Topic next) {
    byte[] name =
        next.equals(topic) ? new byte[0] : next.name().getBytes(StandardCharsets.US_ASCII);
    payload.put((byte) name.length).put(name);
    topic = next;
  }

  private void putRecords(BlockHits hits, BlockHits.Group group) {
    makeRoom((long) group.size() * MAX_VARINT_BYTES + hits.bytes(group));
    int before = 0;
    for (int hit = group.from(); hit < group.to(); hit++) {
      if (detail == Detail.ULIDS) {
        Varints.put(payload, hits.place(hit) - before);
        before = hits.place(hit);
      }
      Varints.put(payload, hits.length(hit));
    }
    hits.copy(group, payload);
  }

  @Override
  public void passed(Ulid ulid) throws IOException {
    passed = ulid;
    if (System.nanoTime() - flushedNanos >= FLUSH_NANOS) {
      tellPassed();
    }
  }

  /** Nothing is found for now: keeps the reader from giving up. */
  @Override
  public void idle() throws IOException {
    stillSearching();
  }

  /** Reports that a node that is followed is still searching. */
  public void stillSearching() throws IOException {
    long silent = System.nanoTime() - flushedNanos;
    if (silent >= ALIVE_NANOS || (silent >= FLUSH_NANOS && told.isBefore(passed))) {
      tellPassed();
    } else {
      flushIfDue();
    }
  }

  private void tellPassed() throws IOException {
    told = passed;
    begin(Ulid.BYTES);
    passed.put(payload, 0);
    payload.position(Ulid.BYTES);
    write(AnswerFrame.PASSED);
    flush();
  }

  /** For a node that is followed: a number of records were received and not searched. */
  public void missed(long records) throws IOException {
    begin(Long.BYTES);
    payload.putLong(records);
    write(AnswerFrame.MISSED);
  }

  /** Not all was searched. */
  public void stopped(Stop stop) throws IOException {
    begin(1 + 2 * Ulid.BYTES);
    putRange(AnswerFrame.code(stop.limit()), stop.unsearched());
    write(AnswerFrame.STOPPED);
  }

  /** Records were let go that a bucket has. */
  public void evicted(Evicted gone) throws IOException {
    byte[] place = gone.place().getBytes(StandardCharsets.UTF_8);
    begin(1 + 2 * Ulid.BYTES + (long) place.length);
    putRange(AnswerFrame.EVICTED, gone.range());
    payload.put(place);
    write(AnswerFrame.STOPPED);
  }

  private void putRange(byte code, UlidRange range) {
    payload.put(code);
    range.from().put(payload, 1);
    range.to().put(payload, 1 + Ulid.BYTES);
    payload.position(1 + 2 * Ulid.BYTES);
  }

  /** The search has come so far; sends it. */
  public void advanced(SearchProgress progress) throws IOException {
    begin(AnswerFrame.PROGRESS_NUMBERS * Long.BYTES);
    payload.putLong(progress.blocks()).putLong(progress.blocksDone());
    payload.putLong(progress.bytes()).putLong(progress.bytesDone());
    write(AnswerFrame.PROGRESS);
    flush();
  }

  /** To be called once, last. */
  public void end(ScanStats.Snapshot stats) throws IOException {
    begin(AnswerFrame.STATISTICS * Long.BYTES);
    ScanStats.Blocks blocks = stats.blocks();
    payload.putLong(stats.segments()).putLong(blocks.all()).putLong(blocks.skipped());
    payload.putLong(blocks.read()).putLong(blocks.damaged()).putLong(stats.bytesRead());
    payload.putLong(stats.bytesScanned()).putLong(stats.bytesInRange());
    payload.putLong(stats.recordsInRange());
    write(AnswerFrame.END);
  }

  private void begin(long bytes) {
    payload.clear();
    makeRoom(bytes);
  }

  private void makeRoom(long bytes) {
    long wanted = payload.position() + bytes;
    if (wanted > payload.capacity()) {
      int capacity = Math.toIntExact(Math.max(wanted, 2L * payload.capacity()));
      payload = ByteBuffer.allocate(capacity).put(payload.flip());
    }
  }

  private void write(byte kind) throws IOException {
    payload.flip();
    var checksum = new CRC32C();
    checksum.update(kind);
    checksum.update(payload.array(), 0, payload.limit());
    ByteBuffer head = ByteBuffer.allocate(AnswerFrame.FRAME_HEAD_BYTES);
    head.put(kind).putInt(payload.limit()).putInt((int) checksum.getValue());
    out.write(head.array());
    out.write(payload.array(), 0, payload.limit());
    pending = true;
  }

  private void flushIfDue() throws IOException {
    if (pending && System.nanoTime() - flushedNanos >= FLUSH_NANOS) {
      flush();
    }
  }

  /** Sends what was written so far. */
  public void flush() throws IOException {
    out.flush();
    flushedNanos = System.nanoTime();
    pending = false;
  }
}
