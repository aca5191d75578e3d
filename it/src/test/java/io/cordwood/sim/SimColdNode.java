package io.cordwood.sim;

import io.cordwood.common.cold.ColdReader;
import io.cordwood.common.cold.ColdTimes;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A node that reads a bucket: what is on its disk, and what is in its memory while it runs. */
abstract class SimColdNode {
  private static final long CACHE_BYTES = 1 << 20;
  private static final long MOST_REQUESTS = 100_000;

  final ColdLife life;
  final Sim sim;
  final String id;
  final Path folder;
  final SplittableRandom random;

  /** The clock of its machine, which may be wrong. */
  final InstantSource clock;

  final SimBucketClient reads;
  private Sim.Life process;
  private int lives;
  private long sleptNanos;
  private SimBucket place;
  private @Nullable ColdReader reader;

  /** Something that a node does now and then. */
  @FunctionalInterface
  interface Step {
    void run() throws IOException;
  }

  SimColdNode(ColdLife life, String id) {
    this.life = life;
    this.sim = life.sim;
    this.id = id;
    this.folder = life.folder().resolve(id);
    this.random = sim.random.split();
    this.place = life.bucket;
    double part = 2 * life.faults().random(Faults.Kind.CLOCK).nextDouble() - 1;
    long wrong = (long) (part * life.faults().rate(Faults.Kind.CLOCK) * 1000);
    this.clock = () -> sim.instant().plusMillis(wrong);
    this.reads = new SimBucketClient(life, this, folder.resolve("cold/names"));
    this.process = new Sim.Life(id);
    process.kill();
  }

  Sim.Life process() {
    return process;
  }

  boolean isUp() {
    return !process.isOver();
  }

  /** Whether it answers now. */
  boolean isAwake() {
    return isUp() && process.pausedUntil() <= sim.nanos();
  }

  /** What its machine counts, which stands still while that sleeps. */
  long nanoTime() {
    return sim.nanos() - sleptNanos;
  }

  /** Changes with each sleep, which breaks connections. */
  long sleptNanos() {
    return sleptNanos;
  }

  SimBucket place() {
    return place;
  }

  /** What is mounted where its bucket was. */
  void mount(SimBucket other) {
    place = other;
  }

  /** It does nothing for a while, as by SIGSTOP. */
  void pause(long nanos) {
    process.pauseUntil(sim.nanos() + nanos);
  }

  /** Its machine sleeps for a while. */
  void sleep(long nanos) {
    pause(nanos);
    sleptNanos += nanos;
  }

  final void start() throws IOException {
    process = new Sim.Life(id + "/" + ++lives);
    sim.note(process, "starts");
    try {
      started();
    } catch (Sim.Crash e) {
      end("ends while it starts");
    }
  }

  final void end(String how) {
    sim.note(process, how);
    process.kill();
    closeReader();
    ended();
  }

  abstract void started() throws IOException;

  /** Nothing may change on its disk any more. */
  abstract void ended();

  /** Whether it has {@code --cold}. */
  boolean readsBucket() {
    return true;
  }

  ColdReader reader() {
    return Objects.requireNonNull(reader);
  }

  /** A new reader, as a process has it. */
  void openReader(ColdTimes times) throws IOException {
    boolean countsNoSleep = life.makes(Mistake.COUNT_NO_SLEEP);
    openReader(times, countsNoSleep ? this::countedTime : clock, this::nanoTime);
  }

  /**
   * A new reader.
   *
   * @param wall clock by which it looks at the age of lists
   * @param monotonic the same
   */
  void openReader(ColdTimes times, InstantSource wall, LongSupplier monotonic) throws IOException {
    closeReader();
    reader =
        new ColdReader(
            reads,
            new ColdReader.Options(folder.resolve("cold"), CACHE_BYTES, MOST_REQUESTS, times),
            wall,
            monotonic,
            new SimpleMeterRegistry());
  }

  /** The time of a clock that stands still while the machine sleeps. */
  private Instant countedTime() {
    return sim.at(nanoTime());
  }

  private void closeReader() {
    if (reader != null) {
      reader.close();
      reader = null;
    }
  }

  /** Does something again and again; what the bucket makes of it is tried again. */
  void every(Duration period, String what, Step step) {
    sim.every(period.toNanos(), process, () -> run(what, step));
  }

  private void run(String what, Step step) {
    try {
      step.run();
    } catch (IOException e) {
      sim.note(process, what + ": " + e.getMessage());
    } catch (Sim.Crash e) {
      end("ends at its disk");
    }
  }

  @Override
  public String toString() {
    return id;
  }
}
