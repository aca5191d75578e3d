package io.cordwood.query.request;

import io.cordwood.common.ulid.UlidRange;
import io.cordwood.common.wire.Labels;
import io.cordwood.query.fields.Grouping;
import io.cordwood.query.fields.LabelledMatcher;
import io.cordwood.query.fields.Where;
import io.cordwood.query.match.Matcher;
import io.cordwood.query.match.Matchers;
import io.cordwood.query.match.NothingMatcher;
import io.cordwood.query.match.PatternSpec;
import io.cordwood.query.match.SubMatches;
import java.util.List;
import java.util.Optional;

/**
 * A time-bounded grep.
 *
 * @param pattern searched for in records
 * @param where conditions on their fields
 * @param matcher compiled from both
 * @param firstPatterns a matcher for each pattern; empty unless they are counted apart
 * @param invert whether to select the records that do not match the pattern
 * @param subMatches finds the parts of each record to return, as a line each; empty for whole
 *     records
 * @param range records outside of it are left out; both ends belong to it
 * @param topics records of other topics are left out
 * @param selection records that are not in it are left out; if it is not all, every record of it
 *     matches
 * @param first at most this number of records, the oldest; {@link #UNLIMITED} for all
 * @param last at most this number of records, the newest; {@link #UNLIMITED} for all. They are
 *     answered in ULID order too
 * @param detail how much of each record to return
 * @param grouping by which fields records are counted, if groups of them are wanted
 */
