package io.cordwood.sim;

import java.util.EnumMap;
import java.util.Map;
import java.util.SplittableRandom;

/** The kinds of faults of a run and their rates, by its seed: most seeds have few kinds. */
final class Faults {
  /** A seed in that number has faults of a kind. */
  private static final int SEEDS_OF_A_KIND = 3;

  private final Map<Kind, Double> rates;

  /** A kind of faults, and its highest rate. */
  enum Kind {
    /** Of processes, per hour and node. */
    KILL(8),
    /** Of machines, per hour and node. */
    POWER_LOSS(8),
    /** Ends of processes, as a part of the changes of their disks. */
    DISK_CRASH(0.002),
    /** Of a node from others, per hour and node. */
    CUT(6),
    /** As by SIGSTOP, per hour and node. */
    PAUSE(3),
    /** Of stores for good, per hour. */
    STORE_LOSS(12),
    /** As a part of the calls, before and after the act. */
    RESET(0.05),
    /** As a part of the calls, each way. */
    SLOW_CALL(0.1),
    /** Seconds by which clocks are wrong. */
    CLOCK(240);

    private final double most;

    Kind(double most) {
      this.most = most;
    }
  }

  private Faults(Map<Kind, Double> rates) {
    this.rates = rates;
  }

  /** Nothing goes wrong. */
  static Faults none() {
    return new Faults(Map.of());
  }

  static Faults of(SplittableRandom random) {
    Map<Kind, Double> rates = new EnumMap<>(Kind.class);
    for (Kind kind : Kind.values()) {
      double rate = random.nextDouble() * kind.most;
      if (random.nextInt(SEEDS_OF_A_KIND) == 0) {
        rates.put(kind, rate);
      }
    }
    return new Faults(rates);
  }

  /** 0 if there are none of the kind. */
  double rate(Kind kind) {
    return rates.getOrDefault(kind, 0.0);
  }

  @Override
  public String toString() {
    return rates.toString();
  }
}
