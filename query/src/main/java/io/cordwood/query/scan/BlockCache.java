package io.cordwood.query.scan;

import io.cordwood.common.segment.Block;
import io.cordwood.common.segment.BlockDecoder;
import io.cordwood.common.segment.BlockMetadata;
import io.cordwood.common.segment.Segment;
import io.cordwood.common.wire.CorruptException;
import io.cordwood.query.match.Haystack;
import io.cordwood.query.request.Query;
import io.cordwood.query.result.BlockHits;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.WeakHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which blocks are hot, and where in {@link ReclaimableMemory} their decompressed bodies stand, to
 * be searched there.
 *
 * <p>A block is hot once it was read twice within two minutes, as by somebody who greps, looks, and
 * greps again. Room is given away in turn, but not that of a block that was read within two
 * minutes, so that neither one long query nor a large one that is repeated turns over what is here.
 *
 * <p>Safe for many threads. Its lock guards all but the memory, which is not touched under it.
 */
final class BlockCache implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(BlockCache.class);

  static final Duration HOT = Duration.ofMinutes(2);

  /**
   * For how long nothing is kept after Linux has taken something: it would take what is written
   * next as well, before anybody reads it again.
   */
  static final Duration SHORT_OF_MEMORY = Duration.ofSeconds(30);

  /** Most have 320 KiB, few more than 448; larger ones are not kept. */
  private static final int MAX_BODY_BYTES = 512 << 10;

  private final ReclaimableMemory memory;
  private final long bytes;
  private final LongSupplier nanoTime;
  private final Counter reads;
  private final Counter taken;
  private final Map<Segment, Blocks> bySegment = new WeakHashMap<>();

  /** By the place of their bodies. */
  private final TreeMap<Long, Resident> residents = new TreeMap<>();

  /** The place of the next body, if no hot one is there. */
  private long hand;

  private long keepsFromNanos;

  /**
   * @param memory of that many bytes, closed with this
   * @param nanoTime as {@link System#nanoTime}
   */
  BlockCache(ReclaimableMemory memory, long bytes, MeterRegistry meters, LongSupplier nanoTime) {
    this.memory = memory;
    this.bytes = bytes;
    this.nanoTime = nanoTime;
    this.keepsFromNanos = nanoTime.getAsLong();
    this.reads = meters.counter("cordwood.query.hot.blocks");
    this.taken = meters.counter("cordwood.query.hot.blocks.taken");
  }

  /** None if there is no room, or on a system that has no such memory: queries do without. */
  static Optional<BlockCache> of(long bytes, MeterRegistry meters) {
    if (bytes < ReclaimableMemory.ROOM_UNIT) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new BlockCache(new ReclaimableMemory(bytes), bytes, meters, System::nanoTime));
    } catch (UnsupportedOperationException e) {
      log.info("no blocks stay decompressed, which makes some queries slower: {}", e.getMessage());
      return Optional.empty();
    }
  }

  /** The known blocks of a segment, by ordinal. */
  private static final class Blocks {
    final long[] readAt;
    final @Nullable Resident[] residents;

    Blocks(int blocks) {
      this.readAt = new long[blocks];
      this.residents = new Resident[blocks];
    }
  }

  /** A block that has a place; its body is there once {@code isWritten}. */
  private static final class Resident {
    final Blocks home;
    final int ordinal;
    final long at;
    final BlockMetadata rest;
    boolean isWritten;

    Resident(Blocks home, int ordinal, long at, BlockMetadata rest) {
      this.home = home;
      this.ordinal = ordinal;
      this.at = at;
      this.rest = rest;
    }

    long end() {
      return at + ReclaimableMemory.roomFor(rest.bodyBytes());
    }

    boolean isHot(long now) {
      return now - home.readAt[ordinal] < HOT.toNanos();
    }
  }

  /** The query's hits in the block, if its body is here. */
  Optional<BlockHits> search(Query query, BlockRef ref, BlockDecoder decoder)
      throws CorruptException {
    Resident resident = resident(ref);
    if (resident == null) {
      return Optional.empty();
    }
    MemorySegment body = memory.at(resident.at, resident.rest.bodyBytes());
    try {
      Block block = decoder.over(body, resident.rest);
      BlockHits hits = HitCollector.collect(query, block, Haystack.of(body, block.bytes()));
      if (isStillThere(resident)) {
        reads.increment();
        return Optional.of(hits);
      }
    } catch (CorruptException | RuntimeException e) {
      if (isStillThere(resident)) {
        throw e;
      }
      log.debug("a block was searched while its memory was taken", e);
    }
    return Optional.empty();
  }

  /** Notes that a block was read from its segment; if it is hot, its body is kept. */
  void offer(BlockRef ref, Block block) {
    int length = block.to();
    if (!ref.info().isPacked()
        || length > MAX_BODY_BYTES
        || !isHot(ref)
        || !ReclaimableMemory.canKeep(block.bytes(), length)) {
      return;
    }
    Resident resident = settle(ref, block.withoutBody());
    if (resident != null) {
      memory.write(block.bytes(), length, resident.at);
      written(resident);
    }
  }

  private synchronized @Nullable Resident resident(BlockRef ref) {
    Blocks blocks = bySegment.get(ref.segment());
    Resident resident = blocks == null ? null : blocks.residents[ref.info().ordinal()];
    if (resident == null || !resident.isWritten) {
      return null;
    }
    resident.home.readAt[resident.ordinal] = nanoTime.getAsLong();
    return resident;
  }

  /** Whether what was read of a body until now is what was written. */
  private boolean isStillThere(Resident resident) {
    boolean isWhole = memory.isWhole(resident.at, resident.rest.bodyBytes());
    synchronized (this) {
      if (residents.get(resident.at) != resident) {
        return false;
      }
      if (!isWhole) {
        remove(resident);
        taken.increment();
        keepsFromNanos = nanoTime.getAsLong() + SHORT_OF_MEMORY.toNanos();
      }
      return isWhole;
    }
  }

  /** Whether the block was read lately before this time. */
  private synchronized boolean isHot(BlockRef ref) {
    Blocks blocks = bySegment.computeIfAbsent(ref.segment(), s -> new Blocks(s.totals().blocks()));
    long now = nanoTime.getAsLong();
    long before = blocks.readAt[ref.info().ordinal()];
    blocks.readAt[ref.info().ordinal()] = now;
    return before != 0 && now - before < HOT.toNanos();
  }

  /**
   * Gives the block the next place, unless a block there is hot, this one has a place, or memory is
   * short.
   */
  private synchronized @Nullable Resident settle(BlockRef ref, BlockMetadata rest) {
    int ordinal = ref.info().ordinal();
    Blocks home = bySegment.get(ref.segment());
    long room = ReclaimableMemory.roomFor(rest.bodyBytes());
    long now = nanoTime.getAsLong();
    if (home == null
        || home.residents[ordinal] != null
        || room > bytes
        || now - keepsFromNanos < 0) {
      return null;
    }
    long at = hand + room > bytes ? 0 : hand;
    Map.Entry<Long, Resident> before = residents.lowerEntry(at);
    long from = before != null && before.getValue().end() > at ? before.getKey() : at;
    Map<Long, Resident> there = residents.subMap(from, at + room);
    for (Resident old : there.values()) {
      if (old.isHot(now) || !old.isWritten) {
        hand = old.end();
        return null;
      }
    }
    there.values().forEach(old -> old.home.residents[old.ordinal] = null);
    there.clear();
    Resident resident = new Resident(home, ordinal, at, rest);
    residents.put(at, resident);
    home.residents[ordinal] = resident;
    hand = at + room;
    return resident;
  }

  private void remove(Resident resident) {
    residents.remove(resident.at);
    resident.home.residents[resident.ordinal] = null;
  }

  private synchronized void written(Resident resident) {
    resident.isWritten = true;
  }

  /** There must be no query left. */
  @Override
  public void close() {
    memory.close();
  }
}
