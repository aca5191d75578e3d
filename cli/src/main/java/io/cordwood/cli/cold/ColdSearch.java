package io.cordwood.cli.cold;

import io.cordwood.common.bucket.Bucket;
import io.cordwood.common.bucket.BucketRequests;
import io.cordwood.common.bucket.BucketRequests.Verb;
import io.cordwood.common.cold.ColdList;
import io.cordwood.common.cold.ColdObject;
import io.cordwood.common.cold.ColdSegment;
import io.cordwood.common.segment.AnyOf;
import io.cordwood.common.segment.BlockInfo;
import io.cordwood.common.segment.SegmentSource;
import io.cordwood.common.segment.StoreSegment;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.query.request.Query;
import io.cordwood.query.result.HitSink;
import io.cordwood.query.result.QueryAbandonedException;
import io.cordwood.query.result.ScanStats;
import io.cordwood.query.scan.QueryBudget;
import io.cordwood.query.scan.QueryCaches;
import io.cordwood.query.scan.QueryRunner;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * A search of a bucket, in groups of objects that overlap in time, so that memory holds the tails
 * of one group. One thread, with others beside it.
 */
final class ColdSearch implements AutoCloseable {
  /** Requests in flight: a scan waits for each block that it reads. */
  private static final int AT_ONCE = 32;

  /** A group takes more objects up to that many bytes of tails. */
  private static final long GROUP_BYTES = 64 << 20;

  private final Bucket bucket;
  private final Query query;
  private final long maxRequests;
  private final QueryRunner runner =
      new QueryRunner(AT_ONCE, QueryCaches.NONE, new SimpleMeterRegistry());
  private final ExecutorService openers = Executors.newFixedThreadPool(AT_ONCE);
  private final ScanStats stats = new ScanStats();

  /**
   * The result.
   *
   * @param lack why records may be missing; empty if all was searched
   */
  record Outcome(long matches, Optional<String> lack) {}

  /**
   * How much a search would take.
   *
   * @param segmentBytes of all segments in range
   * @param requests that it took to know this
   * @param receivedBytes that these got
   * @param blocks in range and of the topics
   * @param candidates of these, which may have what is looked for
   * @param candidateBytes of them as they are stored
   */
  record Plan(
      int segments,
      long segmentBytes,
      long requests,
      long receivedBytes,
      long blocks,
      long candidates,
      long candidateBytes) {}

  /**
   * @param maxRequests after which the search ends
   */
  ColdSearch(Bucket bucket, Query query, long maxRequests) {
    this.bucket = bucket;
    this.query = query;
    this.maxRequests = maxRequests;
  }

  /** The objects in the order of their time, in groups that do not overlap. */
  private List<List<ColdObject>> groups() throws IOException {
    ColdList list = ColdList.of(bucket, query.range());
    ColdPlace.complain("grep", list);
    List<ColdObject> sorted = new ArrayList<>(list.objects());
    sorted.sort(Comparator.comparing(it -> it.name().range().from()));
    List<List<ColdObject>> groups = new ArrayList<>();
    long tailBytes = GROUP_BYTES;
    Ulid end = Ulid.MIN;
    for (ColdObject object : sorted) {
      UlidRange range = object.name().range();
      if (groups.isEmpty() || (tailBytes >= GROUP_BYTES && range.from().isAfter(end))) {
        groups.add(new ArrayList<>());
        tailBytes = 0;
      }
      groups.getLast().add(object);
      tailBytes += object.name().tailBytes();
      end = range.to().isAfter(end) ? range.to() : end;
    }
    return groups;
  }

  /** Some segments, open. */
  private record Opened(List<StoreSegment> segments) implements SegmentSource.View {
    @Override
    public void close() {
      segments.forEach(StoreSegment::release);
    }
  }

  private Opened open(List<ColdObject> objects) throws IOException {
    List<Future<StoreSegment>> coming = new ArrayList<>();
    for (ColdObject object : objects) {
      coming.add(openers.submit(() -> ColdSegment.open(bucket, object)));
    }
    List<StoreSegment> open = new ArrayList<>();
    IOException failure = null;
    for (Future<StoreSegment> each : coming) {
      try {
        open.add(each.get());
      } catch (ExecutionException e) {
        failure = e.getCause() instanceof IOException why ? why : new IOException(e.getCause());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        failure = new InterruptedIOException("interrupted while segments are opened");
      }
    }
    if (failure != null) {
      new Opened(open).close();
      throw failure;
    }
    return new Opened(List.copyOf(open));
  }

  private long requests() {
    BucketRequests made = bucket.requests();
    return made.count(Verb.GET) + made.count(Verb.LIST);
  }

  /** Searches; gives what is found to the sink, the oldest first. */
  Outcome run(HitSink sink) throws IOException {
    for (List<ColdObject> group : groups()) {
      if (requests() + group.size() > maxRequests) {
        return stopped(group);
      }
      try (Opened view = open(group)) {
        var budget =
            new QueryBudget(
                Long.MAX_VALUE,
                System.nanoTime() + Long.MAX_VALUE / 2,
                () -> requests() >= maxRequests);
        var _ = runner.run(query, view, stats, budget, sink);
      } catch (QueryAbandonedException e) {
        return stopped(group);
      }
    }
    long damaged = stats.blocksDamaged.get();
    return new Outcome(
        stats.matches.get(),
        damaged == 0
            ? Optional.empty()
            : Optional.of(damaged + " blocks could not be read; records may be missing"));
  }

  private Outcome stopped(List<ColdObject> group) {
    return new Outcome(
        stats.matches.get(),
        Optional.of(
            "stopped after %d requests; records from %s on may be missing"
                .formatted(requests(), group.getFirst().name().range().from().time())));
  }

  /** Finds out what {@link #run} would read; reads the tails alone. */
  Plan plan() throws IOException {
    int segments = 0;
    long segmentBytes = 0;
    long blocks = 0;
    long candidates = 0;
    long candidateBytes = 0;
    List<AnyOf> required = query.takesOthers() ? List.of() : query.matcher().required();
    for (List<ColdObject> objects : groups()) {
      try (Opened view = open(objects)) {
        for (StoreSegment segment : view.segments()) {
          segments++;
          segmentBytes += segment.fileBytes();
          BitSet may = segment.candidates(required);
          for (BlockInfo block : segment.blocks()) {
            boolean asked =
                block.range().overlaps(query.range()) && query.topics().contain(block.topic());
            blocks += asked ? 1 : 0;
            candidates += asked && may.get(block.ordinal()) ? 1 : 0;
            candidateBytes += asked && may.get(block.ordinal()) ? block.storedBytes() : 0;
          }
        }
      }
    }
    long received = bucket.requests().receivedBytes();
    return new Plan(
        segments, segmentBytes, requests(), received, blocks, candidates, candidateBytes);
  }

  @Override
  public void close() {
    openers.shutdownNow();
    runner.close();
  }
}
