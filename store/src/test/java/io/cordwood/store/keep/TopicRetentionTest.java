package io.cordwood.store.keep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.cordwood.common.file.CrashingFilesystem;
import io.cordwood.common.file.FaultAt;
import io.cordwood.common.file.FaultyFilesystem;
import io.cordwood.common.file.PowerLoss;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.Records;
import io.cordwood.common.segment.SegmentFiles;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.store.RetentionRule;
import io.cordwood.store.StoreOptions.Keeping;
import io.cordwood.store.segment.LiveSegment;
import io.cordwood.store.segment.Stored;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each topic is kept for its own time, also where it shares segments with others. */
final class TopicRetentionTest extends RetentionFixture {
  private static final Topic SHOP = new Topic("shop");
  private static final Topic AUDIT = new Topic("audit-web");
  private static final int MAX_CHANGES = 100;

  /** Audits for 90 days, debugging for one, all else for a week. */
  private Retention retention(TestLog test) throws IOException {
    var rules = Stream.of("audit*=90d", "7d", "debug=1d").map(RetentionRule::parse).toList();
    return test.retention(
        new Keeping(RetentionRule.all(rules, DAY.multipliedBy(7)), DAY, 0),
        () -> wall,
        () -> nanos);
  }

  private static Batch batch(Topic topic, Duration afterStart) {
    var first = Ulid.firstOf(START.plus(afterStart).toEpochMilli());
    return Records.lines(topic, first, topic + " " + afterStart);
  }

  private static void store(TestLog test, Instant written, Batch... batches) throws IOException {
    List<LiveSegment> before = test.log.live();
    test.store(List.of(batches));
    for (LiveSegment segment : test.log.live()) {
      if (!before.contains(segment)) {
        Files.setLastModifiedTime(segment.file(), FileTime.from(written));
      }
    }
  }

  private static void run(Retention retention) throws IOException {
    retention.run();
    while (retention.rewriteNext()) {
      // Goes on.
    }
  }

  @Test
  void eachTopicOfASegmentGoesInItsOwnTime() throws IOException {
    Batch shop = batch(SHOP, Duration.ZERO);
    Batch debug = batch(new Topic("debug"), Duration.ZERO);
    Batch audit = batch(AUDIT, Duration.ZERO);
    try (var test = TestLog.open(folder)) {
      store(test, START, shop, debug, audit);
      var retention = retention(test);
      pass(DAY);
      run(retention);
      assertThat(Stored.batches(test.log)).hasSize(3);

      pass(Duration.ofMinutes(1));
      run(retention);
      assertThat(Stored.batches(test.log)).containsExactly(audit, shop);

      pass(DAY.multipliedBy(6));
      run(retention);
      assertThat(Stored.batches(test.log)).containsExactly(audit);

      pass(DAY.multipliedBy(83).minusMinutes(2));
      run(retention);
      assertThat(Stored.batches(test.log)).containsExactly(audit);
      pass(Duration.ofMinutes(2));
      run(retention);
      assertThat(Stored.batches(test.log)).isEmpty();
    }
  }

  @Test
  void whatWasTakenOutIsTrashForTheGraceAndCanBeTakenBack() throws IOException {
    try (var test = TestLog.open(folder)) {
      store(test, START, batch(SHOP, Duration.ZERO), batch(AUDIT, Duration.ZERO));
      var retention = retention(test);
      pass(DAY.multipliedBy(7).plusMinutes(1));
      run(retention);
      assertThat(files(".trashed")).hasSize(1);
      assertThat(files(".flushed")).hasSize(1);
    }
    Path trash = files(".trashed").getFirst();
    Path back =
        trash.resolveSibling(trash.getFileName().toString().replace(".trashed", "-7.flushed"));
    Files.copy(trash, back);
    try (var test = TestLog.open(folder)) {
      assertThat(Stored.batches(test.log))
          .containsExactly(batch(AUDIT, Duration.ZERO), batch(SHOP, Duration.ZERO));
      store(test, START.plus(DAY.multipliedBy(7)), batch(AUDIT, DAY.multipliedBy(7)));
      var retention = retention(test);
      pass(DAY.plusMinutes(1));
      run(retention);
      assertThat(files(".trashed")).doesNotContain(trash);
    }
  }

