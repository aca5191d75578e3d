package io.cordwood.store.keep;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.deletion.RandomTombstones;
import io.cordwood.common.deletion.Tombstone;
import io.cordwood.common.deletion.Tombstones;
import io.cordwood.common.deletion.WaitingDeletions;
import io.cordwood.common.file.CrashingFilesystem;
import io.cordwood.common.file.Filesystem;
import io.cordwood.common.file.PowerLoss;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.BatchIdentity;
import io.cordwood.common.segment.Records;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.testing.Seed;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.wire.Delimiter;
import io.cordwood.store.StopFlag;
import io.cordwood.store.segment.Stored;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is deleted is in no file of a store, and nothing else goes. */
final class DeletionSweepTest {
  private static final List<Topic> TOPICS =
      Stream.of("shop", "shop-eu", "audit", "other").map(Topic::new).toList();

  @TempDir private Path folder;
  private final long seed = Seed.of(DeletionSweepTest.class);
  private final SplittableRandom random = new SplittableRandom(seed);
  private final Records made = new Records(seed);

  private DeletionSweep sweep(TestLog test, Tombstones deleted) {
    return new DeletionSweep(
        test.options, test.log, test.metrics, test.damageHandler, () -> deleted, new StopFlag());
  }

  private static void run(DeletionSweep sweep) throws IOException {
    while (sweep.runOnce()) {
      // Goes on.
    }
  }

