package io.cordwood.query.tail;

import io.cordwood.common.http.ApiParams;
import io.cordwood.common.http.server.HttpError;
import io.cordwood.common.http.server.Params;
import io.cordwood.common.http.server.Request;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.query.http.MatchingParams;
import io.cordwood.query.http.PositionParams;
import io.cordwood.query.http.QueryParams;
import io.cordwood.query.http.TextFormat;
import io.cordwood.query.request.Query;
import io.cordwood.query.request.Query.Detail;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Reads a stream's parameters: those of {@link QueryParams} that say which records match, and these
 * ones; one that is not as it must be is answered 400.
 *
 * <pre>
 *   lines        number of those received before, sent first; 0 unless given
 *   from_ulid    instead: all after this ULID, first; also as the header last-event-id
 *   window       how long a record waits for others that belong before it; 100ms unless given
 *   late_window  by which records may come late and are not missed by who goes on after the id of
 *                a server-sent event; 10s unless given
 *   alive        whether something is sent every 5 s if nothing matches; server-sent events always do
 *   format       text (default), ulid, json, sse; sse also by the header accept: text/event-stream
 *   parsed       json and sse have what is found in each record: level, time, message and fields
 * </pre>
 */
final class StreamParams {
  private static final long MAX_LINES = 10_000;
  private static final Duration USUAL_WINDOW = Duration.ofMillis(100);
  private static final Duration MAX_WINDOW = Duration.ofSeconds(10);
  private static final String EVENTS = "text/event-stream";

  /** A stream has no end, begins now, and is of all nodes. */
  static final Params ALL =
      MatchingParams.ALL.and(
          ApiParams.ONLY_MATCHING,
          ApiParams.LINES,
          ApiParams.FROM_ULID,
          ApiParams.WINDOW,
          ApiParams.LATE_WINDOW,
          ApiParams.ALIVE,
          ApiParams.FORMAT,
          ApiParams.PARSED);

  private StreamParams() {}

  /**
   * The requested stream.
   *
   * @param alive whether something is sent if nothing matches
   */
  record Wanted(Tail tail, boolean alive, TailForm form) {}

  static Wanted wanted(Request request, QueryParams params) {
    TailForm form = form(request, params);
    Query query = query(request, params);
    var tail =
        new Tail(
            query,
            (_, _) -> true,
            history(request, query),
            window(request),
            PositionParams.lateWindow(request));
    return new Wanted(tail, alive(request, form), form);
  }

  private static Query query(Request request, QueryParams params) {
    return params
        .query(request, MatchingParams.pattern(request), Detail.ULIDS)
        .within(UlidRange.ALL, Query.UNLIMITED);
  }

  private static boolean alive(Request request, TailForm form) {
    return request.flag(ApiParams.ALIVE) || form instanceof TailForm.Events;
  }

  private static Optional<Tail.Backlog> history(Request request, Query query) {
    Optional<Ulid> after = PositionParams.afterEvent(request);
    if (after.isPresent()) {
      var range = PositionParams.behind(after.get());
      return Optional.of(Tail.Backlog.everything(query.within(range, Query.UNLIMITED)));
    }
    long lines = request.longParam(ApiParams.LINES).orElse(0);
    if (lines < 0 || lines > MAX_LINES) {
      throw new HttpError(
          400,
          "parameter lines: expected a number from 0 to %d, found %d".formatted(MAX_LINES, lines));
    }
    return lines == 0
        ? Optional.empty()
        : Optional.of(new Tail.Backlog(query, List.of(query.within(UlidRange.ALL, lines)), lines));
  }

  private static Duration window(Request request) {
    Duration window = request.durationParam(ApiParams.WINDOW).orElse(USUAL_WINDOW);
    if (window.isNegative() || window.compareTo(MAX_WINDOW) > 0) {
      throw new HttpError(
          400, "parameter window: expected at most 10s, found " + window.toMillis() + "ms");
    }
    return window;
  }

  private static TailForm form(Request request, QueryParams params) {
    boolean events = request.header("accept").filter(types -> types.contains(EVENTS)).isPresent();
    String name = request.param(ApiParams.FORMAT).orElse(events ? "sse" : "text");
    boolean isJson = !name.equals("text") && !name.equals("ulid");
    if (request.flag(ApiParams.PARSED) && !isJson) {
      throw new HttpError(400, "parameter parsed: expected format json or sse, found " + name);
    }
    return switch (name) {
      case "text" -> new TailForm.Lines(new TextFormat(false));
      case "ulid" -> new TailForm.Lines(new TextFormat(true));
      case "json", "ndjson" -> new TailForm.Json(params.json(request));
      case "sse" -> new TailForm.Events(params.json(request));
      default ->
          throw new HttpError(
              400, "parameter format: expected text, ulid, json or sse, found \"" + name + "\"");
    };
  }
}
