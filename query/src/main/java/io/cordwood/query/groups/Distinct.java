package io.cordwood.query.groups;

import io.cordwood.query.scan.LongSet;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How many different values there are: exact up to a bound, beyond it a HyperLogLog of their
 * hashes, with the estimator of Ertl, New cardinality estimation algorithms for HyperLogLog
 * sketches, 2017. One thread.
 */
final class Distinct {
  private static final int HASH_BITS = 64;
  private static final double ALPHA = 0.5 / Math.log(2);

  /** A larger number is an estimate. */
  private static final int MOST_EXACT = 1 << 16;

  private final Size size;
  private final Room room;
  private @Nullable LongSet exact = new LongSet();
  private int mostExact;
  private byte[] registers = {};

  /** How much is held at least; more, up to {@link #MOST_EXACT} values, while there is room. */
  enum Size {
    /** For one of many groups. */
    SMALL(256, 12),
    /** For the only group. */
    LARGE(MOST_EXACT, 14);

    private final int mostExact;
    private final int bits;

    Size(int mostExact, int bits) {
      this.mostExact = mostExact;
      this.bits = bits;
    }

    /** The bytes that are held at most: of the hashes, or of the registers that follow them. */
    int bytes() {
      return Math.max(Distinct.bytes(mostExact), 1 << bits);
    }

    /** The error beyond that which 95 of 100 sketches do not exceed, as a share of the number. */
    double error() {
      return 2 * 1.04 / Math.sqrt(1 << bits);
    }
  }

  /** Memory for what several sets hold beyond their size. */
  static final class Room {
    private int left;

    Room(int bytes) {
      this.left = bytes;
    }

    private boolean take(int bytes) {
      boolean fits = bytes <= left;
      left -= fits ? bytes : 0;
      return fits;
    }

    private void give(int bytes) {
      left += bytes;
    }
  }

  Distinct(Size size, Room room) {
    this.size = size;
    this.room = room;
    this.mostExact = size.mostExact;
  }

  /** The bytes of a set of hashes. */
  private static int bytes(int hashes) {
    return 2 * Long.BYTES * hashes;
  }

  /** Adds a value, of which the hash is given. */
  void add(long hash) {
    if (exact == null) {
      register(hash);
      return;
    }
    exact.add(hash);
    if (exact.size() > mostExact && !grows()) {
      registers = new byte[1 << size.bits];
      exact.forEach(this::register);
      exact = null;
      room.give(bytes(mostExact) - bytes(size.mostExact));
    }
  }

  private boolean grows() {
    boolean grows = mostExact < MOST_EXACT && room.take(bytes(mostExact));
    mostExact *= grows ? 2 : 1;
    return grows;
  }

  private void register(long hash) {
    int at = (int) (hash >>> (HASH_BITS - size.bits));
    long rest = hash << size.bits;
    int rank = Math.min(Long.numberOfLeadingZeros(rest), HASH_BITS - size.bits) + 1;
    registers[at] = (byte) Math.max(registers[at], rank);
  }

  boolean isExact() {
    return exact != null;
  }

  /** The number, or an estimate of it. */
  long count() {
    return exact == null ? Math.round(estimate()) : Objects.requireNonNull(exact).size();
  }

  private double estimate() {
    int most = HASH_BITS - size.bits;
    int[] ofRank = new int[most + 2];
    for (byte rank : registers) {
      ofRank[rank]++;
    }
    double all = registers.length;
    double sum = all * tau(1 - ofRank[most + 1] / all);
    for (int rank = most; rank >= 1; rank--) {
      sum = 0.5 * (sum + ofRank[rank]);
    }
    sum += all * sigma(ofRank[0] / all);
    return ALPHA * all * all / sum;
  }

  private static double sigma(double share) {
    double x = share;
    double y = 1;
    double sum = x;
    double before;
    do {
      x *= x;
      before = sum;
      sum += x * y;
      y += y;
    } while (sum != before);
    return sum;
  }

  private static double tau(double share) {
    if (share == 0 || share == 1) {
      return 0;
    }
    double x = share;
    double y = 1;
    double sum = 1 - x;
    double before;
    do {
      x = Math.sqrt(x);
      before = sum;
      y *= 0.5;
      sum -= (1 - x) * (1 - x) * y;
    } while (sum != before);
    return sum / 3;
  }
}