  private List<Batch> batches(int count) {
    List<Batch> batches = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      batches.add(made.batch(TOPICS.get(random.nextInt(TOPICS.size())), 30));
    }
    return batches;
  }

  private Tombstones tombstones(List<Batch> batches, int count) throws IOException {
    List<Ulid> records =
        batches.stream()
            .flatMap(it -> IntStream.range(0, it.records()).mapToObj(it.first()::plus))
            .toList();
    var tombstones = new RandomTombstones(random, records);
    return Tombstones.NONE.plus(Stream.generate(tombstones::next).limit(count).toList());
  }

  private static List<Batch> left(List<Batch> batches, Tombstones deleted) {
    return batches.stream()
        .flatMap(it -> it.without(deleted).stream())
        .sorted(BatchIdentity.ORDER)
        .toList();
  }

  private static void checkHolds(TestLog test, List<Batch> expected) throws IOException {
    assertThat(Stored.batches(test.log).stream().sorted(BatchIdentity.ORDER).toList())
        .isEqualTo(expected);
  }

  @Test
  void segmentsAreRewrittenWithoutWhatIsDeletedAndWithAllElse() throws IOException {
    for (int round = 0; round < 20; round++) {
      Path own = Files.createDirectory(folder.resolve("round" + round));
      try (var test = TestLog.open(own)) {
        List<Batch> all = new ArrayList<>();
        for (int segment = 0; segment < 1 + random.nextInt(4); segment++) {
          List<Batch> some = batches(1 + random.nextInt(30));
          test.store(some);
          all.addAll(some);
        }
        if (round % 3 == 0) {
          test.settle();
        }
        Tombstones deleted = tombstones(all, 1 + random.nextInt(4));
        DeletionSweep sweep = sweep(test, deleted);
        run(sweep);
        checkHolds(test, left(all, deleted));
        assertThat(carriedOut(sweep, deleted)).containsExactlyElementsOf(deleted.all());
        assertThat(sweep.runOnce()).as("nothing is done twice").isFalse();
        int segments = test.log.live().size();
        assertThat(files(own, ".flushed")).hasSize(segments);
        assertThat(files(own, ".trashed")).isEmpty();
        List<Batch> late = batches(5);
        test.store(late);
        all.addAll(late);
        run(sweep);
        checkHolds(test, left(all, deleted));
      }
    }
  }

  @Test
  void aLateReplicaIsToldOfBeforeItIsSwept() throws IOException {
    try (var test = TestLog.open(folder)) {
      Topic topic = TOPICS.getFirst();
      Batch early = Records.lines(topic, Ulid.firstOf(1_700_000_000_000L), "0", "1");
      Batch late = Records.lines(topic, Ulid.firstOf(1_700_000_005_000L), "2", "3");
      Tombstone ofEarly = RandomTombstones.naming(topic, early.first()).all().iterator().next();
      Tombstone ofLate = RandomTombstones.naming(topic, late.first()).all().iterator().next();
      Tombstones deleted = Tombstones.NONE.plus(List.of(ofEarly, ofLate));
      test.store(List.of(early));
      DeletionSweep sweep = sweep(test, deleted);
      assertThat(carriedOut(sweep, deleted)).as("nothing was looked at").isEmpty();
      run(sweep);
      assertThat(carriedOut(sweep, deleted)).containsExactlyInAnyOrder(ofEarly, ofLate);
      test.store(List.of(late));
      assertThat(carriedOut(sweep, deleted)).containsExactly(ofEarly);
      run(sweep);
      assertThat(carriedOut(sweep, deleted)).containsExactlyInAnyOrder(ofEarly, ofLate);
    }
  }

  @Test
  void whatIsTrashedBeforeItIsRewrittenIsToldOfUntilItIsGone() throws IOException {
    try (var test = TestLog.open(folder)) {
      Topic topic = TOPICS.getFirst();
      Batch late = Records.lines(topic, Ulid.firstOf(1_700_000_005_000L), "2", "3");
      Tombstones deleted = RandomTombstones.naming(topic, late.first());
      DeletionSweep sweep = sweep(test, deleted);
      run(sweep);
      assertThat(carriedOut(sweep, deleted)).containsExactlyElementsOf(deleted.all());
      test.store(List.of(late));
      test.log.trash(test.log.live().getFirst(), Instant.now());
      assertThat(carriedOut(sweep, deleted)).as("it is in trash").isEmpty();
      run(sweep);
      assertThat(files(folder, ".trashed")).isEmpty();
      assertThat(carriedOut(sweep, deleted)).containsExactlyElementsOf(deleted.all());
    }
  }

  private static Collection<Tombstone> carriedOut(DeletionSweep sweep, Tombstones deleted) {
    var waiting = new WaitingDeletions(deleted);
    sweep.addTo(waiting);
    return waiting.carriedOut();
  }

  /** Senders may choose their ULIDs. */
  @Test
  void batchesWithinEachOtherAreKeptInOrder() throws IOException {
    Ulid first = Ulid.firstOf(1_700_000_000_000L);
    Batch outer = Records.lines(TOPICS.getFirst(), first, "0", "1", "2", "3", "4");
    Batch inner = Records.lines(TOPICS.getFirst(), first.plus(2), "i2", "i3");
    try (var test = TestLog.open(folder)) {
      test.store(List.of(outer, inner));
      Tombstones deleted = RandomTombstones.naming(TOPICS.getFirst(), first.plus(1));
      run(sweep(test, deleted));
      checkHolds(
          test,
          List.of(
              Records.lines(TOPICS.getFirst(), first, "0"),
              Records.lines(TOPICS.getFirst(), first.plus(2), "2", "3", "4")));
    }
  }

  @Test
  void theRestIsAsOldAsItWas() throws IOException {
    Instant written = Instant.parse("2026-01-02T03:04:05Z");
    List<Batch> batches = batches(20);
    try (var test = TestLog.open(folder)) {
      test.store(batches);
      Path file = test.log.live().getFirst().file();
      Files.setLastModifiedTime(file, FileTime.from(written));
      Batch one = batches.getFirst();
      run(sweep(test, RandomTombstones.naming(one.topic(), one.first())));
      Path rewritten = test.log.live().getFirst().file();
      assertThat(Files.getLastModifiedTime(rewritten).toInstant()).isEqualTo(written);
    }
  }

  @Test
  void trashAndWhatIsSetAsideGoesAndWhatIsLackingIsStillSaid() throws IOException {
    Batch secret = Records.lines(TOPICS.getFirst(), Ulid.firstOf(1_700_000_000_000L), "secret");
    Batch other = Records.lines(TOPICS.getFirst(), Ulid.firstOf(1_800_000_000_000L), "other");
    try (var test = TestLog.open(folder)) {
      for (Batch each : List.of(secret, other)) {
        test.store(List.of(each));
        test.log.trash(test.log.live().getFirst(), Instant.now());
      }
      test.store(List.of(secret));
      test.damageFirstBlock();
      test.heal(test.log.live().getFirst());
      Path damaged = files(folder, ".damaged").getFirst();
      Path stretch = folder.resolve("damaged").resolve(Ulid.firstOf(5) + "-17");
      Files.writeString(stretch, "secret");
      Path batch = folder.resolve("damaged").resolve(secret.range() + ".batch");
      Files.writeString(batch, "secret");
      Tombstones deleted = RandomTombstones.naming(secret.topic(), secret.first());
      run(sweep(test, deleted));
      assertThat(files(folder, ".trashed"))
          .singleElement()
          .satisfies(it -> assertThat(it.toString()).contains(other.first().toString()));
      assertThat(damaged).isEmptyFile();
      assertThat(batch).isEmptyFile();
      assertThat(stretch).doesNotExist();
      assertThat(test.log.lacks().in(secret.range())).isPresent();
    }
    try (var test = TestLog.open(folder)) {
      assertThat(test.log.lacks().in(secret.range())).as("after a restart, too").isPresent();
    }
  }

  @Test
  void aLossOfPowerBringsNothingBackAndTakesNothingElse() throws IOException {
    var disk = new CrashingFilesystem();
    Path own = Files.createDirectory(folder.resolve("own"));
    List<Batch> all = batches(8);
    Tombstones deleted = tombstones(all, 2);
    int from;
    try (var test = new TestLog(own, disk, 1 << 20)) {
      test.store(all.subList(0, 5));
      test.store(all.subList(5, 8));
      from = disk.point();
      run(sweep(test, deleted));
      checkHolds(test, left(all, deleted));
    }
    for (int point = from; point <= disk.point(); point++) {
      for (PowerLoss.Survival survival : PowerLoss.Survival.values()) {
        Path state = after(new PowerLoss(disk, point), survival, own);
        try (var test = new TestLog(state, Filesystem.real(), 1 << 20)) {
          List<Batch> found = left(Stored.batches(test.log), deleted);
          assertThat(found).as("%s at %d", survival, point).isEqualTo(left(all, deleted));
          if (point == disk.point()) {
            checkHolds(test, left(all, deleted));
          }
        }
      }
    }
  }

  private Path after(PowerLoss loss, PowerLoss.Survival survival, Path own) throws IOException {
    Path state = Files.createTempDirectory(folder, "state");
    for (var file : loss.state(survival, random).entrySet()) {
      Path path = state.resolve(own.relativize(file.getKey()));
      Files.createDirectories(path.getParent());
      Files.write(path, file.getValue().array());
    }
    return state;
  }

  /**
   * What is deleted stands in no byte of any file; the records are large and random, so that it
   * would.
   */
  @Test
  void noFileHoldsAByteOfWhatIsDeleted() throws IOException {
    List<byte[]> records = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      byte[] bytes = new byte[3000];
      random.nextBytes(bytes);
      for (int at = 0; at < bytes.length; at++) {
        bytes[at] = bytes[at] == '\n' ? 1 : bytes[at];
      }
      records.add(bytes);
    }
    Batch batch =
        Records.batch(TOPICS.getFirst(), Delimiter.LF, Ulid.firstOf(1_700_000_000_000L), records);
    try (var test = TestLog.open(folder)) {
      test.store(List.of(batch));
      assertThat(isAnywhere(records.get(1))).as("it would be found").isTrue();
      run(sweep(test, RandomTombstones.naming(batch.topic(), batch.first().plus(1))));
      assertThat(isAnywhere(records.get(1))).isFalse();
      assertThat(isAnywhere(records.get(0))).isTrue();
      assertThat(isAnywhere(records.get(2))).isTrue();
    }
  }

  private boolean isAnywhere(byte[] bytes) throws IOException {
    String wanted = new String(bytes, 100, 50, ISO_8859_1);
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        if (new String(Files.readAllBytes(file), ISO_8859_1).contains(wanted)) {
          return true;
        }
      }
    }
    return false;
  }

  private static List<Path> files(Path in, String ending) throws IOException {
    try (Stream<Path> list = Files.list(in)) {
      return list.filter(p -> p.toString().endsWith(ending)).toList();
    }
  }
}
