package io.cordwood.dist.system;

/**
 * What a test's random choices come from: {@code -Dcordwood.seed=N}, or else the clock. It is
 * printed, so that a failure can be had again.
 */
final class Seed {
  private Seed() {}

  static long of(Class<?> test) {
    long seed = Long.getLong("cordwood.seed", System.nanoTime());
    System.out.println(test.getSimpleName() + ": -Dcordwood.seed=" + seed);
    return seed;
  }
}
