package io.cordwood.cli.cold;

import io.cordwood.common.bucket.Bucket;
import io.cordwood.common.bucket.BucketRequests;
import io.cordwood.common.bucket.BucketRequests.Verb;
import io.cordwood.common.cold.ColdObject;
import io.cordwood.common.cold.ColdReader;
import io.cordwood.common.cold.ColdView;
import io.cordwood.common.segment.SegmentSource.Lack;
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
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A search of a bucket, in groups of objects that overlap in time, so that few of them are open at
 * once. One thread, with others beside it.
 */
final class ColdSearch implements AutoCloseable {
  /** Blocks that are searched at once. */
  private static final int AT_ONCE = 32;

  /** A group takes more objects up to that many bytes of tails. */
  private static final long GROUP_BYTES = 64 << 20;

  private static final long CACHE_BYTES = 1L << 30;

  private final Bucket bucket;
  private final ColdReader reader;
  private final TemporaryFolder folder;
  private final Query query;
  private final long maxRequests;
  private final QueryRunner runner;
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
   * @param reading what it takes to read them
   */
  record Plan(
      int segments,
      long segmentBytes,
      long requests,
      long receivedBytes,
      long blocks,
      long candidates,
      ColdView.Reading reading) {}

  /**
   * Makes no request.
   *
   * @param maxRequests after which the search ends
   */
  ColdSearch(Bucket bucket, Query query, long maxRequests) throws IOException {
    this.bucket = bucket;
    this.query = query;
    this.maxRequests = maxRequests;
    this.folder = TemporaryFolder.create();
    var meters = new SimpleMeterRegistry();
    var options = new ColdReader.Options(folder.path(), CACHE_BYTES, Long.MAX_VALUE);
    // There is no node beside it: it looks for what is young as well.
    this.reader = new ColdReader(bucket, options, () -> Instant.MAX, System::nanoTime, meters);
    this.runner = new QueryRunner(AT_ONCE, QueryCaches.NONE, meters);
  }

  /** Objects that overlap, or follow each other, and no other ones have records between theirs. */
  private record Group(List<ColdObject> objects) {
    UlidRange range() {
      return objects.stream().map(it -> it.name().range()).reduce(UlidRange::union).orElseThrow();
    }
  }

  /** The objects in the order of their time, in groups that do not overlap. */
  private List<Group> groups() throws IOException {
    List<ColdObject> sorted = new ArrayList<>(reader.catalogue().find(query.range()).all());
    sorted.sort(Comparator.comparing(it -> it.name().range().from()));
    List<Group> groups = new ArrayList<>();
    long tailBytes = GROUP_BYTES;
    Ulid end = Ulid.MIN;
    for (ColdObject object : sorted) {
      UlidRange range = object.name().range();
      if (groups.isEmpty() || (tailBytes >= GROUP_BYTES && range.from().isAfter(end))) {
        groups.add(new Group(new ArrayList<>()));
        tailBytes = 0;
      }
      groups.getLast().objects.add(object);
      tailBytes += object.name().tailBytes();
      end = range.to().isAfter(end) ? range.to() : end;
    }
    return groups;
  }

  private ColdView open(Group group) throws IOException {
    UlidRange range = group.range();
    return reader.view(query.range().since(range.from()).until(range.to()), () -> false);
  }

  private long requests() {
    BucketRequests made = bucket.requests();
    return made.count(Verb.GET) + made.count(Verb.LIST);
  }

  /** Searches; gives what is found to the sink, the oldest first. */
  Outcome run(HitSink sink) throws IOException {
    Optional<Lack> lack = Optional.empty();
    for (Group group : groups()) {
      if (requests() + group.objects.size() > maxRequests) {
        return stopped(group);
      }
      try (ColdView view = open(group)) {
        var budget =
            new QueryBudget(
                Long.MAX_VALUE,
                System.nanoTime() + Long.MAX_VALUE / 2,
                () -> requests() >= maxRequests);
        var _ = runner.run(query, view, stats, budget, sink);
        lack = Stream.concat(lack.stream(), view.lack().stream()).reduce(Lack::and);
      } catch (QueryAbandonedException e) {
        return stopped(group);
      }
    }
    return new Outcome(
        stats.matches.get(), lack.map(it -> it.reason() + "; records may be missing"));
  }

  private Outcome stopped(Group group) {
    return new Outcome(
        stats.matches.get(),
        Optional.of(
            "stopped after %d requests; records from %s on may be missing"
                .formatted(requests(), group.range().from().time())));
  }

  /** Finds out what {@link #run} would read; reads the tails alone. */
  Plan plan() throws IOException {
    int segments = 0;
    long segmentBytes = 0;
    var reading = new ColdView.Reading(0, 0);
    for (Group group : groups()) {
      segments += group.objects.size();
      segmentBytes += group.objects.stream().mapToLong(ColdObject::bytes).sum();
      try (ColdView view = open(group)) {
        runner.plan(query, view, stats, () -> false);
        reading = reading.plus(view.reading());
        Optional<Lack> lack = view.lack();
        if (lack.isPresent()) {
          throw new IOException(lack.get().reason());
        }
      }
    }
    long blocks = stats.blocks.get();
    return new Plan(
        segments,
        segmentBytes,
        requests(),
        bucket.requests().receivedBytes(),
        blocks,
        blocks - stats.blocksSkipped.get(),
        reading);
  }

  @Override
  public void close() {
    reader.close();
    runner.close();
    folder.close();
  }
}
