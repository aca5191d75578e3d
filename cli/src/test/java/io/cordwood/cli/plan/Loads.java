package io.cordwood.cli.plan;

import java.util.List;
import java.util.Random;

/** Loads and machines for tests, the same ones for the same seed. */
final class Loads {
  static final double DAY = 86_400;
  private final Random random;

  Loads(long seed) {
    this.random = new Random(seed);
  }

  static Load of(double bytesPerSecond, int copies) {
    return new Load(bytesPerSecond, 1, 7 * DAY, copies, 0, 3600, List.of());
  }

  /** From a kB to a GB a second. */
  Load any() {
    List<Question> questions =
        random.nextBoolean()
            ? List.of()
            : List.of(
                new Question(Question.Kind.ABSENT, DAY * between(0.01, 10), between(1e-4, 0.01)),
                new Question(Question.Kind.RARE, between(60, DAY), between(1e-4, 0.01)));
    return new Load(
        logBetween(1e3, 1e9),
        between(1, 10),
        DAY * logBetween(0.01, 400),
        1 + random.nextInt(3),
        between(0, 0.1),
        between(0, 7200),
        questions);
  }

  Machine machine() {
    return new Machine(
        logBetween(0.25, 64),
        random.nextBoolean() ? Double.POSITIVE_INFINITY : logBetween(1e12, 1e14),
        random.nextBoolean() ? Double.POSITIVE_INFINITY : logBetween(5e7, 1e10),
        random.nextBoolean() ? Double.POSITIVE_INFINITY : logBetween(1e8, 1e10));
  }

  double between(double from, double to) {
    return from + random.nextDouble() * (to - from);
  }

  private double logBetween(double from, double to) {
    return Math.exp(between(Math.log(from), Math.log(to)));
  }
}
