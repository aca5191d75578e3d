package io.cordwood.store.repair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.file.Filesystem;
import io.cordwood.common.file.PassThroughFilesystem;
import io.cordwood.common.file.WritableFile;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.SegmentFiles;
import io.cordwood.store.StorePeer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A store says of which records all has its copies, once that was compared. */
final class ReplicatedFromTest extends RepairFixture {
  /**
   * Starts a pair of which the first one can be made to miss that the other one is started again.
   */
  private void startPair() throws IOException {
    allStarted = new CountDownLatch(1);
    Supplier<List<StorePeer>> paused =
        () -> {
          pass(lookingOn);
          return living();
        };
    stores.put("a", new TestStore("a", TestStore.options(folder("a"), 2), paused));
    start("b", 2);
    allStarted.countDown();
    awaitReplicatedFrom("a", 0);
    awaitReplicatedFrom("b", 0);
  }

  @Test
  void aStoreNeedsOneThatIsGoneUntilAllHasItsCopiesWithoutIt() throws IOException {
    List<Batch> batches = someBatches(100);
    scatter(batches, List.of("a", "b", "c"), 2);
    allStarted = new CountDownLatch(1);
    for (String id : List.of("a", "b", "c")) {
      start(id, 2);
    }
    allStarted.countDown();
    await().until(() -> store("a").partners().equals(Optional.of(Set.of("b", "c"))));
    awaitReplicatedFrom("a", 0);

    kill("b");

    await().until(() -> store("a").partners().equals(Optional.of(Set.of("c"))));
    await().until(() -> store("c").partners().equals(Optional.of(Set.of("a"))));
    awaitReplicatedFrom("a", 0);
    assertThat(fewestCopies(batches)).isEqualTo(2);
  }

  /** As a store of the version before has them: it has to read them to know what they hold. */
  private void removeLists(String id) throws IOException {
    try (Stream<Path> all = Files.list(folder(id))) {
      for (Path file : all.filter(it -> it.toString().endsWith(".flushed")).toList()) {
        Files.write(file, SegmentFiles.withoutList(Files.readAllBytes(file)));
      }
    }
  }

  /** The clock of the one that comes back is so early that it reads nothing to compare it. */
  @Test
  void whileAStoreThatCameBackDoesNotKnowWhatItHoldsOthersKeepWhatWasFoundBefore()
      throws IOException {
    List<Batch> batches = someBatches(100);
    for (String id : List.of("a", "b")) {
      put(id, batches);
      removeLists(id);
    }
    startPair();

    lookingOn = new CountDownLatch(1);
    kill("b");
    InstantSource early = () -> batches.getFirst().first().time().minusSeconds(3600);
    var options = TestStore.options(folder("b"), 2);
    stores.put("b", new TestStore("b", options, this::living, Filesystem.real(), early));
    lookingOn.countDown();

    double rounds = store("a").count("repair.rounds");
    await().until(() -> store("a").count("repair.rounds") > rounds + 3);
    assertThat(store("a").replicatedFromMillis()).isZero();
    assertThat(store("b").replicatedFromMillis()).isZero();
    assertThat(store("a").partners()).isEqualTo(Optional.of(Set.of("b")));
  }

  @Test
  void aStoreThatComesBackKnowsAtOnceWhatItHoldsAndNothingIsComparedAgain() throws IOException {
    List<Batch> batches = someBatches(100);
    put("a", batches);
    put("b", batches);
    startPair();

    lookingOn = new CountDownLatch(1);
    kill("b");
    double compared = store("a").count("repair.compared.slices");
    start("b", 2);
    lookingOn.countDown();

    double rounds = store("a").count("repair.rounds");
    await().until(() -> store("a").count("repair.rounds") > rounds + 3);
    assertThat(store("a").replicatedFromMillis()).isZero();
    assertThat(store("a").count("repair.compared.slices")).isEqualTo(compared);
  }

