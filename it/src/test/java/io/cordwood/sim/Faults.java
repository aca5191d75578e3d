package io.cordwood.sim;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The kinds of faults of a run and their rates, by its seed: most seeds have few kinds. Each kind
 * draws from numbers of its own, so that a run without one of them is like the run with it.
 */
final class Faults {
  /** A seed in that number has faults of a kind. */
  private static final int SEEDS_OF_A_KIND = 3;

  private final Map<Kind, Double> rates = new EnumMap<>(Kind.class);
  private final Map<Kind, SplittableRandom> randoms = new EnumMap<>(Kind.class);
  private final long most;
  private long count;
  private volatile boolean healed;

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
    CLOCK(240),
    /** Of clocks that are set to a wrong time, by up to 30 days, per hour and node. */
    CLOCK_STEP(4),
    /** As a part of the forces of files and folders. */
    FORCE_ERROR(0.05),
    /** Of batches that lie side by side, which others have too, per hour and store. */
    ROT(20),
    /** Of disks that are replaced by what was on them minutes before, per hour and node. */
    OLD_DISK(4),
    /** Changes of the number of copies, per hour. */
    COPIES(12),
    /** A tenth of the nodes of a role, or one, is added, per hour. */
    GROWTH(10),
    /** A tenth of the nodes of a role, or one, is taken away, per hour. */
    SHRINKING(10),
    /** Of all senders to one node, per hour. */
    FLOCK(20),
    /** Minutes, above 6, after which stores delete. */
    RETENTION(6),
    /** Of disks that have no room for a while, per hour and node. */
    FULL_DISK(6),
    /** Of machines, whose monotonic clocks stand still meanwhile, per day and node. */
    SLEEP(2),
    /** A bucket does not answer one node, or any, for hours, per day. */
    BUCKET_AWAY(1),
    /** Requests to a bucket that do nothing and fail, as a part of them. */
    BUCKET_FAILS(0.2),
    /** Changes of a bucket that are made and fail, as a part of them. */
    BUCKET_ACTS(0.2),
    /** Changes of a bucket that fail and are made within the next hour, as a part of them. */
    BUCKET_LATE(0.2),
    /** Minutes until a new object is in lists, for each node by another time. */
    BUCKET_LAG(80),
    /** Lists that lack objects which the node has seen before, as a part of them. */
    BUCKET_LOSES(0.3),
    /** Reads with a bit that is another one, as a part of them. */
    BUCKET_FLIPS(0.05),
    /** Another bucket where one was, for hours, per day and node. */
    OTHER_BUCKET(0.3),
    /** Stores that are asked up to five hours after the one before, as a part of the questions. */
    LATE_QUESTION(0.5);

    private final double most;

    Kind(double most) {
      this.most = most;
    }
  }

  /**
   * What is left of the faults of a seed, to find out which of them it takes.
   *
   * @param kinds others do not happen
   * @param events the first ones; later ones do not happen
   */
  record Limits(Set<Kind> kinds, long events) {
    /** Those of clusters. */
    static final Limits ALL = new Limits(EnumSet.range(Kind.KILL, Kind.FULL_DISK), Long.MAX_VALUE);

    /** Those of clusters with a bucket: what is per hour elsewhere is per day. */
    static final Limits COLD =
        new Limits(
            Stream.concat(
                    EnumSet.range(Kind.SLEEP, Kind.LATE_QUESTION).stream(),
                    Stream.of(Kind.KILL, Kind.DISK_CRASH, Kind.PAUSE, Kind.STORE_LOSS, Kind.CLOCK))
                .collect(Collectors.toSet()),
            Long.MAX_VALUE);

    /** Kinds by their names with commas between them, {@code all} of some, or {@code none}. */
    static Limits parse(String kinds, long events, Limits all) {
      return switch (kinds) {
        case "all" -> new Limits(all.kinds, events);
        case "none" -> new Limits(Set.of(), events);
        default ->
            new Limits(
                Arrays.stream(kinds.split(",")).map(Limits::kind).collect(Collectors.toSet()),
                events);
      };
    }

    private static Kind kind(String name) {
      return Arrays.stream(Kind.values())
          .filter(kind -> kind.name().equals(name))
          .findFirst()
          .orElseThrow(() ->
              new IllegalArgumentException(
                  "faults: expected all, none, or some of %s, found '%s'"
                      .formatted(Arrays.toString(Kind.values()), name)));
    }

    /** As {@link #parse} takes them. */
    String named() {
      return kinds.isEmpty()
          ? "none"
          : kinds.stream().sorted().map(Kind::name).collect(Collectors.joining(","));
    }
  }

  Faults(SplittableRandom random, Limits limits) {
    this.most = limits.events;
    for (Kind kind : Kind.values()) {
      SplittableRandom own = random.split();
      double rate = own.nextDouble() * kind.most;
      if (own.nextInt(SEEDS_OF_A_KIND) == 0 && limits.kinds.contains(kind)) {
        rates.put(kind, rate);
      }
      randoms.put(kind, own);
    }
  }

  /** 0 if there are none of the kind. */
  double rate(Kind kind) {
    return rates.getOrDefault(kind, 0.0);
  }

  /** The kinds that happen. */
  Set<Kind> kinds() {
    return rates.keySet();
  }

  /** From what the faults of a kind are drawn. */
  SplittableRandom random(Kind kind) {
    return Objects.requireNonNull(randoms.get(kind), kind::name);
  }

  /** Whether a fault happens now of a kind whose rate is a part of all occasions. */
  boolean happens(Kind kind) {
    return happens(kind, 1);
  }

  /**
   * Whether a fault happens now.
   *
   * @param occasions how much of the rate's unit this occasion is
   */
  boolean happens(Kind kind, double occasions) {
    double part = rate(kind) * occasions;
    if (healed || part == 0 || count >= most || random(kind).nextDouble() >= part) {
      return false;
    }
    count++;
    return true;
  }

  /**
   * Whether a fault happens of a kind whose rate is a part of all occasions; for all threads.
   *
   * @param drawn by who asks, from 0 to 1
   */
  synchronized boolean happensAt(Kind kind, double drawn) {
    if (healed || count >= most || drawn >= rate(kind)) {
      return false;
    }
    count++;
    return true;
  }

  /** Nothing goes wrong from now on. */
  void heal() {
    healed = true;
  }

  /** Faults that have happened. */
  long count() {
    return count;
  }

  @Override
  public String toString() {
    return rates.toString();
  }
}
