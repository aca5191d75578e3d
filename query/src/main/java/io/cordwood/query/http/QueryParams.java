package io.cordwood.query.http;

import io.cordwood.common.http.ApiParams;
import io.cordwood.common.http.server.HttpError;
import io.cordwood.common.http.server.Params;
import io.cordwood.common.http.server.Request;
import io.cordwood.common.text.TimeWindow;
import io.cordwood.common.text.Times;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.query.fields.Grouping;
import io.cordwood.query.fields.Where;
import io.cordwood.query.gather.QueryExecutor;
import io.cordwood.query.match.PatternSpec;
import io.cordwood.query.match.SubMatches;
import io.cordwood.query.request.ContextRecords;
import io.cordwood.query.request.MatchAll;
import io.cordwood.query.request.Query;
import io.cordwood.query.request.Query.Detail;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Reads a query's parameters, those of {@link MatchingParams} and these; an invalid one is answered
 * 400.
 *
 * <pre>
 *   only_matching  only the matching parts of each record, as a line each
 *   from, to       a time ({@link Times}; UTC where it names no zone) or a ULID; both belong to the range
 *   around         a time and ± how far from it, instead of from and to
 *   limit          at most this number, the oldest
 *   last           at most this number, the newest
 *   before, after  number of records right before and after each, in its stream
 *   count          only how many there are
 *   format         text (default), ulid, json; the header accept may ask for JSON, too
 *   parsed         json has what is found in each record: level, time, message and fields
 *   here           only what this node holds; no other one is asked
 *   time_limit     parts not received by then are missing; no limit unless given
 *   verdict        text ends with a line that holds the verdict
 *   progress       the answer comes in pieces, with the search's progress between them
 * </pre>
 */
public final class QueryParams {
  /** From when to when. */
  public static final Params RANGE = Params.of(ApiParams.FROM, ApiParams.TO, ApiParams.AROUND);

  /** Parameters for the nodes that answer, the time limit, the verdict and the progress. */
  public static final Params GATHERING =
      Params.of(ApiParams.HERE, ApiParams.TIME_LIMIT, ApiParams.VERDICT);

  /** Those of a query. */
  public static final Params ALL =
      MatchingParams.ALL
          .and(RANGE)
          .and(
              ApiParams.ONLY_MATCHING,
              ApiParams.BEFORE,
              ApiParams.AFTER,
              ApiParams.LIMIT,
              ApiParams.LAST,
              ApiParams.COUNT,
              ApiParams.FORMAT,
              ApiParams.PARSED,
              ApiParams.PROGRESS)
          .and(GATHERING);

  /** The newest records of one query must fit in memory. */
  private static final long MAX_LAST = 100_000;

  private final InstantSource clock;
  private final Counter parsedCut;

  public QueryParams(InstantSource clock, MeterRegistry meters) {
    this.clock = clock;
    this.parsedCut = meters.counter("cordwood.query.parsed.cut");
  }

  public Query query(Request request) {
    return query(request, MatchingParams.pattern(request));
  }

  /** A query whose pattern was read already. */
  Query query(Request request, PatternSpec pattern) {
    return query(request, pattern, detail(request));
  }

  public Query query(Request request, PatternSpec pattern, Detail detail) {
    long first = positive(request, ApiParams.LIMIT, Query.UNLIMITED);
    long last = positive(request, ApiParams.LAST, MAX_LAST);
    if (first != Query.UNLIMITED && last != Query.UNLIMITED) {
      throw new HttpError(
          400, "expected one of limit (the oldest) and last (the newest), found both");
    }
    Where where = MatchingParams.where(request);
    boolean invert = request.flag(ApiParams.INVERT);
    return new Query(
        pattern,
        where,
        MatchingParams.matcher(pattern, invert, where),
        detail == Detail.FIRST_PATTERN ? MatchingParams.each(pattern) : List.of(),
        invert,
        parts(request, pattern),
        range(request),
        MatchingParams.topics(request),
        MatchAll.SELECTED,
        first,
        last,
        detail,
        Grouping.NONE);
  }

  public static QueryExecutor.Options options(Request request) {
    return new QueryExecutor.Options(
        request.flag(ApiParams.HERE),
        request.durationParam(ApiParams.TIME_LIMIT),
        request.flag(ApiParams.PROGRESS) && request.caller().labels().isEmpty());
  }

  private Detail detail(Request request) {
    if (request.flag(ApiParams.COUNT)) {
      return Detail.COUNT;
    }
    return format(request).needsUlids() || context(request).isPresent()
        ? Detail.ULIDS
        : Detail.BYTES;
  }

  /** Empty if none is wanted. */
  public static Optional<ContextWanted> context(Request request) {
    var wanted =
        new ContextWanted(
            (int) within(request, ApiParams.BEFORE, 0, ContextRecords.MAX_EACH_SIDE),
            (int) within(request, ApiParams.AFTER, 0, ContextRecords.MAX_EACH_SIDE));
    boolean none = wanted.before() + wanted.after() == 0;
    if (!none && request.flag(ApiParams.ONLY_MATCHING)) {
      throw new HttpError(
          400, "expected one of only_matching and context (before, after), found both");
    }
    return none ? Optional.empty() : Optional.of(wanted);
  }

