package io.cordwood.query;

import io.cordwood.common.ulid.UlidRange;
import io.cordwood.query.match.Matcher;
import io.cordwood.query.match.Matchers;
import io.cordwood.query.match.Parts;
import io.cordwood.query.match.PatternSpec;
import java.util.Optional;

/**
 * A time-bounded grep.
 *
 * @param pattern what the matcher was made of
 * @param invert whether the records that do not match are wanted
 * @param parts finds what is wanted of each record, as a line each; empty stands for all of it
 * @param range records outside of it are left out; both ends belong to it
 * @param topics records of other topics are left out
 * @param first at most so many, the oldest ones; {@link #UNLIMITED} for all
 * @param last at most so many, the newest ones; {@link #UNLIMITED} for all. Answered in ULID order
 *     all the same
 * @param detail how much of each record is wanted
 */
public record Query(
    PatternSpec pattern,
    Matcher matcher,
    boolean invert,
    Optional<Parts> parts,
    UlidRange range,
    Topics topics,
    long first,
    long last,
    Detail detail) {
  public static final long UNLIMITED = Long.MAX_VALUE;

  /** How much of each record is wanted. */
  public enum Detail {
    /** Nothing: only what would be read to find them. */
    PLAN,
    /** How many there are. */
    COUNT,
    /** Their bytes. */
    BYTES,
    /** Their bytes, and the ULID of each. */
    ULIDS,
    /** Not records, but which topics the blocks are of: of each topic a {@link TopicSummary}. */
    TOPICS;

    /** Whether the index alone answers it, block by block: what is on two nodes comes twice. */
    boolean isOfIndex() {
      return this == TOPICS;
    }

    /** Whether bytes are answered, be it those of records or a summary. */
    boolean hasBytes() {
      return this != PLAN && this != COUNT;
    }
  }

  /** For every record. */
  static Query everything(UlidRange range, Topics topics, Detail detail) {
    PatternSpec everything = PatternSpec.literal("");
    return new Query(
        everything,
        Matchers.compile(everything),
        false,
        Optional.empty(),
        range,
        topics,
        UNLIMITED,
        UNLIMITED,
        detail);
  }

  /** The same in another range, of which only the newest so many are wanted. */
  Query within(UlidRange other, long newest) {
    return new Query(pattern, matcher, invert, parts, other, topics, UNLIMITED, newest, detail);
  }

  /** The same, of which only the oldest so many are wanted. */
  Query firstOnly(long oldest) {
    return new Query(pattern, matcher, invert, parts, range, topics, oldest, last, detail);
  }

  Query with(Detail other) {
    return new Query(pattern, matcher, invert, parts, range, topics, first, last, other);
  }
}