  @Test
  void aTopicStaysUntilItsNewestRecordInTheSegmentIsOld() throws IOException {
    Batch old = batch(SHOP, Duration.ZERO);
    Batch young = batch(SHOP, DAY);
    Batch audit = batch(AUDIT, DAY.multipliedBy(2));
    try (var test = TestLog.open(folder)) {
      store(test, START, old, young, audit);
      var retention = retention(test);
      pass(DAY.multipliedBy(8));
      run(retention);
      assertThat(Stored.batches(test.log)).containsExactly(audit, old, young);

      pass(Duration.ofMinutes(1));
      run(retention);
      assertThat(Stored.batches(test.log)).containsExactly(audit);
    }
  }

  @Test
  void bothWitnessesMustAgreeOnEachTopic() throws IOException {
    try (var test = TestLog.open(folder)) {
      Duration longAgo = DAY.multipliedBy(-300);
      store(test, START, batch(SHOP, longAgo), batch(AUDIT, longAgo));
      store(
          test,
          START.plus(longAgo),
          batch(SHOP, Duration.ZERO),
          batch(AUDIT, Duration.ofMillis(1)));
      store(test, START, batch(AUDIT, Duration.ofMillis(2)));
      var retention = retention(test);
      pass(DAY);
      run(retention);
      assertThat(Stored.batches(test.log)).hasSize(5);
      assertThat(files(".trashed")).isEmpty();

      pass(DAY.multipliedBy(6).plusMinutes(1));
      run(retention);
      assertThat(Stored.batches(test.log))
          .extracting(Batch::topic)
          .as("the topic with 7 days is old by both")
          .containsExactly(AUDIT, AUDIT, AUDIT);
    }
  }

  @Test
  void aClockThatJumpsAheadTakesNothingOut() throws IOException {
    try (var test = TestLog.open(folder)) {
      store(test, START, batch(SHOP, Duration.ZERO), batch(AUDIT, Duration.ZERO));
      var retention = retention(test);
      wall = START.plus(DAY.multipliedBy(400));
      run(retention);
      pass(DAY.multipliedBy(2));
      run(retention);

      assertThat(Stored.batches(test.log)).hasSize(2);
      assertThat(files(".trashed")).isEmpty();
    }
  }

  @Test
  void segmentsOfTopicsThatAreKeptForTheSameTimeAreNotRewritten() throws IOException {
    try (var test = TestLog.open(folder)) {
      store(test, START, batch(AUDIT, Duration.ZERO), batch(new Topic("audit"), Duration.ZERO));
      List<Path> before = files(".flushed");
      var retention = retention(test);
      pass(DAY.multipliedBy(60));
      run(retention);

      assertThat(files(".flushed")).isEqualTo(before);
      assertThat(files(".trashed")).isEmpty();
    }
  }

  @Test
  void aQueryFinishesOnWhatIsTakenOutMeanwhile() throws IOException {
    try (var test = TestLog.open(folder)) {
      store(test, START, batch(SHOP, Duration.ZERO), batch(AUDIT, Duration.ZERO));
      var retention = retention(test);
      try (var view = test.log.view(UlidRange.ALL)) {
        pass(DAY.multipliedBy(7).plusMinutes(1));
        run(retention);
        pass(DAY.plusMinutes(1));
        run(retention);

        assertThat(files(".trashed")).isEmpty();
        assertThat(Stored.merged(view.segments())).hasSize(2);
      }
    }
  }

