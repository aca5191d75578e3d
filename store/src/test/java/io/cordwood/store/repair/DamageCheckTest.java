package io.cordwood.store.repair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.file.Filesystem;
import io.cordwood.common.http.client.PeerCredentials;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.SegmentFiles;
import io.cordwood.common.segment.SegmentSource.Lack;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.store.KnownPeers;
import io.cordwood.store.OwnSegments;
import io.cordwood.store.keep.TestLog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A store says what damage took from it until nobody can have it that does not give it. */
final class DamageCheckTest extends RepairFixture {
  private volatile Optional<Set<String>> known = Optional.of(Set.of("a", "b"));

  private void startKnowing(String id, int copies) throws IOException {
    var peers =
        new KnownPeers(
            id, List::of, this::living, PeerCredentials.NONE, OwnSegments.NONE, () -> known);
    var options = TestStore.options(folder(id), copies);
    stores.put(id, new TestStore(options, peers, Filesystem.real(), InstantSource.system()));
  }

  private List<Batch> damaged(String id) throws IOException {
    List<Batch> batches = someBatches(200);
    put(id, batches);
    try (var log = TestLog.open(folder(id))) {
      log.damageFirstBlock();
    }
    return batches;
  }

  private long files(String id, String ending) throws IOException {
    try (Stream<Path> files = Files.list(folder(id))) {
      return files.filter(file -> file.toString().endsWith(ending)).count();
    }
  }

  /** From then on queries see only what is intact. That it lacks something is noted before. */
  private void awaitSalvaged(String id) {
    await().until(() -> store(id).count("damaged.segments") == 1);
  }

  private boolean lacks(String id) {
    try {
      return store(id).lack().isPresent();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static UlidRange range(List<Batch> batches) {
    return batches.stream()
        .map(batch -> new UlidRange(batch.first(), batch.first()))
        .reduce(UlidRange::union)
        .orElseThrow();
  }

  @Test
  void whileAStoreThatMayHaveWhatWasLostIsAwayItIsLackingAlsoAfterARestart() throws IOException {
    List<Batch> batches = damaged("a");
    put("b", batches);
    startKnowing("a", 2);
    awaitSalvaged("a");
    assertThat(store("a").lack().map(Lack::range))
        .hasValueSatisfying(range -> assertThat(range.overlaps(range(batches))).isTrue());
    assertThat(files("a", ".damaged")).isEqualTo(1);

    start("other", 2);
    awaitRounds("a", 3);
    assertThat(lacks("a")).as("b is known and was not asked").isTrue();
    kill("a");
    startKnowing("a", 2);
    assertThat(lacks("a")).as("after a restart").isTrue();
    awaitRounds("a", 3);
    assertThat(lacks("a")).isTrue();

    start("b", 2);
    await().until(() -> !lacks("a"));
    assertThat(fewestCopies(batches)).isGreaterThanOrEqualTo(2);
    assertThat(files("a", ".damaged")).isZero();
    assertThat(files("a", ".restored")).isEqualTo(1);

    kill("a");
    startKnowing("a", 2);
    assertThat(lacks("a")).as("after another restart").isFalse();
  }

  @Test
  void whileNobodyKnowsWhoThereIsItIsLacking() throws IOException {
    List<Batch> batches = damaged("a");
    put("b", batches);
    known = Optional.empty();
    startKnowing("a", 2);
    start("b", 2);
    awaitSalvaged("a");
    await().until(() -> fewestCopies(batches) == 2);
    awaitRounds("a", 3);
    assertThat(lacks("a")).isTrue();

    known = Optional.of(Set.of("a", "b"));
    await().until(() -> !lacks("a"));
    assertThat(store("a").stored()).isEqualTo(SegmentFiles.sorted(batches));
  }

  @Test
  void whatIsSaidOfCopiesDoesNotGetBetterBecauseDamageTookWhatHadNone() throws IOException {
    damaged("a");
    allStarted = new CountDownLatch(1);
    startKnowing("a", 2);
    assertThat(store("a").replicatedFromMillis()).isEqualTo(ReplicatedFrom.UNKNOWN);
    allStarted.countDown();
    start("other", 2);
    awaitSalvaged("a");
    assertThat(lacks("a")).isTrue();
    awaitCopies(store("a").stored(), 2);
    awaitRounds("a", 3);
    assertThat(store("a").replicatedFromMillis()).isEqualTo(ReplicatedFrom.UNKNOWN);
    assertThat(store("a").partners()).as("b may be needed").isEmpty();
  }

  /** Nothing of it is left, and what was lost is not known. */
  @Test
  void aStoreWhoseOnlySegmentWasGarbageIsNoEmptyOne() throws IOException {
    put("a", someBatches(20));
    try (Stream<Path> files = Files.list(folder("a"))) {
      for (Path file : files.filter(it -> it.toString().endsWith(".flushed")).toList()) {
        Files.write(file, new byte[5000]);
      }
    }
    startKnowing("a", 2);
    assertThat(store("a").stored()).isEmpty();
    assertThat(lacks("a")).isTrue();
    assertThat(store("a").replicatedFromMillis()).isEqualTo(ReplicatedFrom.UNKNOWN);
  }

  @Test
  void withOneCopyItIsLackingUntilSomebodyTakesTheFileAway() throws IOException {
    damaged("a");
    known = Optional.of(Set.of("a", "other"));
    startKnowing("a", 1);
    start("other", 1);
    awaitSalvaged("a");
    assertThat(store("a").count("scrubbed.segments")).isPositive();
    assertThat(lacks("a")).isTrue();
    kill("a");
    try (Stream<Path> files = Files.list(folder("a"))) {
      for (Path file : files.filter(it -> it.toString().endsWith(".damaged")).toList()) {
        Files.delete(file);
      }
    }
    startKnowing("a", 1);
    assertThat(lacks("a")).isFalse();
  }
}