  public RecordFormat format(Request request) {
    RecordFormat format = format(request, "text");
    if (request.flag(ApiParams.PARSED) && !(format instanceof JsonFormat)) {
      throw new HttpError(400, "parameter parsed: expected format json, found another one");
    }
    return format instanceof JsonFormat ? json(request) : format;
  }

  /** JSON, with what is found in the records if that is wanted. */
  public JsonFormat json(Request request) {
    return new JsonFormat(
        request.flag(ApiParams.PARSED) ? Optional.of(parsedCut) : Optional.empty(),
        MatchingParams.extract(request));
  }

  public static RecordFormat format(Request request, String usual) {
    String name = formatName(request, usual);
    return switch (name) {
      case "text" -> new TextFormat(false, hasVerdict(request));
      case "ulid" -> new TextFormat(true, hasVerdict(request));
      case "json" -> new JsonFormat();
      default ->
          throw new HttpError(
              400, "parameter format: expected text, ulid or json, found \"" + name + "\"");
    };
  }

  /** How to answer other data than records; the default is text. */
  static AnswerKind kind(Request request, boolean isTable) {
    String format = formatName(request, "text");
    return switch (isTable || !format.equals("csv") ? format : "") {
      case "text" -> AnswerKind.TEXT;
      case "json" -> AnswerKind.JSON;
      case "csv" -> AnswerKind.CSV;
      default ->
          throw new HttpError(
              400,
              "parameter format: expected %s, found \"%s\""
                  .formatted(isTable ? "text, json or csv" : "text or json", format));
    };
  }

  /**
   * The format named by the parameter, or else by the header; accepts other programs' names of JSON
   * lines too.
   */
  private static String formatName(Request request, String usual) {
    return request
        .param(ApiParams.FORMAT)
        .map(name -> name.equals("ndjson") ? "json" : name)
        .orElseGet(() -> request.acceptsJson() ? "json" : usual);
  }

  /** As times that count from now take it. */
  public Instant now() {
    return clock.instant();
  }

  /** Whether an answer in text ends with a line that holds the verdict. */
  public static boolean hasVerdict(Request request) {
    return request.flag(ApiParams.VERDICT);
  }

  /** The parts of a pattern that compiles. */
  private static Optional<SubMatches> parts(Request request, PatternSpec pattern) {
    if (!request.flag(ApiParams.ONLY_MATCHING)) {
      return Optional.empty();
    }
    if (request.flag(ApiParams.INVERT)) {
      throw new HttpError(
          400,
          "expected one of only_matching and invert, found both: what does not match has no part"
              + " that does");
    }
    return Optional.of(SubMatches.of(pattern));
  }

  public UlidRange range(Request request) {
    Optional<String> around = request.param(ApiParams.AROUND);
    if (around.isPresent()) {
      return around(request, around.get());
    }
    Ulid from = bound(request, ApiParams.FROM, Ulid.MIN, Ulid::firstOf);
    Ulid to = bound(request, ApiParams.TO, Ulid.MAX, Ulid::lastOf);
    if (to.isBefore(from)) {
      throw new HttpError(
          400,
          "expected a time range, found from (%s) after to (%s)".formatted(from.time(), to.time()));
    }
    return new UlidRange(from, to);
  }

  private UlidRange around(Request request, String text) {
    if (request.param(ApiParams.FROM).isPresent() || request.param(ApiParams.TO).isPresent()) {
      throw new HttpError(400, "expected around without from and to, found both");
    }
    try {
      TimeWindow around = TimeWindow.parse(text, clock.instant(), ZoneOffset.UTC);
      return new UlidRange(
          Ulid.firstOf(around.from().toEpochMilli()), Ulid.lastOf(around.to().toEpochMilli()));
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw new HttpError(400, "parameter around: " + e.getMessage());
    }
  }

  private Ulid bound(Request request, String name, Ulid absent, Function<Long, Ulid> ofMillis) {
    String text = request.param(name).orElse("");
    if (text.isEmpty()) {
      return absent;
    }
    if (Ulid.isValid(text)) {
      return Ulid.parse(text);
    }
    try {
      Instant time = Times.parse(text, clock.instant(), ZoneOffset.UTC);
      return ofMillis.apply(time.toEpochMilli());
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw new HttpError(400, "parameter " + name + ": " + e.getMessage());
    }
  }

  /** A number between bounds; 0 if it is not given. */
  static long within(Request request, String name, long min, long max) {
    long value = request.longParam(name).orElse(0);
    if (value < min || value > max) {
      throw new HttpError(
          400,
          "parameter %s: expected a number from %d to %d, found %d"
              .formatted(name, min, max, value));
    }
    return value;
  }

  public static long positive(Request request, String name, long max) {
    long value = request.longParam(name).orElse(Query.UNLIMITED);
    if (value < 1 || (value > max && value != Query.UNLIMITED)) {
      throw new HttpError(
          400,
          "parameter %s: expected a number from 1 to %d, found %d".formatted(name, max, value));
    }
    return value;
  }
}