  @Test
  void withoutRoomForWhatStaysASegmentWaitsAndIsCounted() throws IOException {
    var disk = new FaultyFilesystem((_, _) -> false);
    try (var test = new TestLog(folder, disk, 1 << 20)) {
      store(test, START, batch(SHOP, Duration.ZERO), batch(AUDIT, Duration.ZERO));
      var retention = retention(test);
      pass(DAY.multipliedBy(7).plusMinutes(1));
      disk.sayUsable(1 << 10);
      run(retention);
      assertThat(Stored.batches(test.log)).hasSize(2);
      assertThat(waiting(test)).isEqualTo(1);
      assertThat(
              test.registry
                  .get("cordwood.store.failures")
                  .tag("what", "retention-no-room")
                  .counter()
                  .count())
          .isEqualTo(1);

      disk.sayUsable(1 << 30);
      run(retention);
      assertThat(Stored.batches(test.log)).hasSize(1);
      assertThat(waiting(test)).isZero();
    }
  }

  private static double waiting(TestLog test) {
    return test.registry.get("cordwood.store.retention.waiting.segments").gauge().value();
  }

  /** A disk that fails at each step in turn, once or for good. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void afterAnyFailureWhatIsKeptIsThereAndTheRestGoesInTheEnd(boolean forGood) throws IOException {
    var fault = new FaultAt();
    List<Batch> all = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      all.add(batch(i % 3 == 0 ? AUDIT : SHOP, Duration.ofMillis(i)));
    }
    List<Batch> audits = all.stream().filter(b -> b.topic().equals(AUDIT)).toList();
    Path parent = folder;
    for (int step = 0; step < MAX_CHANGES; step++) {
      folder = parent.resolve(Integer.toString(step));
      wall = START;
      fault.failAt(Long.MAX_VALUE, false);
      try (var test = new TestLog(folder, new FaultyFilesystem(fault), 1 << 20)) {
        store(test, START, all.toArray(Batch[]::new));
        var retention = retention(test);
        pass(DAY.multipliedBy(7).plusMinutes(1));
        retention.run();
        fault.failAt(step, forGood);
        try {
          run(retention);
        } catch (IOException e) {
          assertThat(Stored.batches(test.log)).isEqualTo(SegmentFiles.sorted(all));
        }
      }
      boolean failed = fault.hasFailed();
      try (var again = TestLog.open(folder)) {
        assertThat(Stored.batches(again.log))
            .as("step %d", step)
            .isIn(SegmentFiles.sorted(all), SegmentFiles.sorted(audits));
        var retention = retention(again);
        pass(DAY.multipliedBy(8));
        run(retention);
        assertThat(Stored.batches(again.log)).isEqualTo(SegmentFiles.sorted(audits));
      }
      if (!failed) {
        assertThat(step).isPositive();
        return;
      }
    }
    fail("more than %d steps", MAX_CHANGES);
  }

  @Test
  void aPowerLossAtAnyPointLeavesTheOldOrTheRest() throws IOException {
    List<Batch> all = List.of(batch(AUDIT, Duration.ZERO), batch(SHOP, Duration.ZERO));
    var disk = new CrashingFilesystem();
    Path store = folder.resolve("store");
    int from;
    try (var test = new TestLog(store, disk, 1 << 20)) {
      store(test, START, all.toArray(Batch[]::new));
      from = disk.point();
      var retention = retention(test);
      pass(DAY.multipliedBy(7).plusMinutes(1));
      run(retention);
      assertThat(Stored.batches(test.log)).containsExactly(all.getFirst());
    }
    var random = new SplittableRandom(3);
    var loss = new PowerLoss(disk, from);
    for (int point = from; point <= disk.point(); point++) {
      loss.goOnTo(point);
      for (PowerLoss.Survival survival : PowerLoss.Survival.values()) {
        Path left = Files.createDirectory(folder.resolve(point + "-" + survival));
        for (var file : loss.state(survival, random).entrySet()) {
          if (store.equals(file.getKey().getParent())) {
            Files.write(left.resolve(file.getKey().getFileName()), file.getValue().array());
          }
        }
        try (var again = TestLog.open(left)) {
          assertThat(Stored.batches(again.log))
              .as("%s %s", point, survival)
              .isIn(all, all.subList(0, 1));
        }
        try (Stream<Path> files = Files.list(left)) {
          assertThat(files).noneMatch(file -> file.toString().matches(".*[.](active|swap)"));
        }
      }
    }
  }
}
