package io.cordwood.store.repair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.cordwood.common.file.FaultAt;
import io.cordwood.common.file.FaultyFilesystem;
import io.cordwood.common.file.Filesystem;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.BatchInfo;
import io.cordwood.common.segment.BlockInfo;
import io.cordwood.common.segment.Records;
import io.cordwood.common.segment.SegmentFiles;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.testing.BitFlips;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.store.DiskPace;
import io.cordwood.store.StopFlag;
import io.cordwood.store.keep.LostRange;
import io.cordwood.store.keep.TestLog;
import io.cordwood.store.segment.HeldSegments;
import io.cordwood.store.segment.LiveSegment;
import io.cordwood.store.segment.Replica;
import io.cordwood.store.segment.Stored;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The disk fails at every single change that receiving a replica, fetching, copying, or treating a
 * damaged segment makes, once or for good; after a restart on a good disk there is what was there
 * before, or that and all of the new.
 */
final class CrashRepairTest {
  private static final int MAX_CHANGES = 100;

  @TempDir Path folders;
  private final FaultAt fault = new FaultAt();
  private final Filesystem disk = new FaultyFilesystem(fault);
  private final Records records = new Records(6);
  private final List<Batch> first = someBatches(12);
  private final List<Batch> second = someBatches(12);

  private interface Change {
    void run(TestLog test) throws IOException;
  }

  private List<Batch> someBatches(int count) {
    return records.batches(count, 5);
  }

  private List<Batch> both() {
    List<Batch> both = new ArrayList<>(first);
    both.addAll(second);
    return SegmentFiles.sorted(both);
  }

  /** Begins with a segment of the first batches; the change may add the second ones. */
  private void failEverywhere(boolean forGood, Change change) throws IOException {
    for (int step = 0; step < MAX_CHANGES; step++) {
      Path folder = folders.resolve(forGood + "-" + step);
      boolean failed = failAt(step, forGood, folder, change);
      try (var again = TestLog.open(folder)) {
        assertThat(Stored.batches(again.log))
            .as("step %d", step)
            .isIn(SegmentFiles.sorted(first), both());
        assertThat(again.log.folder().filesystem().list(folder))
            .noneMatch(p -> p.toString().matches(".*\\.(active|swap)"));
        if (!failed) {
          assertThat(step).isPositive();
          return;
        }
      }
    }
    fail("more than %d steps", MAX_CHANGES);
  }

  private boolean failAt(int step, boolean forGood, Path folder, Change change) throws IOException {
    fault.failAt(Long.MAX_VALUE, false);
    try (var test = new TestLog(folder, disk, 1 << 20)) {
      test.store(first);
      fault.failAt(step, forGood);
      try {
        change.run(test);
      } catch (IOException e) {
        assertThat(Stored.batches(test.log)).isEqualTo(SegmentFiles.sorted(first));
      }
      return fault.hasFailed();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aReplicaIsThereWholeOrNotAtAll(boolean forGood) throws IOException {
    byte[] bytes = SegmentFiles.storeSegment(SegmentFiles.sorted(second));
    failEverywhere(
        forGood,
        test -> {
          try (Replica replica = test.log.newReplica()) {
            var source = ByteBuffer.wrap(bytes);
            while (source.hasRemaining()) {
              replica.file().write(source);
            }
            test.log.publish(replica.flush());
          }
        });
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatIsFetchedIsThereWholeOrNotAtAll(boolean forGood) throws IOException {
    Path source = folders.resolve("source");
    List<Batch> oneTopic = new ArrayList<>();
    try (var test = TestLog.open(source)) {
      second.replaceAll(b -> ofTopic(b, Topic.DEFAULT));
      oneTopic.addAll(second);
      test.store(oneTopic);
    }
    var lost = new LostRange(Topic.DEFAULT, UlidRange.ALL, 1, 1);
    try (var peer = new TestStore("b", TestStore.options(source, 1), List::of);
        var client = new HoldingsClient()) {
      failEverywhere(
          forGood,
          test -> {
            test.lost.add(List.of(lost));
            new Refetch(
                    test.log,
                    client,
                    test.lost,
                    TestStore.ALL_KEPT,
                    new RepairMetrics(test.registry))
                .run(List.of(peer.asPeer()));
          });
    }
  }

  private static Batch ofTopic(Batch batch, Topic topic) {
    return new Batch(topic, batch.delimiter(), batch.first(), batch.records(), batch.payload());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void copyingChangesNothingHere(boolean forGood) throws IOException {
    List<BatchInfo> wanted = SegmentFiles.sorted(first).stream().map(BatchInfo::of).toList();
    second.clear();
    failEverywhere(
        forGood,
        test -> {
          var pace = new DiskPace(1L << 30, new StopFlag());
          try (HeldSegments held = test.log.hold(UlidRange.ALL)) {
            var copy =
                new SliceSender(
                    test.log,
                    new CopyAbility(test.log.folder(), System::nanoTime),
                    1 << 10,
                    pace,
                    wanted,
                    TransferSegment::fileBytes);
            assertThat(copy.run(held.live(), UlidRange.ALL)).isEqualTo(wanted.size());
          }
        });
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aDamagedSegmentIsTreatedInTheEndAndItsIntactBlocksAreKept(boolean forGood)
      throws IOException {
    for (int step = 0; step < MAX_CHANGES; step++) {
      Path folder = folders.resolve(forGood + "-" + step);
      Topic lost = damageOne(folder);
      fault.failAt(step, forGood);
      try (var test = new TestLog(folder, disk, 1 << 20)) {
        heal(test);
      }
      boolean failed = fault.hasFailed();
      try (var again = TestLog.open(folder)) {
        heal(again);
        assertThat(Stored.batches(again.log))
            .as("step %d", step)
            .isEqualTo(
                SegmentFiles.sorted(first).stream().filter(b -> !b.topic().equals(lost)).toList());
      }
      try (Stream<Path> files = Files.list(folder)) {
        assertThat(files.filter(p -> p.toString().endsWith(".damaged"))).hasSize(1);
      }
      if (!failed) {
        assertThat(step).isPositive();
        return;
      }
    }
    fail("more than %d steps", MAX_CHANGES);
  }

  private static void heal(TestLog test) {
    for (LiveSegment suspect : test.log.live()) {
      if (isDamaged(suspect)) {
        test.heal(suspect);
      }
    }
  }

  private static boolean isDamaged(LiveSegment segment) {
    try {
      BatchSelection.in(UlidRange.ALL).run(List.of(segment), _ -> true, _ -> {});
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  private Topic damageOne(Path folder) throws IOException {
    try (var test = TestLog.open(folder)) {
      test.store(first);
      LiveSegment segment = test.log.live().getFirst();
      BlockInfo block = segment.segment().blocks().getLast();
      BitFlips.flip(segment.file(), block.offset() + block.storedBytes() / 2);
      return block.topic();
    }
  }
}
