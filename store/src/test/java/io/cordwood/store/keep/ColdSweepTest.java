package io.cordwood.store.keep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.common.bucket.BucketUrl;
import io.cordwood.common.bucket.FaultyBucket;
import io.cordwood.common.cold.ColdCatalogue;
import io.cordwood.common.cold.ColdName;
import io.cordwood.common.cold.ColdReader;
import io.cordwood.common.cold.ColdSegments;
import io.cordwood.common.cold.ColdUpload;
import io.cordwood.common.cold.ColdView;
import io.cordwood.common.deletion.RandomTombstones;
import io.cordwood.common.deletion.Tombstones;
import io.cordwood.common.deletion.WaitingDeletions;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.BatchIdentity;
import io.cordwood.common.segment.GoneException;
import io.cordwood.common.segment.Records;
import io.cordwood.common.segment.Segment;
import io.cordwood.common.segment.SegmentBatches;
import io.cordwood.common.segment.SegmentFiles;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.testing.BitFlips;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.store.ColdOptions;
import io.cordwood.store.KnownPeers;
import io.cordwood.store.StopFlag;
import io.cordwood.store.StorePeer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is deleted is in no object of a bucket, and what is left of each is there all the time. */
final class ColdSweepTest {
  private static final Instant NOON = Instant.parse("2026-11-24T12:00:00Z");
  private static final Topic SHOP = new Topic("shop");
  private static final Topic AUDIT = new Topic("audit");

  @TempDir private Path folder;
  private final List<Store> stores = new ArrayList<>();
  private Tombstones deleted = Tombstones.NONE;
  private Instant wall = NOON.plus(Duration.ofDays(30));
  private long nanos;

  private final class Store implements AutoCloseable {
    private final FaultyBucket bucket = new FaultyBucket(place().open());
    private final TestLog log;
    private final ColdReader reader;
    private final ColdSweep sweep;
    private final StopFlag stop = new StopFlag();

    Store(String nodeId, String... others) throws IOException {
      log = TestLog.open(folder.resolve(nodeId));
      reader =
          new ColdReader(
              bucket,
              new ColdReader.Options(folder.resolve("reader-" + nodeId), 1 << 20, 1000),
              () -> wall,
              () -> nanos,
              log.registry);
      reader.leaveOut(() -> deleted);
      List<StorePeer> peers =
          Stream.of(others)
              .map(id -> new StorePeer(id, URI.create("http://" + id + ":1"), 0, 0))
              .toList();
      sweep =
          new ColdSweep(
              new ColdOptions(place(), Duration.ZERO, 1 << 30),
              reader,
              bucket,
              log.log,
              new KnownPeers(nodeId, List::of, () -> peers),
              () -> deleted,
              log.metrics,
              () -> wall,
              stop);
      stores.add(this);
    }

    /** Looks once in each half of an hour; what is left is answered all the time. */
    Store hours(int hours, List<Batch> left) throws IOException {
      for (int i = 0; i < 2 * hours; i++) {
        pass(Duration.ofMinutes(30));
        sweep.runOnce();
        assertThat(found()).isEqualTo(left);
      }
      return this;
    }

    Optional<String> waits() {
      var waiting = new WaitingDeletions(deleted);
      sweep.addTo(waiting);
      return deleted.all().stream().flatMap(it -> waiting.why(it).stream()).findFirst();
    }

    List<Batch> found() throws IOException {
      Map<String, Batch> found = new HashMap<>();
      try (ColdView view = reader.view(UlidRange.ALL, () -> false)) {
        for (Segment segment : view.segments()) {
          try (var batches = new SegmentBatches(segment)) {
            Batch next = batches.next();
            while (next != null) {
              found.put(next.topic() + " " + next.first(), Records.copy(next));
              next = batches.next();
            }
          } catch (GoneException e) {
            // One that is over may go at any time; what is left of it is in another one.
          }
        }
        assertThat(view.lack()).isEmpty();
      }
      return found.values().stream().sorted(BatchIdentity.ORDER).toList();
    }

    @Override
    public void close() throws IOException {
      reader.close();
      sweep.close();
      log.close();
    }
  }

  @AfterEach
  void close() throws IOException {
    for (Store store : stores) {
      store.close();
    }
  }

  private BucketUrl place() {
    return BucketUrl.parse(folder.resolve("bucket").toUri().toString());
  }

