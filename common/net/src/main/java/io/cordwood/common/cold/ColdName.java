package io.cordwood.common.cold;

import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The name of a cold object, which says all that is needed to choose it and to read its tail:
 *
 * <pre>
 *   v1/2026-11-26/CLASS/FROM-TO-T5c3a0-HASH.cws
 * </pre>
 *
 * <p>The hash, the first 128 bits of the SHA-256 of all bytes, makes it the name of these bytes
 * alone: to put them again changes nothing.
 *
 * <p>Names are ordered by class, time, and the rest.
 */
public final class ColdName implements Comparable<ColdName> {
  /** The class of records for which nothing else was said. */
  public static final String USUAL_CLASS = "all";

  /** Begins all names. */
  public static final String ROOT = "v1/";

  /** Numbers that a name is, without its class. */
  static final int WORDS = 7;

  private static final Comparator<ColdName> ORDER =
      Comparator.comparing(ColdName::retention)
          .thenComparing(it -> it.range().from())
          .thenComparing(it -> it.range().to())
          .thenComparingInt(ColdName::tailBytes)
          .thenComparingLong(it -> it.hashHigh)
          .thenComparingLong(it -> it.hashLow);

  private static final int HASH_DIGITS = 32;
  private static final Pattern CLASS = Pattern.compile("[a-z0-9]{1,32}");
  private static final Pattern NAME =
      Pattern.compile(
          "v1/(\\d{4}-\\d{2}-\\d{2})/([a-z0-9]{1,32})/([0-9A-Z]{26}-[0-9A-Z]{26})"
              + "-T([1-9a-f][0-9a-f]{0,6})-([0-9a-f]{32})\\.cws");

  private final String retention;
  private final long fromHigh;
  private final long fromLow;
  private final long toHigh;
  private final long toLow;
  private final long hashHigh;
  private final long hashLow;
  private final int tailBytes;

  /**
   * @param retention the class of its records, 1 to 32 of {@code a-z0-9}
   * @param range ULIDs of the first record and of the last
   * @param tailBytes length of the segment's tail
   * @param hash 32 hexadecimal digits
   */
  ColdName(String retention, UlidRange range, int tailBytes, String hash) {
    if (!CLASS.matcher(retention).matches()) {
      throw new IllegalArgumentException(
          "expected a retention class of 1 to 32 of a-z0-9, found \"" + retention + "\"");
    }
    this.retention = retention.intern(); // There are few, and many names.
    this.fromHigh = range.from().high();
    this.fromLow = range.from().low();
    this.toHigh = range.to().high();
    this.toLow = range.to().low();
    this.hashHigh = HexFormat.fromHexDigitsToLong(hash, 0, HASH_DIGITS / 2);
    this.hashLow = HexFormat.fromHexDigitsToLong(hash, HASH_DIGITS / 2, HASH_DIGITS);
    this.tailBytes = tailBytes;
  }

  private ColdName(String retention, long[] words, int at) {
    this.retention = retention;
    this.fromHigh = words[at];
    this.fromLow = words[at + 1];
    this.toHigh = words[at + 2];
    this.toLow = words[at + 3];
    this.hashHigh = words[at + 4];
    this.hashLow = words[at + 5];
    this.tailBytes = (int) words[at + 6];
  }

  /** A name that {@link #write} wrote. */
  static ColdName read(String retention, long[] words, int at) {
    return new ColdName(retention, words, at);
  }

  /** Writes {@link #WORDS} numbers, which are the name with its class. */
  void write(long[] words, int at) {
    words[at] = fromHigh;
    words[at + 1] = fromLow;
    words[at + 2] = toHigh;
    words[at + 3] = toLow;
    words[at + 4] = hashHigh;
    words[at + 5] = hashLow;
    words[at + 6] = tailBytes;
  }

  /**
   * The name of a segment.
   *
   * @param sha256 of all its bytes, in 64 hexadecimal digits
   */
  public static ColdName of(String retention, UlidRange range, int tailBytes, String sha256) {
    return new ColdName(retention, range, tailBytes, sha256.substring(0, HASH_DIGITS));
  }

  /** The day in UTC on which a range begins. */
  public static LocalDate dayOf(UlidRange range) {
    return LocalDate.ofInstant(range.from().time(), ZoneOffset.UTC);
  }

  /** All of a day in UTC. */
  public static UlidRange rangeOf(LocalDate day) {
    return new UlidRange(Ulid.firstOf(start(day)), Ulid.lastOf(start(day.plusDays(1)) - 1));
  }

  private static long start(LocalDate day) {
    return day.atStartOfDay(ZoneOffset.UTC).toInstant().toEpochMilli();
  }

  /** Reads a key; empty if it is not the name of a cold object. */
  public static Optional<ColdName> parse(String key) {
    Matcher parts = NAME.matcher(key);
    if (!parts.matches()) {
      return Optional.empty();
    }
    LocalDate day;
    try {
      day = LocalDate.parse(parts.group(1));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
    int tail = Integer.parseInt(parts.group(4), 16);
    return UlidRange.parse(parts.group(3))
        .filter(range -> dayOf(range).equals(day))
        .map(range -> new ColdName(parts.group(2), range, tail, parts.group(5)));
  }

  /** Begins the names of a day. */
  public static String prefix(LocalDate day) {
    return ROOT + day + "/";
  }

  /** The day of the first record, in UTC. */
  public LocalDate day() {
    return dayOf(range());
  }

  /** The class of its records. */
  public String retention() {
    return retention;
  }

  /** ULIDs of the first record and of the last. */
  public UlidRange range() {
    return new UlidRange(new Ulid(fromHigh, fromLow), new Ulid(toHigh, toLow));
  }

  /** Length of the segment's tail. */
  public int tailBytes() {
    return tailBytes;
  }

  /** The hash, in 32 hexadecimal digits. */
  public String hash() {
    HexFormat hex = HexFormat.of();
    return hex.toHexDigits(hashHigh) + hex.toHexDigits(hashLow);
  }

  /** The key in the bucket. */
  public String key() {
    return "%s%s/%s-T%x-%s.cws".formatted(prefix(day()), retention, range(), tailBytes, hash());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ColdName it
        && hashHigh == it.hashHigh
        && hashLow == it.hashLow
        && fromHigh == it.fromHigh
        && fromLow == it.fromLow
        && toHigh == it.toHigh
        && toLow == it.toLow
        && tailBytes == it.tailBytes
        && retention.equals(it.retention);
  }

  @Override
  public int compareTo(ColdName other) {
    return ORDER.compare(this, other);
  }

  @Override
  public int hashCode() {
    return Long.hashCode(hashLow ^ fromHigh);
  }

  @Override
  public String toString() {
    return key();
  }
}
