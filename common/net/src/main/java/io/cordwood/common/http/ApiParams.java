package io.cordwood.common.http;

/** Every query parameter of the HTTP API. */
public final class ApiParams {
  /** The type of a body that has parameters as a form. */
  public static final String FORM_TYPE = "application/x-www-form-urlencoded";

  /** A pattern; may be given several times: a record that matches one of them is found. */
  public static final String Q = "q";

  /** A pattern that has to match as well; may be given several times. */
  public static final String AND = "and";

  /** Whether an answer in text ends with a line that says what its trailers do. */
  public static final String VERDICT = "verdict";

  /** Start of the time range, inclusive. */
  public static final String FROM = "from";

  /** End of the time range. */
  public static final String TO = "to";

  /** A time, of which the records around it are wanted, in place of {@link #FROM} and to. */
  public static final String AROUND = "around";

  /** Whether {@link #Q} is a regular expression; it is a literal otherwise. */
  public static final String REGEX = "regex";

  /** A topic; may be given several times. */
  public static final String TOPIC = "topic";

  /** Whether case is ignored. */
  public static final String IGNORE_CASE = "ignore_case";

  /** Whether a match must have no word character right before and after it. */
  public static final String WORD = "word";

  /** Whether a match must be a whole record. */
  public static final String WHOLE = "whole";

  /** Whether only those parts of records are wanted that match. */
  public static final String ONLY_MATCHING = "only_matching";

  /** Whether records that do not match are wanted. */
  public static final String INVERT = "invert";

  /** Conditions on fields; may be given several times: one of them has to hold. */
  public static final String WHERE = "where";

  /** A regular expression whose groups are fields; may be given several times. */
  public static final String EXTRACT = "extract";

  /** Fields: records of the same values of them belong together. */
  public static final String BY = "by";

  /** How long stretches of time are whose records belong together. */
  public static final String EVERY = "every";

  /** At most this number of groups, those of the most records. */
  public static final String TOP = "top";

  /** Fields whose different values are counted. */
  public static final String DISTINCT = "distinct";

  /** An example of each group, or fields by their names, for a node that gathers. */
  public static final String EACH = "each";

  /** Whether a table has an example of the records of each line. */
  public static final String EXAMPLE = "example";

  /** The column by which a table is sorted. */
  public static final String SORT = "sort";

  /** Whether a table says how many records there are per second. */
  public static final String RATE = "rate";

  /** Whether it says what share of all records that is. */
  public static final String PERCENT = "percent";

  /** Fields of which a node that gathers wants the numbers. */
  public static final String OF = "of";

  /** Whether it wants each of these numbers. */
  public static final String VALUES = "values";

  /** A position: only records after this ULID. */
  public static final String FROM_ULID = "from_ulid";

  /** The last ULID of a closed range. */
  public static final String TO_ULID = "to_ulid";

  /** Whether only records are wanted that are settled: others can only come late before them. */
  public static final String SETTLED = "settled";

  /** How late a record may be and still not come before what is settled. */
  public static final String LATE_WINDOW = "late_window";

  /** Most records to answer. */
  public static final String LIMIT = "limit";

  /** The number of newest records. */
  public static final String LAST = "last";

  /** Whether only the number of records is wanted. */
  public static final String COUNT = "count";

  /** The id of the node that is meant; another one at its address refuses. */
  public static final String TO_NODE = "to_node";

  /** Whether only the node that is asked is to answer, for what it holds itself. */
  public static final String HERE = "here";

  /** How long an answer may take, such as {@code 30s}; what comes later is left out. */
  public static final String TIME_LIMIT = "time_limit";

  /** Whether an answer says now and then how far the search has come. */
  public static final String PROGRESS = "progress";

  /** The label whose values are wanted. */
  public static final String NAME = "name";

  /** Whether the node that asks knows labels of batches; those of earlier versions do not. */
  public static final String LABELS = "labels";

  /** Whether JSON has what a node finds in each record: level, time, message and fields. */
  public static final String PARSED = "parsed";

  /** Which tier of a node is asked: {@code ingest} or {@code store}. */
  public static final String TIER = "tier";

  /** How much of each record a node that gathers wants. */
  public static final String DETAIL = "detail";

  /** The tier, if only batches with some labels are wanted. */
  public static final String TIER_LABELS = "tier_labels";

  /** A label that a batch must have: {@code name=value}. */
  public static final String LABEL = "label";

  /** Before the name of a label that all lines of an upload have. */
  public static final String LABEL_PREFIX = "label.";

  /** The extent of a match in its record: {@code part}, {@code word} or {@code record}. */
  public static final String EXTENT = "extent";

  /** The extent of a match in records whose fields are asked about too. */
  public static final String EXTENT_WHERE = "extent_where";

  /** The extent of a match in records of batches whose labels are asked about too. */
  public static final String EXTENT_LABELS = "extent_labels";

  /** How many records that were received before a stream gives first. */
  public static final String LINES = "lines";

  /** How long a record of a stream waits for others that belong before it. */
  public static final String WINDOW = "window";

  /** Whether a stream says every few seconds that it is alive. */
  public static final String ALIVE = "alive";

  /** The length of each bucket of a histogram. */
  public static final String BUCKET = "bucket";

  /** The most buckets that a histogram may have. */
  public static final String BUCKETS = "buckets";

  /** Whether a histogram counts records by level. */
  public static final String LEVELS = "levels";

  /** Which batches a node that gathers wants: {@code TOPIC/FROM-TO}. */
  public static final String SPAN = "span";

  /** The records whose neighbours a gathering node wants: {@code TOPIC/ULID}. */
  public static final String NEAR = "near";

  /** How far from a record's time its neighbours may be. */
  public static final String REACH = "reach";

  /** The number of records before each, in the same stream. */
  public static final String BEFORE = "before";

  /** The number of records after each, in the same stream. */
  public static final String AFTER = "after";

  /** Form of the answer. */
  public static final String FORMAT = "format";

  /** The identity of a segment, or of a node. */
  public static final String ID = "id";

  /** The identity of the node that asks. */
  public static final String NODE = "node";

  /** The sum of the deletions that the node that asks knows. */
  public static final String DELETIONS = "deletions";

  /** A set that the one who asks has already: {@link KnownParts}; the answer leaves it out. */
  public static final String KNOWN = "known";

  /** Whether nobody is missed of whom a node does not know. */
  public static final String UNKNOWN = "unknown";

  /** Whether the segments that a store gives back are such that it cannot store any of them. */
  public static final String UNSTORABLE = "unstorable";

  /** How long to wait for an answer, such as {@code 30s}. */
  public static final String WAIT = "wait";

  /**
   * How safe records are when a sender is answered: {@code fast}, {@code durable}, {@code bulk}.
   */
  public static final String DURABILITY = "durability";

  /** Most segments to hand out at once. */
  public static final String MAX = "max";

  /** Most bytes to hand out at once. */
  public static final String MAX_BYTES = "max_bytes";

  private ApiParams() {}
}
