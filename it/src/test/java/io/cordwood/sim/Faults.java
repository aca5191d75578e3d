package io.cordwood.sim;

import java.util.SplittableRandom;

/**
 * What goes wrong in a run, by its seed: most seeds have few kinds of faults. Rates are per virtual
 * hour and node; 0 for never.
 *
 * @param kills of processes
 * @param powerLosses of machines
 * @param diskCrashes as which part of all changes of a disk its process ends
 * @param cuts of the way from one node to another
 * @param pauses as by SIGSTOP
 * @param losses of stores, for good, in all
 * @param resets as which part of all calls breaks off
 * @param slowCalls as which part of all calls takes long
 */
record Faults(
    double kills,
    double powerLosses,
    double diskCrashes,
    double cuts,
    double pauses,
    double losses,
    double resets,
    double slowCalls) {
  static final Faults NONE = new Faults(0, 0, 0, 0, 0, 0, 0, 0);

  static Faults of(SplittableRandom random) {
    return new Faults(
        sometimes(random, 8),
        sometimes(random, 8),
        sometimes(random, 0.002),
        sometimes(random, 6),
        sometimes(random, 3),
        sometimes(random, 2),
        sometimes(random, 0.05),
        sometimes(random, 0.1));
  }

  private static double sometimes(SplittableRandom random, double most) {
    double rate = random.nextDouble() * most;
    return random.nextInt(3) == 0 ? rate : 0;
  }
}
