package io.cordwood.query.scan;

import io.cordwood.common.run.ByteBudget;
import io.cordwood.common.segment.Block;
import io.cordwood.common.segment.BlockDecoder;
import io.cordwood.query.match.KernelWarmup;
import io.cordwood.query.request.Query;
import io.cordwood.query.result.BlockHits;
import io.cordwood.query.result.ScanStats;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The threads that read, decompress and search blocks, for all queries of a node: as many as there
 * are processors. Queries take {@link FairScheduler}, a portion of blocks each, so that a small one
 * does not wait for a large one; the smallest do it on their own threads, as many at once. Each
 * that scans has buffers of some 8 MiB at most. No thread is ever interrupted, since that would
 * close the files that it reads.
 */
final class ScanPool implements AutoCloseable {

  /** One thread's, at the start, so that the first query does not run in the interpreter. */
  private static final Duration LONGEST_WARM_UP = Duration.ofSeconds(2);

  private static final long AHEAD_BYTES = 32 << 20;

  /**
   * Raw bytes that all queries together may have scanned, or being scanned, ahead of their need.
   */
  final ByteBudget ahead = new ByteBudget(AHEAD_BYTES);

  private final int threads;
  private final Optional<BlockCache> hot;
  private final NegativeCache misses;
  private final TallyCache tallies;
  private final ExecutorService executor;
  private final Semaphore callers;
  private final FairScheduler scheduler;
  private final ConcurrentLinkedQueue<BlockDecoder> decoders = new ConcurrentLinkedQueue<>();

  ScanPool(int threads, Optional<BlockCache> hot, NegativeCache misses, TallyCache tallies) {
    this.threads = threads;
    this.hot = hot;
    this.misses = misses;
    this.tallies = tallies;
    this.executor =
        Executors.newFixedThreadPool(
            threads, Thread.ofPlatform().name("query-scan-", 0).daemon().factory());
    this.callers = new Semaphore(threads);
    this.scheduler = new FairScheduler(executor);
    executor.execute(() -> KernelWarmup.runOnce(LONGEST_WARM_UP));
  }

  int threads() {
    return threads;
  }

  /** For the portions of one query. */
  FairScheduler.Lane lane() {
    return scheduler.lane();
  }

  /** Portions that no thread has begun. */
  int waiting() {
    return scheduler.waiting();
  }

  /**
   * One query's scan.
   *
   * @param tallies that are known
   * @param stopped asked before each block is read; if it says yes, the block has no hits
   */
  record Scan(Query query, ScanStats stats, TallyCache.ForQuery tallies, BooleanSupplier stopped) {}

  Scan scan(Query query, ScanStats stats, BooleanSupplier stopped) {
    return new Scan(query, stats, tallies.of(query), stopped);
  }

  /**
   * Scans some blocks when it is the lane's turn, one after the other, on one thread.
   *
   * @return the hits of each block
   */
  Future<List<BlockHits>> submit(FairScheduler.Lane lane, Scan scan, List<BlockRef> refs) {
    var task = task(scan, refs);
    lane.execute(task);
    return task;
  }

  /**
   * Scans on the calling thread, before this returns, unless as many others do so as the pool has
   * threads.
   */
  Future<List<BlockHits>> scanHere(FairScheduler.Lane lane, Scan scan, List<BlockRef> refs) {
    if (!callers.tryAcquire()) {
      return submit(lane, scan, refs);
    }
    try {
      var task = task(scan, refs);
      task.run();
      return task;
    } finally {
      callers.release();
    }
  }

  private FutureTask<List<BlockHits>> task(Scan scan, List<BlockRef> refs) {
    return new FutureTask<>(() -> {
      List<BlockHits> hits = new ArrayList<>(refs.size());
      for (BlockRef ref : refs) {
        hits.add(
            scan.stopped.getAsBoolean()
                ? BlockHits.none(ref.info().topic())
                : knownOrScanned(scan, ref));
      }
      return hits;
    });
  }

  private BlockHits knownOrScanned(Scan scan, BlockRef ref) {
    Optional<BlockHits> known = scan.tallies.find(ref);
    if (known.isEmpty()) {
      return scan(scan, ref);
    }
    scan.stats.blocksSkipped.incrementAndGet();
    scan.stats.bytesDone.addAndGet(ref.info().rawBytes());
    return known.get();
  }

  private BlockHits scan(Scan scan, BlockRef ref) {
    ScanStats stats = scan.stats;
    BlockDecoder decoder = takeDecoder();
    try {
      BlockHits hits = search(scan, ref, decoder);
      stats.bytesScanned.addAndGet(ref.info().rawBytes());
      stats.bytesDone.addAndGet(ref.info().rawBytes());
      return hits;
    } catch (IOException e) {
      ScanPlan.unreadable(ref, e, stats);
      return BlockHits.none(ref.info().topic());
    } finally {
      decoders.add(decoder);
    }
  }

  private BlockHits search(Scan scan, BlockRef ref, BlockDecoder decoder) throws IOException {
    Query query = scan.query;
    ScanStats stats = scan.stats;
    if (hot.isPresent()) {
      Optional<BlockHits> hits = hot.get().search(query, ref, decoder);
      if (hits.isPresent()) {
        stats.bytesRead.addAndGet(ref.info().rawBytes());
        return whole(scan, ref, hits.get());
      }
    }
    Block block = ref.segment().read(ref.info(), decoder);
    stats.bytesRead.addAndGet(ref.info().storedBytes());
    hot.ifPresent(h -> h.offer(ref, block));
    BlockHits hits = HitCollector.collect(query, block);
    if (block.damagedBatches() == 0) {
      return whole(scan, ref, hits);
    }
    ScanPlan.damaged(ref, block.damagedBatches(), stats);
    return hits;
  }

  private BlockHits whole(Scan scan, BlockRef ref, BlockHits hits) {
    misses.note(scan.query, ref, hits);
    scan.tallies.note(ref, hits);
    scan.stats.blocksRead.incrementAndGet();
    return hits;
  }

  private BlockDecoder takeDecoder() {
    @Nullable BlockDecoder free = decoders.poll();
    return free == null ? new BlockDecoder() : free;
  }

  /** Lets running scans end; there must be no query left that submits. */
  @Override
  public void close() {
    executor.close();
    decoders.forEach(BlockDecoder::close);
    hot.ifPresent(BlockCache::close);
  }
}
