package io.cordwood.sim;

import io.cordwood.sim.SimCluster.Shape;

/**
 * A run that can be done again.
 *
 * @param limits what is left of the faults of its seed
 */
record Run(long seed, Shape shape, Faults.Limits limits, Mistake mistake) {
  /**
   * A run whose size follows from its seed.
   *
   * @param minutes with faults
   */
  static Run of(long seed, int minutes, Faults.Limits limits, Mistake mistake) {
    int ingest = 1 + (int) (seed % 3);
    int stores = 3 + (int) (seed / 3 % 3);
    int copies = seed % 4 == 0 ? 3 : seed % 4 == 1 ? 1 : 2;
    return new Run(seed, new Shape(ingest, stores, 2, copies, minutes), limits, mistake);
  }

  static Run of(long seed, int minutes, Mistake mistake) {
    return of(seed, minutes, Faults.Limits.ALL, mistake);
  }

  Run with(Faults.Limits less) {
    return new Run(seed, shape, less, mistake);
  }

  Run withMinutes(int minutes) {
    return new Run(seed, shape.withMinutes(minutes), limits, mistake);
  }

  /** The command that does it again. */
  String command() {
    return "SEED=%d SEEDS=1 MINUTES=%d FAULTS=%s%s%s bench/simulate"
        .formatted(
            seed,
            shape.minutes(),
            limits.equals(Faults.Limits.ALL) || limits.kinds().equals(Faults.Limits.ALL.kinds())
                ? "all"
                : limits.named(),
            limits.events() == Long.MAX_VALUE ? "" : " EVENTS=" + limits.events(),
            mistake == Mistake.NONE ? "" : " MISTAKE=" + mistake);
  }
}
