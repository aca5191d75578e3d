package io.cordwood.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.function.LongFunction;
import java.util.stream.LongStream;

/** Asserts of runs what is the same for all kinds of clusters. */
final class SeedRuns {
  private SeedRuns() {}

  /** A run is the same each time. */
  static void assertRepeatable(Run run) {
    Simulation.Result first = Simulation.run(run);
    Simulation.Result second = Simulation.run(run);
    assertThat(second.hash()).as(second.costs()).isEqualTo(first.hash());
  }

  /**
   * Asserts that a mistake is found, and prints by which seed.
   *
   * @param most seeds, from 1, within which it has to be
   * @param run with the mistake, by its seed
   */
  static void assertFound(String test, Mistake mistake, int most, LongFunction<Run> run) {
    Optional<Simulation.Result> found = firstThatFails(most, run);
    assertThat(found).as("%s within %d seeds", mistake, most).isPresent();
    System.out.printf(
        "%s: %s: seed %d: %s%n",
        test,
        mistake,
        found.orElseThrow().run().seed(),
        found.orElseThrow().violation().orElseThrow());
  }

  static Optional<Simulation.Result> firstThatFails(int most, LongFunction<Run> run) {
    return LongStream.rangeClosed(1, most)
        .mapToObj(seed -> Simulation.run(run.apply(seed)))
        .filter(result -> result.violation().isPresent())
        .findFirst();
  }

  /** For a person: the shortest run that was found to fail in the same way. */
  static String shortest(Simulation.Result failed) {
    Shrinking.Shrunk shrunk = Shrinking.of(failed);
    return "%s%nfound by: %s%nwith %d faults; the shortest of %d runs has %d of %s%n"
        .formatted(
            shrunk.result().report(),
            failed.run().command(),
            failed.faults(),
            shrunk.runs(),
            shrunk.result().faults(),
            shrunk.result().kinds());
  }
}
