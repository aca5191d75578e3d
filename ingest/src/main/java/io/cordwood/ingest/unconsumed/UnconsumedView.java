package io.cordwood.ingest.unconsumed;

import io.cordwood.common.file.ReadableFile;
import io.cordwood.common.segment.IngestBlocks;
import io.cordwood.common.segment.IngestLayout;
import io.cordwood.common.segment.Segment;
import io.cordwood.common.segment.SegmentSource;
import io.cordwood.common.segment.SegmentSource.Lack;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.ingest.segment.IngestLog;
import io.cordwood.ingest.segment.PinnedSegment;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Unconsumed segments that stay readable, whatever becomes of them, until this is closed. Their
 * files are open as long as not too many are; the others are pinned, and opened for each read. What
 * does not fit into memory is left out, and is {@link #lack lacking}. One thread fills it.
 */
final class UnconsumedView implements SegmentSource.View {
  private final IngestLog log;
  private final ViewRoom room;
  private final List<Segment> segments = new ArrayList<>();
  private final List<Closeable> held = new ArrayList<>();
  private long bytes;
  private Optional<UlidRange> leftOut = Optional.empty();
  private int lacking;

  UnconsumedView(IngestLog log, ViewRoom room) {
    this.log = log;
    this.room = room;
  }

  /**
   * Takes a segment, or leaves it out.
   *
   * @return whether the file is this view's from now on
   */
  boolean add(Ulid id, IngestLayout layout, IngestLog.Opened opened) throws IOException {
    if (!room.take(layout.heapBytes())) {
      leaveOut(layout.range());
      return false;
    }
    bytes += layout.heapBytes();
    if (!opened.growing() && !room.isForOneMoreFile()) {
      Optional<PinnedSegment> pinned = PinnedSegment.of(log, id, opened.bytes());
      if (pinned.isPresent()) {
        segments.add(new IngestBlocks(layout, pinned.get()));
        held.add(pinned.get());
        return false;
      }
    }
    ReadableFile file = opened.file();
    segments.add(new IngestBlocks(layout, file));
    held.add(() -> close(file));
    room.opened();
    return true;
  }

  private void leaveOut(UlidRange range) {
    if (lacking++ == 0) {
      room.countCut();
    }
    leftOut = Optional.of(leftOut.map(range::union).orElse(range));
  }

  private void close(ReadableFile file) throws IOException {
    room.closed();
    file.close();
  }

  @Override
  public List<Segment> segments() {
    return segments;
  }

  @Override
  public Optional<Lack> lack() {
    return leftOut.map(range -> new Lack(range, reason()));
  }

  private String reason() {
    String rest = "that wait for a store do not fit into memory; ask for a shorter range, or later";
    return lacking + " segments " + rest;
  }

  @Override
  public void close() {
    room.free(bytes);
    bytes = 0;
    List<Closeable> all = List.copyOf(held);
    held.clear();
    IOException failure = null;
    for (Closeable each : all) {
      try {
        each.close();
      } catch (IOException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw new UncheckedIOException("closing an ingest segment that was only read", failure);
    }
  }
}
