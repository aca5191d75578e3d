package io.cordwood.common.cold;

import io.cordwood.common.bucket.Bucket;
import io.cordwood.common.bucket.BucketException;
import io.cordwood.common.run.ByteBudget;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Gets parts of objects, some at once for all queries together. What was got and is not read yet
 * takes a part of the heap at most. For all threads.
 */
final class ColdFetcher implements AutoCloseable {
  /** Requests in flight. */
  static final int AT_ONCE = 32;

  private static final int PART_OF_HEAP = 16;

  private final Bucket bucket;
  private final Semaphore inFlight = new Semaphore(AT_ONCE);
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final ByteBudget memory;
  private final Counter joinedBlocks;
  private final Counter gapBytes;
  private final Counter alone;

  /** Allows a request, and counts it. */
  @FunctionalInterface
  interface Permission {
    /** For what no query is charged with. */
    Permission FREE = () -> {};

    /**
     * Asked just before the request.
     *
     * @throws IOException if it may not be made
     */
    void ask() throws IOException;
  }

  ColdFetcher(Bucket bucket, MeterRegistry registry) {
    this(bucket, ByteBudget.partOfHeap(PART_OF_HEAP), registry);
  }

  ColdFetcher(Bucket bucket, ByteBudget memory, MeterRegistry registry) {
    this.bucket = bucket;
    this.memory = memory;
    joinedBlocks = counter(registry, "joined.blocks");
    gapBytes = counter(registry, "gap.bytes");
    alone = counter(registry, "unjoined.blocks");
    Gauge.builder("cordwood.cold.fetched.bytes", memory, ByteBudget::heldBytes)
        .strongReference(true)
        .register(registry);
  }

  private static Counter counter(MeterRegistry registry, String name) {
    return registry.counter("cordwood.cold." + name);
  }

  /** A task of a thread of its own. */
  <T> Future<T> submit(Callable<T> task) {
    return threads.submit(task);
  }

  /**
   * Reads an object's tail.
   *
   * @throws BucketException if the object has another length than was listed
   */
  ByteBuffer tail(ColdObject object, Permission permission) throws IOException {
    inFlight.acquireUninterruptibly();
    try {
      permission.ask();
      return ColdSegment.tailBytes(bucket, object).bytes();
    } finally {
      inFlight.release();
    }
  }

  /** Reads the last bytes of something else, of which no query is charged. */
  Bucket.Tail tail(String key, int bytes) throws IOException {
    inFlight.acquireUninterruptibly();
    try {
      return bucket.tail(key, bytes);
    } finally {
      inFlight.release();
    }
  }

  /** Fills the rest of a buffer from a position of an object. */
  void read(ColdObject object, long position, ByteBuffer target, Permission permission)
      throws IOException {
    inFlight.acquireUninterruptibly();
    try {
      permission.ask();
      bucket.read(object.name().key(), position, target);
    } finally {
      inFlight.release();
    }
  }

  /**
   * Begins to get a range; null if there is no memory for it. It is held until {@link #release},
   * and until it is here or failed.
   */
  @Nullable CompletableFuture<ByteBuffer> begin(
      ColdObject object, JoinedBlocks range, Permission permission) {
    if (!memory.take(range.bytes())) {
      return null;
    }
    var coming = new CompletableFuture<ByteBuffer>();
    Runnable task =
        () -> {
          try {
            ByteBuffer bytes = ByteBuffer.allocate(range.bytes());
            read(object, range.from(), bytes, permission);
            joinedBlocks.increment(range.blocks() - 1);
            gapBytes.increment(range.gapBytes());
            coming.complete(bytes.flip());
          } catch (IOException | RuntimeException | Error e) {
            coming.completeExceptionally(e);
          }
        };
    try {
      threads.execute(task);
    } catch (RejectedExecutionException e) {
      task.run(); // The reader is closed, and the views of before stay usable.
    }
    return coming;
  }

  void release(JoinedBlocks range, CompletableFuture<ByteBuffer> begun) {
    var _ = begun.whenComplete((_, _) -> memory.release(range.bytes()));
  }

  /** A block is got alone, since there was no memory for its range. */
  void countAlone() {
    alone.increment();
  }

  @Override
  public void close() {
    threads.shutdown();
  }
}