  private Path upload(List<Batch> batches) throws IOException {
    byte[] bytes = ColdSegments.settled(SegmentFiles.sorted(batches));
    Path file = Files.write(folder.resolve("settled"), bytes);
    try (var bucket = place().open()) {
      ColdName name = ColdUpload.put(bucket, file, ColdName.USUAL_CLASS).name();
      return folder.resolve("bucket").resolve(name.key());
    }
  }

  private List<Batch> left(List<Batch> batches) {
    return batches.stream()
        .flatMap(it -> it.without(deleted).stream())
        .sorted(BatchIdentity.ORDER)
        .toList();
  }

  @Test
  void anObjectIsReplacedByItsRestAndNothingIsMissedMeanwhile() throws IOException {
    List<Batch> all = new ArrayList<>(ColdSegments.batches(SHOP, NOON, 10));
    all.addAll(ColdSegments.batches(AUDIT, NOON, 10));
    Path old = upload(all);
    Path other = upload(ColdSegments.batches(SHOP, NOON.plusSeconds(7200), 3));
    all.addAll(ColdSegments.batches(SHOP, NOON.plusSeconds(7200), 3));
    Store store = new Store("a").hours(3, left(all));
    deleted = RandomTombstones.naming(SHOP, all.get(4).first().plus(3));
    store.hours(1, left(all));
    assertThat(old).exists();
    assertThat(store.waits()).isPresent();
    store.hours(4, left(all));
    assertThat(old).doesNotExist();
    assertThat(other).exists();
    store.hours(1, left(all));
    assertThat(store.waits()).isEmpty();
    Store anew = new Store("b");
    assertThat(anew.found()).isEqualTo(left(all));
  }

  @Test
  void whatAnotherStoreHasDeletedMeanwhileIsNoTrouble() throws IOException {
    List<Batch> all = ColdSegments.batches(SHOP, NOON, 10);
    Path old = upload(all);
    Store store = new Store("a");
    deleted = RandomTombstones.naming(SHOP, all.get(4).first().plus(3));
    store.hours(1, left(all));
    for (int minutes : List.of(31, 31, 31)) {
      pass(Duration.ofMinutes(minutes));
      store.sweep.runOnce();
    }
    Files.delete(old);
    pass(Duration.ofMinutes(28)); // No other list is made before it would be deleted here.
    store.sweep.runOnce();
    assertThat(store.waits().orElseThrow()).contains("is gone");
    assertThat(
            store.log.registry.find("cordwood.store.failures").tag("what", "cold-delete").counter())
        .isNull();
    store.hours(1, left(all));
    assertThat(store.waits()).isEmpty();
  }

  private void pass(Duration time) {
    wall = wall.plus(time);
    nanos += time.toNanos();
  }

  @Test
  void theRestOfAnObjectIsNamedBeforeTheObjectIsOver() throws IOException {
    List<Batch> all = ColdSegments.batches(SHOP, NOON, 10);
    Path old = upload(all);
    Store store = new Store("a").hours(3, all);
    deleted = RandomTombstones.naming(SHOP, all.get(4).first().plus(3));
    store.bucket.refusesPuts = key -> key.startsWith("named/");
    assertThatThrownBy(() -> store.hours(1, all)).hasMessage("expected: 503");
    assertThat(folder.resolve("bucket/ended")).doesNotExist();
    store.bucket.refusesPuts = _ -> false;
    store.hours(5, left(all));
    assertThat(old).doesNotExist();
    Store anew = new Store("b");
    anew.bucket.hides = key -> key.endsWith(".cws");
    ColdCatalogue.Found found = anew.reader.catalogue().find(UlidRange.ALL);
    assertThat(found.absent()).isEqualTo(1);
    assertThat(found.objects()).hasSize(1);
  }

  @Test
  void anObjectOfWhichNothingIsLeftGoes() throws IOException {
    Batch one = Records.lines(SHOP, ColdSegments.batches(SHOP, NOON, 1).getFirst().first(), "one");
    Path object = upload(List.of(one));
    Store store = new Store("a").hours(1, List.of(one));
    deleted = RandomTombstones.naming(SHOP, one.first());
    store.hours(5, List.of());
    assertThat(object).doesNotExist();
    assertThat(folder.resolve("bucket/v1")).doesNotExist();
  }

