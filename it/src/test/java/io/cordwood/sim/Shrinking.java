package io.cordwood.sim;

import io.cordwood.sim.Simulation.Result;
import java.util.HashSet;
import java.util.Set;

/**
 * Looks for a shorter run that fails, too: first without a kind of faults after the other, then
 * with the first of its faults only, then with less time.
 */
final class Shrinking {
  private Result shortest;
  private int runs;

  private Shrinking(Result failed) {
    this.shortest = failed;
  }

  /**
   * The shortest run that was found.
   *
   * @param runs that it took
   */
  record Shrunk(Result result, int runs) {}

  /** The shortest run that fails as the given one, in any way. */
  static Shrunk of(Result failed) {
    if (failed.violation().isEmpty()) {
      throw new IllegalArgumentException("expected a run that fails, found " + failed.run());
    }
    var shrinking = new Shrinking(failed);
    shrinking.dropKinds();
    shrinking.dropEvents();
    shrinking.dropMinutes();
    return new Shrunk(shrinking.shortest, shrinking.runs);
  }

  private boolean fails(Run shorter) {
    runs++;
    Result result = Simulation.run(shorter);
    if (result.violation().isEmpty()) {
      return false;
    }
    shortest = result;
    return true;
  }

  private void dropKinds() {
    for (Faults.Kind kind : Set.copyOf(shortest.kinds()).stream().sorted().toList()) {
      Set<Faults.Kind> fewer = new HashSet<>(shortest.kinds());
      fewer.remove(kind);
      boolean _ = fails(shortest.run().with(new Faults.Limits(fewer, Long.MAX_VALUE)));
    }
  }

  private void dropEvents() {
    long tooFew = -1;
    long enough = shortest.faults();
    boolean _ = fails(shortest.run().with(new Faults.Limits(shortest.kinds(), enough)));
    while (enough - tooFew > 1) {
      long half = (enough + tooFew) / 2;
      if (fails(shortest.run().with(new Faults.Limits(shortest.kinds(), half)))) {
        enough = half;
      } else {
        tooFew = half;
      }
    }
  }

  private void dropMinutes() {
    int minutes = shortest.run().shape().minutes();
    while (minutes > 1 && fails(shortest.run().withMinutes(minutes / 2))) {
      minutes /= 2;
    }
  }
}
