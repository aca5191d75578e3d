package io.cordwood.common.segment;

import io.cordwood.common.file.ByteSource;
import io.cordwood.common.ulid.Ulid;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Segments in memory, for the tests of the formats. */
public final class SegmentFiles {
  private SegmentFiles() {}

  /** Bytes that count as a file. */
  public static ByteSource.Unclosed file(byte[] bytes) {
    return ByteSource.of(ByteBuffer.wrap(bytes)).unclosed();
  }

  /** The batches in a store segment's order. */
  public static List<Batch> sorted(List<Batch> batches) {
    return batches.stream().sorted(BatchIdentity.ORDER).toList();
  }

  /** The bytes of a store segment that holds these batches, in this order. */
  public static byte[] storeSegment(List<Batch> batches) {
    var out = new ByteArrayOutputStream();
    try (var writer = new StoreSegmentWriter(Channels.newChannel(out))) {
      for (Batch batch : batches) {
        writer.append(batch);
      }
      writer.finish();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  /** All batches that a segment lists. */
  static List<BatchInfo> listed(StoreSegment segment) throws IOException {
    List<BatchInfo> all = new ArrayList<>();
    BatchLists lists = segment.lists().orElseThrow();
    for (BlockInfo block : segment.blocks()) {
      all.addAll(lists.of(block));
    }
    return all;
  }

  /** The settled form of a store segment. */
  public static byte[] settled(byte[] storeSegment) {
    var out = new ByteArrayOutputStream();
    try (var settler =
        new SegmentSettler(StoreSegment.open(file(storeSegment)), Channels.newChannel(out))) {
      while (settler.step() > 0) {
        // Another block.
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  /** The same segment as versions 1 and 2 have it. */
  public static byte[] withoutList(byte[] storeSegment) {
    try (var without = new SegmentWithoutBatches<>(file(storeSegment))) {
      var bytes = ByteBuffer.allocate((int) without.size());
      without.read(bytes, 0);
      return bytes.array();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The bytes of an ingest segment that holds these batches, in this order. */
  public static byte[] ingestSegment(List<Batch> batches) {
    var out = new ByteArrayOutputStream();
    out.writeBytes(new IngestSegmentHeader(new Ulid(1, 2)).encode().array());
    batches.forEach(batch -> out.writeBytes(batch.encode().array()));
    return out.toByteArray();
  }

  /** All batches of a stream, copied. */
  public static List<Batch> all(SegmentBatches stream) throws IOException {
    List<Batch> batches = new ArrayList<>();
    @Nullable Batch next;
    while ((next = stream.next()) != null) {
      batches.add(Records.copy(next));
    }
    return batches;
  }

  /** The batches of segments, each once, in order, copied. */
  public static List<Batch> merged(Collection<? extends Segment> segments) throws IOException {
    NavigableSet<Batch> merged = new TreeSet<>(BatchIdentity.ORDER);
    for (Segment segment : segments) {
      try (var batches = new SegmentBatches(segment)) {
        merged.addAll(all(batches));
      }
    }
    return List.copyOf(merged);
  }
}
