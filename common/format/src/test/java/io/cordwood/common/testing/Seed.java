package io.cordwood.common.testing;

/**
 * What a test's random choices come from: {@code -Dcordwood.seed=N}, or else always the same, so
 * that a change is judged by what it does. The hunts of {@code bench/} draw theirs. It is printed,
 * so that a failure can be had again.
 */
public final class Seed {
  private static final long USUAL = 20_261_126L;

  private Seed() {}

  public static long of(Class<?> test) {
    long seed = Long.getLong("cordwood.seed", USUAL);
    System.out.println(test.getSimpleName() + ": -Dcordwood.seed=" + seed);
    return seed;
  }
}
