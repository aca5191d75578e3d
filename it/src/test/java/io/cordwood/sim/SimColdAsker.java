package io.cordwood.sim;

import io.cordwood.common.cold.ColdTimes;
import io.cordwood.common.cold.ColdView;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.BatchInfo;
import io.cordwood.common.segment.BlockDecoder;
import io.cordwood.common.segment.BlockInfo;
import io.cordwood.common.segment.Segment;
import io.cordwood.common.segment.SegmentSource;
import io.cordwood.common.segment.SegmentSource.Evicted;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.query.gather.SimColdVerdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** A node that asks all stores and the bucket for everything, over and over. */
final class SimColdAsker extends SimColdNode {
  private static final long EVERY = Duration.ofHours(1).toNanos();
  private static final long USUAL_GAP = Duration.ofSeconds(5).toNanos();
  private static final long LONG_GAP = Duration.ofHours(5).toNanos();

  private final boolean readsBucket;
  private Optional<Answer> last = Optional.empty();

  /** An answer that grows. */
  static final class Answer {
    private final int before;
    private final Set<BatchInfo> found = new HashSet<>();
    private final List<String> doubts = new ArrayList<>();
    private final List<Part> parts = new ArrayList<>();
    private SimColdVerdict bucket = SimColdVerdict.alone();

    Answer(int before) {
      this.before = before;
    }

    Set<BatchInfo> found() {
      return found;
    }

    List<String> doubts() {
      return doubts;
    }
  }

  /** What a store said that it let go of. */
  private record Part(String store, List<Evicted> gone, long nanos) {}

  SimColdAsker(ColdLife life, String id, boolean readsBucket) {
    super(life, id);
    this.readsBucket = readsBucket;
  }

  @Override
  boolean readsBucket() {
    return readsBucket;
  }

  /** Its last answer. */
  Optional<Answer> last() {
    return last;
  }

  @Override
  void started() throws IOException {
    open();
    sim.start(
        "ask",
        process(),
        () -> {
          while (true) {
            sim.current().sleep(EVERY / 2 + random.nextLong(EVERY));
            ask();
          }
        });
  }

  @Override
  void ended() {}

  private void open() throws IOException {
    if (life.makes(Mistake.USE_OLD_LISTS)) {
      Instant opened = clock.instant();
      openReader(ColdTimes.USUAL, () -> opened, () -> 0);
    } else {
      openReader(ColdTimes.USUAL);
    }
  }

  private void ask() throws IOException {
    long slept = sleptNanos();
    var answer = new Answer(life.ledger.count());
    boolean bucketFirst = random.nextBoolean();
    if (life.makes(Mistake.FORGET_NAMES)) {
      forgetBucket();
    }
    if (bucketFirst) {
      askBucket(answer);
    }
    for (SimColdStore store : List.copyOf(life.stores())) {
      sim.current().sleep(gap());
      ask(store, answer);
    }
    if (!bucketFirst) {
      askBucket(answer);
    }
    if (slept == sleptNanos()) {
      judge(answer);
    }
  }

  /** Until it asks the next one. Answers with a long one are rightly doubtful. */
  private long gap() {
    boolean isLong = life.faults().happens(Faults.Kind.LATE_QUESTION);
    return random.nextLong(isLong ? LONG_GAP : USUAL_GAP);
  }

  private void forgetBucket() throws IOException {
    reads.learn();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.delete(file);
      }
    }
    open();
  }

  private void ask(SimColdStore store, Answer answer) throws IOException {
    if (!store.isAwake()) {
      answer.doubts.add(store + " is silent");
      return;
    }
    answer.found.addAll(store.held());
    answer.parts.add(new Part(store.id, store.evicted(), nanoTime()));
  }

  private void askBucket(Answer answer) {
    if (!readsBucket) {
      return;
    }
    try (ColdView view = reader().view(UlidRange.ALL, () -> false)) {
      for (Segment segment : view.segments()) {
        read(segment, answer);
      }
      // By the real clock, as answers go by it.
      long reliable = view.reliableUntilNanos() - System.nanoTime();
      answer.bucket =
          SimColdVerdict.searched(
              view.place(),
              life.makes(Mistake.RELY_ON_A_LIST_FOR_EVER) ? Long.MAX_VALUE : nanoTime() + reliable);
      Optional<SegmentSource.Lack> lack = view.lack();
      if (lack.isPresent() && !life.makes(Mistake.OVERLOOK_WHAT_IS_UNREAD)) {
        answer.doubts.add(lack.get().reason());
      }
    } catch (IOException e) {
      answer.doubts.add("bucket: " + e.getMessage());
    }
  }

  private static void read(Segment segment, Answer answer) {
    try (var decoder = new BlockDecoder()) {
      for (BlockInfo block : segment.blocks()) {
        for (Batch batch : segment.read(block, decoder).toBatches()) {
          answer.found.add(BatchInfo.of(batch));
        }
      }
    } catch (IOException e) {
      // The view has noted it.
    }
  }

  private void judge(Answer answer) {
    for (Part part : answer.parts) {
      answer.bucket.doubt(part.store, part.gone, part.nanos).ifPresent(answer.doubts::add);
    }
    answer.doubts.addAll(life.missed());
    last = Optional.of(answer);
    boolean complete = answer.doubts.isEmpty();
    sim.note(
        process(),
        "finds %d, %s".formatted(answer.found.size(), complete ? "complete" : answer.doubts));
    life.asked(complete);
    if (complete) {
      life.complete(this, answer.before, answer.found);
    }
  }
}
