package io.cordwood.common.cold;

import io.cordwood.common.bucket.Bucket;
import io.cordwood.common.bucket.BucketException;
import io.cordwood.common.bucket.BucketException.Kind;
import io.cordwood.common.bucket.BucketRequests.Verb;
import io.cordwood.common.cold.ColdFetcher.Permission;
import io.cordwood.common.file.ByteSource;
import io.cordwood.common.run.RateLimitedLog;
import io.cordwood.common.run.Threads;
import io.cordwood.common.segment.KeptIndexes;
import io.cordwood.common.segment.LeftOut;
import io.cordwood.common.segment.SegmentTail;
import io.cordwood.common.segment.StoreSegment;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.common.wire.CorruptException;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * The segments of a bucket, for queries: objects are known by lists that are half an hour old at
 * most, tails are kept on disk, blocks are read when they are searched. For all threads; those that
 * open a view must not be interrupted.
 */
public final class ColdReader implements AutoCloseable {
  private static final int MOST_OPEN = 4096;
  private static final int INDEX_PART_OF_HEAP = 24;

  private static final RateLimitedLog TROUBLE =
      new RateLimitedLog(LoggerFactory.getLogger(ColdReader.class), Duration.ofMinutes(10));

  private final Bucket bucket;
  private final Options options;
  private final ColdCatalogue catalogue;
  private final ColdTails tails;
  private final InstantSource clock;
  private final Counter stopped;
  private final Counter damaged;
  private final KeptIndexes indexes =
      new KeptIndexes(Runtime.getRuntime().maxMemory() / INDEX_PART_OF_HEAP);
  private final ColdFetcher fetcher;
  private volatile Supplier<? extends LeftOut> leftOut = () -> LeftOut.NOTHING;
  private final AtomicBoolean refreshing = new AtomicBoolean();
  private final Map<ColdName, StoreSegment> open = new LinkedHashMap<>(16, 0.75f, true);

  /**
   * The bounds of a reader.
   *
   * @param folder of this process alone, for what is known and kept of the bucket
   * @param cacheBytes of tails on the disk
   * @param maxRequests of one query, lists not counted
   * @param times the same on all nodes
   */
  public record Options(Path folder, long cacheBytes, long maxRequests, ColdTimes times) {
    public static final long DEFAULT_CACHE_BYTES = 4L << 30;
    public static final long DEFAULT_MAX_REQUESTS = 100_000;

    /** With the usual times. */
    public Options(Path folder, long cacheBytes, long maxRequests) {
      this(folder, cacheBytes, maxRequests, ColdTimes.USUAL);
    }

    /**
     * @throws IllegalArgumentException if a bound makes no sense
     */
    public Options {
      if (cacheBytes < 1 || maxRequests < 1) {
        throw new IllegalArgumentException(
            "cold: expected 1 or more bytes of cache and requests, found %d and %d"
                .formatted(cacheBytes, maxRequests));
      }
    }
  }

  /**
   * Makes no request.
   *
   * @param bucket which stays the caller's
   * @param clock by which records are too young to be in a bucket alone
   */
  public ColdReader(
      Bucket bucket,
      Options options,
      InstantSource clock,
      LongSupplier nanoTime,
      MeterRegistry registry)
      throws IOException {
    this.bucket = bucket;
    this.options = options;
    this.clock = clock;
    this.fetcher = new ColdFetcher(bucket, registry);
    this.tails = new ColdTails(fetcher, options.folder.resolve("tails"), options.cacheBytes);
    this.stopped = registry.counter("cordwood.cold.searches.stopped");
    this.damaged = registry.counter("cordwood.cold.unread");
    var names = new ColdNames(options.folder.resolve("names"));
    this.catalogue =
        new ColdCatalogue(
            bucket, fetcher, names, options.times, clock, nanoTime, registry, this::forget);
    watch(registry, "tail.bytes", tails::bytes);
    watch(registry, "objects", catalogue::size);
    watch(registry, "absent.objects", catalogue::absent);
    watchRequests(registry);
  }

  private void watchRequests(MeterRegistry registry) {
    for (Verb verb : Verb.values()) {
      FunctionCounter.builder(
              "cordwood.cold.query.requests", bucket, it -> it.requests().count(verb))
          .tag("verb", verb.name().toLowerCase(Locale.ROOT))
          .register(registry);
    }
  }

  private static void watch(MeterRegistry registry, String name, Supplier<Number> value) {
    Gauge.builder("cordwood.cold." + name, value).strongReference(true).register(registry);
  }

  /** Whether the bucket may have records of a range that no store has. */
  public boolean mayHold(UlidRange range) {
    return catalogue.mayHold(range, clock.instant());
  }

  /**
   * The place as its mark is now; empty if it had none, and has one now that may not be the last.
   *
   * @throws IOException if it does not tell
   */
  public Optional<BucketPlace> marked() throws IOException {
    return BucketPlace.mark(bucket) ? Optional.empty() : BucketPlace.of(bucket);
  }

  /** The objects that are known. */
  public ColdCatalogue catalogue() {
    return catalogue;
  }

  /**
   * The objects of some times whose tails are on this disk: pieces of their records are in these.
   * Makes no request.
   */
  public Stream<ColdObject> kept(Predicate<UlidRange> times) {
    return catalogue.known().filter(it -> times.test(it.name().range())).filter(tails::has);
  }

