package io.cordwood.store.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.file.FaultAt;
import io.cordwood.common.file.FaultyFilesystem;
import io.cordwood.common.file.Filesystem;
import io.cordwood.common.file.PassThroughFilesystem;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.Records;
import io.cordwood.common.segment.SegmentFiles;
import io.cordwood.store.KnownPeers;
import io.cordwood.store.StoreOptions;
import io.cordwood.store.consume.TestIngestNode;
import io.cordwood.store.consume.TestIngestNode.Fault;
import io.cordwood.store.keep.TestLog;
import io.cordwood.store.segment.SegmentInfo;
import io.cordwood.store.segment.Stored;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The disk fails at every single change that a consume, a compaction or a salvage makes, once or
 * for good; after a restart on a good disk every batch is there once.
 */
final class CrashTest {
  private static final int MAX_CHANGES = 200;

  @TempDir Path folders;
  private final FaultAt fault = new FaultAt();
  private final Filesystem disk = new FaultyFilesystem(fault);
  private final Records records = new Records(5);

  private List<Batch> someBatches(int count) {
    return records.batches(count, 5);
  }

  private interface Change {
    void run(TestLog test) throws IOException;
  }

  /** Makes the change fail at each of its steps in turn, and looks each time what is there then. */
  private void failEverywhere(
      boolean forGood, List<Batch> before, List<Batch> after, Change prepare, Change change)
      throws IOException {
    for (int step = 0; step < MAX_CHANGES; step++) {
      Path folder = folders.resolve(forGood + "-" + step);
      boolean failed = failAt(step, forGood, folder, prepare, change);
      try (var again = TestLog.open(folder)) {
        List<Batch> found = Stored.batches(again.log);
        if (!found.equals(SegmentFiles.sorted(before))) {
          assertThat(found).as("step %d", step).isEqualTo(SegmentFiles.sorted(after));
        }
        assertThat(again.log.folder().filesystem().list(folder))
            .noneMatch(p -> p.toString().matches(".*\\.(active|swap)"));
        again.compact();
        assertThat(Stored.batches(again.log)).as("step %d", step).isEqualTo(found);
      }
      if (!failed) {
        assertThat(step).isPositive();
        return;
      }
    }
    fail("more than %d steps", MAX_CHANGES);
  }

  private boolean failAt(int step, boolean forGood, Path folder, Change prepare, Change change)
      throws IOException {
    fault.failAt(Long.MAX_VALUE, false);
    try (var test = new TestLog(folder, disk, 1 << 20)) {
      prepare.run(test);
      List<Batch> shown = Stored.batches(test.log);
      fault.failAt(step, forGood);
      try {
        change.run(test);
      } catch (IOException e) {
        // What readers see is what it was.
        assertThat(Stored.batches(test.log)).as("step %d", step).isEqualTo(shown);
      }
      return fault.hasFailed();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void storingIsAllOrNothing(boolean forGood) throws IOException {
    List<Batch> first = someBatches(10);
    List<Batch> second = someBatches(10);
    List<Batch> both = new ArrayList<>(first);
    both.addAll(second);

    failEverywhere(forGood, first, both, test -> test.store(first), test -> test.store(second));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void compactingLosesNothingAndDoublesNothing(boolean forGood) throws IOException {
    List<Batch> batches = someBatches(12);
    failEverywhere(
        forGood,
        batches,
        batches,
        test -> {
          test.store(batches);
          test.store(batches);
          test.store(batches);
        },
        TestLog::compact);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void afterACompactionThatFailedTheSegmentsAreTheOldOrTheNew(boolean forGood) throws IOException {
    List<Batch> batches = someBatches(12);
    for (int step = 0; step < MAX_CHANGES; step++) {
      Path folder = folders.resolve(forGood + "-" + step);
      boolean failed =
          failAt(
              step,
              forGood,
              folder,
              test -> {
                test.store(batches);
                test.store(batches);
              },
              TestLog::compact);
      try (var again = TestLog.open(folder)) {
        assertThat(again.log.live().size()).as("step %d", step).isIn(1, 2);
        long total = again.log.infos().stream().mapToLong(SegmentInfo::records).sum();
        long once = batches.stream().mapToLong(Batch::records).sum();
        assertThat(total).as("step %d", step).isEqualTo(again.log.live().size() * once);
      }
      if (!failed) {
        return;
      }
    }
    fail("more than %d steps", MAX_CHANGES);
  }

  @Test
  void aConsumeThatFailsAtAnyStepIsDoneAgainAndNothingIsLost() throws IOException {
    List<Batch> all = new ArrayList<>();
    try (var node = new TestIngestNode()) {
      List<URI> uris = List.of(node.uri());
      Path folder = folders.resolve("store");
      var options = StoreOptions.at(folder).withGather(1 << 20, Duration.ZERO);
      var registry = new SimpleMeterRegistry();
      try (var store =
          StoreNode.start(
              options,
              KnownPeers.onlyIngestNodes(() -> uris),
              disk,
              registry,
              InstantSource.system())) {
        for (int step = 0; step < 25; step++) {
          List<Batch> batches = someBatches(4);
          all.addAll(batches);
          fault.failAt(step, false);
          node.add(batches);
          await().until(() -> node.left() == 0);
          assertThat(Stored.batches(store.segments()))
              .as("step %d", step)
              .isEqualTo(SegmentFiles.sorted(all));
        }
      }
      try (var again = TestLog.open(folder)) {
        assertThat(Stored.batches(again.log)).isEqualTo(SegmentFiles.sorted(all));
      }
    }
  }

  @Test
  void aStoreThatDiesBeforeItsCommitArrivesFindsEachBatchOnceAfterwards() throws IOException {
    List<Batch> batches = someBatches(20);
    Path folder = folders.resolve("store");
    var options = StoreOptions.at(folder).withGather(1 << 20, Duration.ZERO);
    try (var node = new TestIngestNode()) {
      List<URI> uris = List.of(node.uri());
      node.fault = Fault.LOSE_COMMIT;
      node.add(batches);
      var registry = new SimpleMeterRegistry();
      try (var store =
          StoreNode.start(
              options,
              KnownPeers.onlyIngestNodes(() -> uris),
              new PassThroughFilesystem(),
              registry,
              InstantSource.system())) {
        await().until(() -> !Stored.batches(store.segments()).isEmpty());
      }
      await().until(() -> node.claiming.get() == 0);
      node.fault = Fault.NONE;
      node.endLeases();
      try (var store =
          StoreNode.start(
              options,
              KnownPeers.onlyIngestNodes(() -> uris),
              new PassThroughFilesystem(),
              new SimpleMeterRegistry(),
              InstantSource.system())) {
        await().until(() -> node.left() == 0);
        assertThat(Stored.batches(store.segments())).isEqualTo(SegmentFiles.sorted(batches));
      }
    }
  }
}