  @Test
  void nothingGoesWhileAListLacksSomething() throws IOException {
    List<Batch> all = ColdSegments.batches(SHOP, NOON, 3);
    Path object = upload(all);
    Path hidden = upload(ColdSegments.batches(AUDIT, NOON, 3));
    Store store = new Store("a");
    assertThat(store.found()).hasSize(6);
    deleted = RandomTombstones.naming(SHOP, all.getFirst().first());
    store.bucket.hides = key -> hidden.endsWith(key);
    sweepForHours(store);
    assertThat(object).exists();
    assertThat(store.waits().orElseThrow()).contains("lacks what was listed or named");
  }

  @Test
  void aStoreOfAnotherClusterKeepsAllFromGoing() throws IOException {
    List<Batch> all = ColdSegments.batches(SHOP, NOON, 3);
    Path object = upload(all);
    var _ = new Store("stranger").hours(1, all);
    deleted = RandomTombstones.naming(SHOP, all.getFirst().first());
    stores.getFirst().sweep.runOnce(); // It says that it is there.
    Store store = new Store("a");
    store.hours(5, left(all));
    assertThat(store.waits().orElseThrow()).contains("never met");
    assertThat(object).exists();
  }

  @Test
  void anObjectThatDoesNotReadStaysAndIsNamed() throws IOException {
    List<Batch> all = ColdSegments.batches(SHOP, NOON, 3);
    Path object = upload(all);
    Store store = new Store("a");
    assertThat(store.found()).hasSize(3);
    byte[] bytes = Files.readAllBytes(object);
    bytes[200] ^= 1;
    Files.write(object, bytes);
    deleted = RandomTombstones.naming(SHOP, all.getFirst().first().plus(1));
    wall = wall.plus(Duration.ofHours(1));
    nanos += Duration.ofHours(1).toNanos();
    store.sweep.runOnce();
    assertThat(store.waits().orElseThrow()).contains("does not read");
    assertThat(object).exists();
  }

  @Test
  void aStoreThatStopsCountsNothingAsCarriedOutThatItDidNotLookAt() throws IOException {
    List<Batch> all = ColdSegments.batches(SHOP, NOON, 3);
    upload(all);
    Store store = new Store("a");
    deleted = RandomTombstones.naming(SHOP, all.getFirst().first().plus(1));
    store.stop.stop();
    store.sweep.runOnce();
    assertThat(store.waits()).hasValue("objects are looked at");
  }

  /** Each half of an hour, so that lists are made anew and each object has its turn. */
  private void sweepForHours(Store store) throws IOException {
    for (int i = 0; i < 10; i++) {
      wall = wall.plus(Duration.ofMinutes(31));
      nanos += Duration.ofMinutes(31).toNanos();
      store.sweep.runOnce();
    }
  }

  @Test
  void whatDoesNotReadHoldsUpNoOtherAndIsNamed() throws IOException {
    List<Batch> all = ColdSegments.batches(SHOP, NOON, 3);
    Path object = upload(all);
    Path damaged = upload(ColdSegments.batches(AUDIT, NOON, 3));
    BitFlips.flip(damaged, -20);
    Store store = new Store("a");
    deleted = RandomTombstones.naming(SHOP, all.getFirst().first().plus(1));
    sweepForHours(store);
    assertThat(object).doesNotExist();
    assertThat(damaged).exists();
    assertThat(store.waits().orElseThrow()).contains("does not read");
  }

  @Test
  void whatAManifestThatDoesNotReadMayNameIsWaitedFor() throws IOException {
    List<Batch> all = ColdSegments.batches(SHOP, NOON, 3);
    Path object = upload(all);
    Path day = Files.createDirectories(folder.resolve("bucket/named/2026-11-24"));
    Path manifest = Files.writeString(day.resolve("0".repeat(32)), "x");
    Store store = new Store("a");
    deleted = RandomTombstones.naming(SHOP, all.getFirst().first().plus(1));
    sweepForHours(store);
    assertThat(object).doesNotExist();
    assertThat(store.waits().orElseThrow()).contains("unread manifest named/2026-11-24/0");
    Files.delete(manifest);
    nanos += Duration.ofMinutes(31).toNanos();
    store.sweep.runOnce();
    assertThat(store.waits()).isEmpty();
  }
}
