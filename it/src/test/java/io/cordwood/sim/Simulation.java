package io.cordwood.sim;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.slf4j.LoggerFactory;

/** Runs of simulated clusters. */
final class Simulation {
  private Simulation() {}

  /**
   * How a run went.
   *
   * @param hash of all its events
   * @param kinds of faults that it had
   * @param faults that happened
   * @param report for people
   */
  record Result(
      Run run,
      long hash,
      Optional<String> violation,
      Set<Faults.Kind> kinds,
      long faults,
      String costs,
      String report) {}

  /** A run in a thread of its own, so that its strands cost little. */
  static Result run(Run run) {
    var task = new FutureTask<>(() -> runHere(run));
    Thread.ofVirtual().name("simulation-" + run.seed()).start(task);
    try {
      return task.get();
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException(run.command(), e);
    }
  }

  /** Nodes write much to their logs, and each line costs more than an event. */
  static void silence() {
    if (LoggerFactory.getILoggerFactory() instanceof LoggerContext logs) {
      logs.getLogger(Logger.ROOT_LOGGER_NAME).setLevel(Level.OFF);
    }
  }

  private static Result runHere(Run run) throws IOException {
    silence();
    if (!run.cold()) {
      return runHere(run, new SimCluster(run));
    }
    Path folder = Files.createTempDirectory("simulation");
    try {
      return runHere(run, new ColdLife(run, folder));
    } finally {
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  private static Result runHere(Run run, World world) throws IOException {
    Optional<String> violation = Optional.empty();
    try {
      world.run();
    } catch (SimCluster.Violation e) {
      violation = Optional.of(String.valueOf(e.getMessage()));
    } catch (IllegalStateException e) {
      if (!(e.getCause() instanceof SimCluster.Violation found)) {
        throw e;
      }
      violation = Optional.of(String.valueOf(found.getMessage()));
    } finally {
      world.sim().end();
    }
    Faults faults = world.faults();
    return new Result(
        run,
        world.sim().hash(),
        violation,
        Set.copyOf(faults.kinds()),
        faults.count(),
        world.costs(),
        report(world, run, violation.orElse("no violation")));
  }

  /** The last events of the nodes that a violation names, and what happened. */
  private static String report(World world, Run run, String violation) {
    return "%s%n%s%n%s%n%s%nagain: %s%n"
        .formatted(
            String.join(
                "\n",
                world
                    .sim()
                    .lastEvents(node -> node.equals(World.WORLD_NAME) || violation.contains(node))),
            world.costs(),
            run.shape(),
            violation,
            run.command());
  }
}
