package io.cordwood.sim;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import io.cordwood.sim.SimCluster.Shape;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.slf4j.LoggerFactory;

/** Runs of simulated clusters. */
final class Simulation {
  private Simulation() {}

  /**
   * How a run went.
   *
   * @param hash of all its events
   * @param report for people
   */
  record Result(long seed, long hash, Optional<String> violation, String costs, String report) {}

  /**
   * A run whose size follows from its seed.
   *
   * @param minutes with faults
   */
  static Result run(long seed, int minutes, Mistake mistake) {
    int ingest = 1 + (int) (seed % 3);
    int stores = 3 + (int) (seed / 3 % 3);
    int copies = seed % 4 == 0 ? 3 : seed % 4 == 1 ? 1 : 2;
    return run(seed, new Shape(ingest, stores, 2, copies, minutes), Optional.empty(), mistake);
  }

  /** A run in a thread of its own, so that its strands cost little. */
  static Result run(long seed, Shape shape, Optional<Faults> faults, Mistake mistake) {
    var task = new FutureTask<>(() -> runHere(seed, shape, faults, mistake));
    Thread.ofVirtual().name("simulation-" + seed).start(task);
    try {
      return task.get();
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException("seed " + seed, e);
    }
  }

  /** Nodes write much to their logs, and each line costs more than an event. */
  private static void silence() {
    if (LoggerFactory.getILoggerFactory() instanceof LoggerContext logs) {
      logs.getLogger(Logger.ROOT_LOGGER_NAME).setLevel(Level.OFF);
    }
  }

  private static Result runHere(long seed, Shape shape, Optional<Faults> faults, Mistake mistake) {
    silence();
    var cluster = new SimCluster(seed, shape, faults, mistake);
    Optional<String> violation = Optional.empty();
    try {
      cluster.run();
    } catch (SimCluster.Violation e) {
      violation = Optional.of(String.valueOf(e.getMessage()));
    } catch (IllegalStateException e) {
      if (!(e.getCause() instanceof SimCluster.Violation found)) {
        throw e;
      }
      violation = Optional.of(String.valueOf(found.getMessage()));
    } finally {
      cluster.sim.end();
    }
    String report =
        "%s%n%s%n%s%nagain: SEED=%d SEEDS=1 MINUTES=%d bench/simulate, mistake %s%n%s"
            .formatted(
                String.join("\n", cluster.sim.lastEvents()),
                cluster.costs(),
                shape,
                seed,
                shape.minutes(),
                mistake,
                violation.orElse("no violation"));
    return new Result(seed, cluster.sim.hash(), violation, cluster.costs(), report);
  }
}