  /**
   * Sees to it that there is a list of a range that is half an hour old at most, so that the tails
   * of objects that are gone go as well. Waits for nothing.
   */
  public void refresh(UlidRange range) {
    if (refreshing.compareAndSet(false, true)) {
      try {
        var _ = fetcher.submit(() -> list(range));
      } catch (RejectedExecutionException e) {
        refreshing.set(false); // It is closed.
      }
    }
  }

  private int list(UlidRange range) {
    try {
      return catalogue.find(range).objects().size();
    } catch (IOException e) {
      TROUBLE.warn("it is not listed now, which is tried again:", bucket, e.toString());
      return 0;
    } finally {
      refreshing.set(false);
    }
  }

  /** From now on, views are without what is left out when they are opened. */
  public void leaveOut(Supplier<? extends LeftOut> from) {
    leftOut = from;
  }

  /**
   * Opens all objects that may have records of a range. What cannot be opened is lacking in the
   * view.
   *
   * @param abandoned asked before each request: whether nobody wants the view any more
   * @throws IOException if it is not known which objects there are
   */
  public ColdView view(UlidRange range, BooleanSupplier abandoned) throws IOException {
    var view =
        new ColdView(
            range,
            options.maxRequests,
            stopped::increment,
            damaged::increment,
            this::forget,
            fetcher,
            leftOut.get());
    if (!mayHold(range)) {
      return view;
    }
    ColdCatalogue.Found found = catalogue.find(range);
    view.searches(found.place(), catalogue.reliable(found.listedNanos()));
    if (found.absent() > 0) {
      view.lacks(
          range,
          "the list of %s lacks %d objects that were listed or named before"
              .formatted(bucket, found.absent()));
    }
    found.unread().forEach(it -> view.lacks(it.range(), "unread manifest " + it.why()));
    Permission permission =
        () -> {
          if (abandoned.getAsBoolean()) {
            throw new IOException("not wanted any more");
          }
          view.request();
        };
    Map<ColdObject, Future<StoreSegment>> coming = new LinkedHashMap<>();
    for (ColdObject object : found.all()) {
      coming.put(object, fetcher.submit(() -> open(object, permission)));
    }
    Set<ColdObject> ending = Set.copyOf(found.ending());
    coming.forEach((object, future) -> add(object, future, ending.contains(object), view));
    return view;
  }

  private static void add(
      ColdObject object, Future<StoreSegment> coming, boolean isEnding, ColdView view) {
    try {
      view.add(object, Threads.await(coming), isEnding);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      boolean gone = cause instanceof BucketException it && it.kind() == Kind.MISSING;
      if (!(isEnding && gone)) {
        view.unread(object.name().range(), cause == null ? e : cause);
      }
    }
  }

  /** Opens an object, and holds it for the caller. */
  private StoreSegment open(ColdObject object, Permission permission) throws IOException {
    StoreSegment known = held(object.name());
    if (known != null) {
      return known;
    }
    boolean wasKept = tails.has(object);
    try {
      return keep(object.name(), openOnce(object, permission));
    } catch (CorruptException e) {
      tails.drop(object.name());
      if (!wasKept) {
        throw e;
      }
    }
    try {
      return keep(object.name(), openOnce(object, permission));
    } catch (CorruptException e) {
      tails.drop(object.name());
      throw e;
    }
  }

  private StoreSegment openOnce(ColdObject object, Permission permission) throws IOException {
    ByteSource bytes = tails.of(object, permission);
    var tail = SegmentTail.of(bytes, object.name().tailBytes(), object.bytes());
    return ColdSegment.open(bucket, object, tail, indexes);
  }

  private @Nullable StoreSegment held(ColdName name) {
    synchronized (open) {
      StoreSegment segment = open.get(name);
      return segment != null && segment.retain() ? segment : null;
    }
  }

  private StoreSegment keep(ColdName name, StoreSegment segment) {
    List<StoreSegment> closed = new ArrayList<>();
    synchronized (open) {
      if (!open.containsKey(name) && segment.retain()) {
        open.put(name, segment);
      }
      while (open.size() > MOST_OPEN) {
        ColdName eldest = open.keySet().iterator().next();
        closed.add(open.remove(eldest));
      }
    }
    closed.forEach(StoreSegment::release);
    return segment;
  }

  /**
   * A segment by its tail, with all of its batches' lists; for those who have to know what an
   * object has. To be released.
   *
   * @throws CorruptException if the tail is damaged
   */
  public StoreSegment open(ColdObject object) throws IOException {
    return open(object, Permission.FREE);
  }

  /**
   * Forgets an object's tail, of which something has turned out to be damaged that is not looked at
   * when it is opened, such as its dictionary: the next one who needs it reads it of the bucket.
   */
  public void forget(ColdObject object) {
    forget(object.name());
  }

  private void forget(ColdName object) {
    tails.drop(object);
    StoreSegment segment;
    synchronized (open) {
      segment = open.remove(object);
    }
    if (segment != null) {
      segment.release();
    }
  }

  /** Views that are open stay usable. */
  @Override
  public void close() {
    fetcher.close();
    synchronized (open) {
      open.values().forEach(StoreSegment::release);
      open.clear();
    }
  }
}