public record Query(
    PatternSpec pattern,
    Where where,
    Matcher matcher,
    List<Matcher> firstPatterns,
    boolean invert,
    Optional<SubMatches> subMatches,
    UlidRange range,
    Topics topics,
    Selection selection,
    long first,
    long last,
    Detail detail,
    Grouping grouping) {
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
    /**
     * Not records, but which topics the blocks are of: of each topic a {@code TopicSummary}. Sums
     * are of all copies, so no node that holds some can be done without.
     */
    TOPICS,
    /** Like {@link #TOPICS}, but only the ranges count: copies add nothing. */
    RANGES,
    /**
     * Not records, but which labels the batches have: of each topic and each value of the labels
     * that are counted a {@code TopicSummary}. If none is counted, of each label that there is,
     * with an empty value.
     */
    LABELS,
    /** Not records, but what the index says of the blocks: of each a {@code BlockSummary}. */
    INDEX,
    /**
     * Not records, but how many match each pattern and none before it: see {@code PatternTally}.
     */
    FIRST_PATTERN,
    /** Not records, but how many are of which level: see {@code LevelTally}. */
    LEVELS,
    /** Not records, but how many have which values of fields: see {@code FieldTally}. */
    FIELD_GROUPS,
    /** Like {@link #FIELD_GROUPS}, but refused by nodes that only know values and numbers. */
    FIELD_SETS,
    /** Like {@link #FIELD_GROUPS}, but how many bytes they have, without their delimiters. */
    FIELD_BYTES;

    /** Whether the index alone answers it, block by block: what is on two nodes comes twice. */
    public boolean isOfIndex() {
      return this == TOPICS || this == RANGES || this == LABELS || this == INDEX;
    }

    /** Whether copies are summed up, so that no node can be done without. */
    public boolean sumsCopies() {
      return this == TOPICS || this == LABELS;
    }

    /** Whether records are counted by something. */
    public boolean isTally() {
      return this == FIRST_PATTERN || this == LEVELS || countsFields();
    }

    /** Whether that is done by their fields. */
    public boolean countsFields() {
      return this == FIELD_GROUPS || this == FIELD_SETS || this == FIELD_BYTES;
    }

    /** Whether bytes are answered, be it those of records or a summary. */
    public boolean hasBytes() {
      return this != PLAN && this != COUNT;
    }
  }

  /** For every record. */
  public static Query everything(UlidRange range, Topics topics, Detail detail) {
    return everything(range, topics, MatchAll.SELECTED, detail);
  }

  /** For every record of a selection, within a range. */
  public static Query selected(Selection selection, UlidRange range, Detail detail) {
    return selected(selection, range, Labels.NONE, detail);
  }

  /**
   * The same of some batches.
   *
   * @param labels that they must have
   */
  public static Query selected(Selection selection, UlidRange range, Labels labels, Detail detail) {
    return everything(range, Topics.ALL.of(labels), selection, detail);
  }

  private static Query everything(
      UlidRange range, Topics topics, Selection selection, Detail detail) {
    PatternSpec everything = PatternSpec.literal("");
    Matcher matcher = Matchers.compile(everything);
    return of(everything, Where.NONE, matcher, false, range, topics, selection, detail);
  }

  /**
   * For whole records that match, however many there are.
   *
   * @param matcher compiled from the pattern and the conditions
   */
  public static Query matching(
      PatternSpec pattern,
      Where where,
      Matcher matcher,
      boolean invert,
      UlidRange range,
      Topics topics,
      Detail detail) {
    return of(pattern, where, matcher, invert, range, topics, MatchAll.SELECTED, detail);
  }

  private static Query of(
      PatternSpec pattern,
      Where where,
      Matcher matcher,
      boolean invert,
      UlidRange range,
      Topics topics,
      Selection selection,
      Detail detail) {
    return new Query(
        pattern,
        where,
        matcher,
        List.of(),
        invert,
        Optional.empty(),
        range,
        topics,
        selection,
        UNLIMITED,
        UNLIMITED,
        detail,
        Grouping.NONE);
  }

  /** The matcher for the records of batches with these labels. */
  public Matcher matcher(Labels labels) {
    if (!topics.admit(labels)) {
      return NothingMatcher.ONE;
    }
    return matcher instanceof LabelledMatcher each ? each.of(labels) : matcher;
  }

  /** Whether there is not one matcher for all batches. */
  public boolean asksForLabels() {
    return !topics.labels().isEmpty() || matcher instanceof LabelledMatcher;
  }

  /** Whether every record matches that is in range, of the topics and in the selection. */
  public boolean matchesEverything() {
    return !invert
        && topics.labels().isEmpty()
        && subMatches.isEmpty()
        && (!selection.isAll() || (where.isEmpty() && pattern.matchesEverything()));
  }

  /** Whether the records are wanted that the matcher does not find: it knows no conditions then. */
  public boolean takesOthers() {
    return invert && where.isEmpty();
  }

  /** Whether only the number of records in the range and of the topics is asked for. */
  public boolean countsAll() {
    return detail == Detail.COUNT
        && selection.isAll()
        && matchesEverything()
        && first == UNLIMITED
        && last == UNLIMITED;
  }

  /**
   * Whether it is known by their places which records of a batch are wanted, and nothing else is.
   */
  public boolean isByPlace() {
    return !selection.isAll() || (detail == Detail.COUNT && matchesEverything());
  }

  /**
   * A copy with another range that selects only the newest records.
   *
   * @param newest at most this number
   */
  public Query within(UlidRange other, long newest) {
    return with(other, UNLIMITED, newest, detail, grouping);
  }

  /**
   * A copy that selects only the oldest records.
   *
   * @param oldest at most this number
   */
  public Query firstOnly(long oldest) {
    return with(range, oldest, last, detail, grouping);
  }

  /** A copy whose records are counted by fields. */
  public Query groupedBy(Grouping other) {
    return with(range, first, last, detail, other);
  }

  public Query with(Detail other) {
    return with(range, first, last, other, grouping);
  }

  private Query with(
      UlidRange otherRange, long oldest, long newest, Detail otherDetail, Grouping otherGrouping) {
    return new Query(
        pattern,
        where,
        matcher,
        firstPatterns,
        invert,
        subMatches,
        otherRange,
        topics,
        selection,
        oldest,
        newest,
        otherDetail,
        otherGrouping);
  }
}
