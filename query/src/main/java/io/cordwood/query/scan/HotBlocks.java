package io.cordwood.query.scan;

import io.cordwood.common.segment.Block;
import io.cordwood.common.segment.BlockDecoder;
import io.cordwood.common.segment.BodilessBlock;
import io.cordwood.common.segment.Segment;
import io.cordwood.query.scan.ScanPlan.BlockRef;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which blocks are hot, and where in a {@link HotFile} their decompressed bodies stand: while the
 * page cache holds these, such a block costs a copy and not its decompression.
 *
 * <p>A block is hot once it was read twice within two minutes, as by somebody who greps, looks, and
 * greps again. Slots are given away in turn, but not one that was read within two minutes, so that
 * neither one long query nor a large one that is repeated turns over what is here. A thread of its
 * own writes, since queries are not to wait for it. An error of the file ends its use, and no
 * query.
 *
 * <p>Safe for many threads. Its lock guards all but the file, which is not touched under it.
 */
final class HotBlocks implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(HotBlocks.class);

  static final Duration HOT = Duration.ofMinutes(2);

  /** Bodies under way to the file at once, of 512 KiB each. */
  private static final int BUFFERS = 8;

  private final HotFile file;
  private final LongSupplier nanoTime;
  private final Counter reads;
  private final Map<Segment, Blocks> bySegment = new WeakHashMap<>();
  private final @Nullable Resident[] slots;
  private int hand;
  private boolean failed;
  private final ConcurrentLinkedQueue<ByteBuffer> buffers = new ConcurrentLinkedQueue<>();
  private final ExecutorService writer =
      Executors.newSingleThreadExecutor(
          Thread.ofPlatform().daemon().name("query-hot-writer").factory());

  /**
   * @param nanoTime as {@link System#nanoTime}
   */
  HotBlocks(HotFile file, MeterRegistry meters, LongSupplier nanoTime) {
    this.file = file;
    this.nanoTime = nanoTime;
    this.slots = new Resident[file.slots()];
    this.reads =
        Counter.builder("cordwood.query.hot.blocks")
            .description("Blocks that queries read without decompressing them")
            .register(meters);
    for (int i = 0; i < BUFFERS; i++) {
      buffers.add(ByteBuffer.allocateDirect(HotFile.SLOT_BYTES));
    }
  }

  /** None if there is no room, or if no file can be made there: queries do without. */
  static Optional<HotBlocks> in(HotSpace space, MeterRegistry meters) {
    if (space.maxBytes() < HotFile.SLOT_BYTES) {
      return Optional.empty();
    }
    try {
      HotFile file = HotFile.create(space.file(), space.maxBytes());
      return Optional.of(new HotBlocks(file, meters, System::nanoTime));
    } catch (IOException e) {
      log.warn("hot blocks cannot be kept, which makes some queries slower: {}", e.toString());
      return Optional.empty();
    }
  }

  /** What is known of a segment's blocks, by ordinal. */
  private static final class Blocks {
    final long[] readAt;
    final @Nullable Resident[] residents;

    Blocks(int blocks) {
      this.readAt = new long[blocks];
      this.residents = new Resident[blocks];
    }
  }

  /** A block that has a slot; its body is written once {@code isWritten}. */
  private static final class Resident {
    final Blocks home;
    final int ordinal;
    final int slot;
    final BodilessBlock rest;
    boolean isWritten;

    Resident(Blocks home, int ordinal, int slot, BodilessBlock rest) {
      this.home = home;
      this.ordinal = ordinal;
      this.slot = slot;
      this.rest = rest;
    }

    boolean isHot(long now) {
      return now - home.readAt[ordinal] < HOT.toNanos();
    }
  }

  /** The block, in the decoder's buffers, if its body is here. */
  Optional<Block> read(BlockRef ref, BlockDecoder decoder) {
    Resident resident = resident(ref);
    if (resident == null) {
      return Optional.empty();
    }
    try {
      Block block = resident.rest.read(file, file.at(resident.slot), decoder);
      if (isStillThere(resident)) {
        reads.increment();
        return Optional.of(block);
      }
    } catch (IOException | InternalError e) { // The latter is HotFile's.
      if (isStillThere(resident)) {
        fail(e);
      }
    }
    return Optional.empty();
  }

  /**
   * Notes that a block was read from its segment; if it is hot, its body is kept, soon. Waits for
   * nothing: with all buffers under way to the file, the block's turn comes when it is read again.
   */
  void offer(BlockRef ref, Block block) {
    if (!ref.info().isPacked() || block.body().remaining() > HotFile.SLOT_BYTES || !isHot(ref)) {
      return;
    }
    ByteBuffer body = buffers.poll();
    if (body == null) {
      return;
    }
    body.clear().put(block.body()).flip();
    Resident resident = settle(ref, block.withoutBody());
    if (resident == null) {
      buffers.add(body);
    } else {
      writer.execute(() -> write(body, resident));
    }
  }

  private void write(ByteBuffer body, Resident resident) {
    try {
      file.write(body, file.at(resident.slot));
      written(resident);
    } catch (IOException e) {
      fail(e);
    } finally {
      buffers.add(body);
    }
  }

  private synchronized @Nullable Resident resident(BlockRef ref) {
    Blocks blocks = bySegment.get(ref.segment());
    Resident resident = blocks == null ? null : blocks.residents[ref.info().ordinal()];
    if (resident == null || !resident.isWritten || failed) {
      return null;
    }
    resident.home.readAt[resident.ordinal] = nanoTime.getAsLong();
    return resident;
  }

  private synchronized boolean isStillThere(Resident resident) {
    return slots[resident.slot] == resident;
  }

  /** Whether the block was read lately before this time, and there is a slot for it. */
  private synchronized boolean isHot(BlockRef ref) {
    Blocks blocks = bySegment.computeIfAbsent(ref.segment(), s -> new Blocks(s.blocks().size()));
    long now = nanoTime.getAsLong();
    long before = blocks.readAt[ref.info().ordinal()];
    blocks.readAt[ref.info().ordinal()] = now;
    return before != 0 && now - before < HOT.toNanos() && !failed;
  }

  /** Gives the block the next slot, unless that one's block is hot, or this one has a slot. */
  private synchronized @Nullable Resident settle(BlockRef ref, BodilessBlock rest) {
    int ordinal = ref.info().ordinal();
    Blocks home = bySegment.get(ref.segment());
    if (home == null || home.residents[ordinal] != null) {
      return null;
    }
    int slot = hand;
    hand = (hand + 1) % slots.length;
    Resident old = slots[slot];
    if (old != null && old.isHot(nanoTime.getAsLong())) {
      return null;
    }
    if (old != null) {
      old.home.residents[old.ordinal] = null;
    }
    Resident resident = new Resident(home, ordinal, slot, rest);
    slots[slot] = resident;
    home.residents[ordinal] = resident;
    return resident;
  }

  private synchronized void written(Resident resident) {
    resident.isWritten = true;
  }

  private synchronized void fail(Throwable e) {
    if (!failed) {
      log.warn(
          "hot blocks cannot be kept any more, which makes some queries slower: {}",
          e.getMessage());
    }
    failed = true;
  }

  @Override
  public void close() {
    writer.close();
    try {
      file.close();
    } catch (IOException e) {
      // Nothing in it is needed by anybody.
      log.debug("the file of hot blocks cannot be closed", e);
    }
  }
}
