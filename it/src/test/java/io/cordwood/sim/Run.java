package io.cordwood.sim;

import io.cordwood.sim.SimCluster.Shape;

/**
 * A run that can be done again.
 *
 * @param limits what is left of the faults of its seed
 * @param cold whether it is of stores with a bucket
 */
record Run(long seed, Shape shape, Faults.Limits limits, Mistake mistake, boolean cold) {
  /**
   * A run whose size follows from its seed.
   *
   * @param minutes with faults
   */
  static Run of(long seed, int minutes, Faults.Limits limits, Mistake mistake) {
    int ingest = 1 + (int) (seed % 3);
    int stores = 3 + (int) (seed / 3 % 3);
    int copies = seed % 4 == 0 ? 3 : seed % 4 == 1 ? 1 : 2;
    return new Run(seed, new Shape(ingest, stores, 2, copies, minutes), limits, mistake, false);
  }

  /**
   * A run of stores with a bucket.
   *
   * @param minutes with faults; there should be days of them
   */
  static Run cold(long seed, int minutes, Faults.Limits limits, Mistake mistake) {
    return new Run(seed, new Shape(0, 3, 3, 2, minutes), limits, mistake, true);
  }

  static Run of(long seed, int minutes, Mistake mistake) {
    return of(seed, minutes, Faults.Limits.ALL, mistake);
  }

  Run with(Faults.Limits less) {
    return new Run(seed, shape, less, mistake, cold);
  }

  Run withMinutes(int minutes) {
    return new Run(seed, shape.withMinutes(minutes), limits, mistake, cold);
  }

  /** The command that does it again. */
  String command() {
    Faults.Limits all = cold ? Faults.Limits.COLD : Faults.Limits.ALL;
    return "SEED=%d SEEDS=1 MINUTES=%d FAULTS=%s%s%s%s bench/simulate"
        .formatted(
            seed,
            shape.minutes(),
            limits.kinds().equals(all.kinds()) ? "all" : limits.named(),
            cold ? " COLD=true" : "",
            limits.events() == Long.MAX_VALUE ? "" : " EVENTS=" + limits.events(),
            mistake == Mistake.NONE ? "" : " MISTAKE=" + mistake);
  }
}