  @Test
  void aStoreKnowsThatAllHasItsCopiesWhenThatWasComparedAndNoMoreWhenTheyAreGone()
      throws IOException {
    List<Batch> batches = someBatches(100);
    scatter(batches, List.of("a", "b"), 2);
    allStarted = new CountDownLatch(1);
    start("a", 2);
    start("b", 2);
    assertThat(store("a").replicatedFromMillis()).isEqualTo(ReplicatedFrom.UNKNOWN);
    allStarted.countDown();
    awaitReplicatedFrom("a", 0);
    awaitReplicatedFrom("b", 0);
    kill("b");
    awaitReplicatedFrom("a", ReplicatedFrom.UNKNOWN);
    start("b", 2);
    assertThat(store("b").replicatedFromMillis()).as("it was written down").isZero();
    awaitReplicatedFrom("a", 0);
    kill("b");
    kill("a");
    start("a", 3);
    assertThat(store("a").replicatedFromMillis()).as("of three").isEqualTo(ReplicatedFrom.UNKNOWN);
    start("empty", 3);
    assertThat(store("empty").replicatedFromMillis()).as("of nothing").isZero();
  }

  /** Meanwhile it took records of which there is one copy. */
  @Test
  void whatWasFoundWithTwoCopiesIsNotBelievedAfterATimeWithOne() throws IOException {
    List<Batch> batches = someBatches(100);
    put("a", batches);
    put("b", batches);
    startPair();
    kill("a");
    start("a", 1);
    kill("a");
    kill("b");
    start("a", 2);
    assertThat(store("a").replicatedFromMillis()).isEqualTo(ReplicatedFrom.UNKNOWN);
  }

  /** A store whose clock is late finds what it holds too young to compare. */
  @Test
  void whatWasThereWhenNothingWasKnownHadPerhapsFewerCopiesWhenItWasTaken() throws IOException {
    Path file = Files.createDirectories(folder("a")).resolve("replicated-from");
    Instant newest = Instant.parse("2026-11-29T12:00:00Z");
    Files.writeString(file, "1 0\n");
    var raised = new ReplicatedFrom(Filesystem.real(), file, 2, false, newest);
    assertThat(raised.hadCopiesWhenTaken(newest)).isFalse();
    assertThat(raised.hadCopiesWhenTaken(newest.plusMillis(1))).isTrue();
    long proven = newest.plusSeconds(60).toEpochMilli();
    raised.set(proven);
    assertThat(raised.hadCopiesWhenTaken(newest)).isFalse();
    var again = new ReplicatedFrom(Filesystem.real(), file, 2, false, newest.plusSeconds(90));
    assertThat(again.hadCopiesWhenTaken(newest)).isFalse();
    assertThat(again.hadCopiesWhenTaken(Instant.ofEpochMilli(proven))).isTrue();
  }

  @Test
  void whatCannotBeWrittenIsDeletedAndWrittenLater() throws IOException {
    Path file = Files.createDirectories(folder("a")).resolve("replicated-from");
    var disk = new FailingDisk();
    var replicated = new ReplicatedFrom(disk, file, 2, true, Instant.MIN);
    assertThat(file).hasContent("2 0");
    disk.isFull = true;
    replicated.set(7);
    assertThat(file).doesNotExist();
    assertThat(replicated.millis()).isEqualTo(7);
    disk.isFull = false;
    replicated.set(7);
    assertThat(file).hasContent("2 7");
  }

  @Test
  void aStoreThatWouldBelieveAgainWhatItFoundWithAnotherNumberOfCopiesDoesNotStart()
      throws IOException {
    Path file = Files.createDirectories(folder("a")).resolve("replicated-from");
    Files.writeString(file, "2 0\n");
    var disk = new FailingDisk();
    disk.isFull = true;
    disk.isReadOnly = true;
    assertThatThrownBy(() -> new ReplicatedFrom(disk, file, 1, false, Instant.MIN))
        .isInstanceOf(IOException.class);
  }

  private static final class FailingDisk extends PassThroughFilesystem {
    private boolean isFull;
    private boolean isReadOnly;

    @Override
    public WritableFile create(Path file) throws IOException {
      if (isFull) {
        throw new IOException("No space left on device");
      }
      return super.create(file);
    }

    @Override
    public void delete(Path file) throws IOException {
      if (isReadOnly) {
        throw new IOException("Read-only file system");
      }
      super.delete(file);
    }
  }
}
