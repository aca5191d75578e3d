package io.cordwood.query.loki;

import io.cordwood.common.http.server.HttpError;
import io.cordwood.common.http.server.Request;
import io.cordwood.common.http.server.Response;
import io.cordwood.common.http.server.WebSocket;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.query.gather.MultiPassQuery;
import io.cordwood.query.gather.QueryExecutor;
import io.cordwood.query.http.JsonLines;
import io.cordwood.query.http.QueryGate;
import io.cordwood.query.logql.Logql;
import io.cordwood.query.logql.Selected;
import io.cordwood.query.logql.Streams;
import io.cordwood.query.match.RefusedException;
import io.cordwood.query.request.Query;
import io.cordwood.query.request.Query.Detail;
import io.cordwood.query.result.BlockHits;
import io.cordwood.query.result.ScanStats;
import io.cordwood.query.tail.Tail;
import io.cordwood.query.tail.TailOutput;
import io.cordwood.query.tail.Tails;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * {@code GET /loki/api/v1/tail}: records as they are received, by a {@link WebSocket}.
 *
 * <pre>
 *   query      for records
 *   start      from when on earlier ones come first; an hour ago unless given
 *   limit      the most of these, the newest; 100 unless given
 *   delay_for  seconds, at most 5, by which records wait for others that belong before them
 * </pre>
 */
final class LiveTail {
  private static final long MAX_LIMIT = 10_000;
  private static final int MAX_DELAY_SECONDS = 5;
  private static final Duration USUAL_WINDOW = Duration.ofMillis(100);

  private final QueryExecutor executor;
  private final QueryGate gate;
  private final Tails tails;
  private final LokiParams params;
  private final Refusals refusals;

  LiveTail(
      QueryExecutor executor, QueryGate gate, Tails tails, LokiParams params, Refusals refusals) {
    this.executor = executor;
    this.gate = gate;
    this.tails = tails;
    this.params = params;
    this.refusals = refusals;
  }

  void answer(Request request, Response response) throws IOException {
    Selected selected = LokiParams.query(request, text -> Selected.of(Logql.logs(text)));
    Duration window = window(request);
    long limit = LokiParams.limit(request, MAX_LIMIT);
    LokiParams.Times times = params.times(request);
    WebSocket.check(request, response);
    var options = new QueryExecutor.Options(false, Optional.empty(), false);
    var passes = new MultiPassQuery(executor, options, new ScanStats(), response::clientGone);
    var questions = new Questions(request, passes);
    Optional<Query> live = questions.live(selected);
    var tail =
        new Tail(
            live.orElseGet(() -> questions.everything(UlidRange.ALL, Detail.ULIDS)),
            (topic, labels) -> live.isPresent() && selected.selects(Streams.labels(topic, labels)),
            live.isEmpty()
                ? Optional.empty()
                : backlog(live.get(), selected, questions, times, limit),
            window,
            Duration.ZERO);
    var output = new Output(request, response, selected, LokiParams.categorizes(request));
    try {
      tails.run(tail, output);
    } catch (RefusedException e) {
      output.fail(refusals.count(LokiParams.refused("query", e)));
    } catch (HttpError | LimitException e) {
      output.fail(refusals.count(e));
    }
  }

  private Optional<Tail.Backlog> backlog(
      Query live, Selected selected, Questions questions, LokiParams.Times times, long limit)
      throws IOException {
    Optional<UlidRange> from = LokiTime.range(times.start(), LokiTime.MAX_NANOS);
    if (from.isEmpty()) {
      return Optional.empty();
    }
    UlidRange range = from.get();
    List<Query> newest = new ArrayList<>();
    QueryGate.Task makesThem =
        () ->
            questions
                .of(selected, range, Detail.ULIDS)
                .forEach(query -> newest.add(query.within(range, limit)));
    if (Questions.asksForTopics(selected)) {
      gate.run(questions.passes().stats(), makesThem);
    } else {
      makesThem.run();
    }
    return newest.isEmpty()
        ? Optional.empty()
        : Optional.of(new Tail.Backlog(live.within(range, Query.UNLIMITED), newest, limit));
  }

  private static Duration window(Request request) {
    long delay = request.longParam("delay_for").orElse(0);
    if (delay < 0 || delay > MAX_DELAY_SECONDS) {
      throw new HttpError(
          400,
          "parameter delay_for: expected seconds from 0 to %d, found %d"
              .formatted(MAX_DELAY_SECONDS, delay));
    }
    return delay == 0 ? USUAL_WINDOW : Duration.ofSeconds(delay);
  }

  /** Messages of a client, each with what was taken since the one before. */
  private static final class Output implements TailOutput {
    /** A message has entries of that many bytes at most, or one more. */
    private static final int MESSAGE_BYTES = 256 << 10;

    private final Request request;
    private final Response response;
    private final Selected selected;
    private final boolean categorize;
    private final List<LogEntry> entries = new ArrayList<>();
    private final List<String> notices = new ArrayList<>();
    private @Nullable WebSocket socket;
    private Runnable whenGone = () -> {};
    private long bytes;
    private long dropped;

    Output(Request request, Response response, Selected selected, boolean categorize) {
      this.request = request;
      this.response = response;
      this.selected = selected;
      this.categorize = categorize;
    }

    @Override
    public boolean isGone() {
      return socket == null ? response.clientGone() : socket.isEnded();
    }

    @Override
    public void whenGone(Runnable task) {
      whenGone = task;
      response.whenClientGone(task);
    }

    @Override
    public void begin() throws IOException {
      WebSocket begun = WebSocket.accept(request, response);
      socket = begun;
      begun.whenEnded(whenGone);
    }

    @Override
    public boolean tellsPosition() {
      return false;
    }

    @Override
    public void records(BlockHits hits, BlockHits.Group group, Ulid position) throws IOException {
      for (int hit = group.from(); hit < group.to(); hit++) {
        LogEntry entry = LogAnswer.entry(hits, group, hit, selected.changes());
        entries.add(entry);
        bytes += entry.heldBytes();
        if (bytes >= MESSAGE_BYTES) {
          flush();
        }
      }
    }

    @Override
    public void notice(String text) {
      notices.add(text);
    }

    @Override
    public void dropped(long records) {
      dropped += records;
    }

    @Override
    public void alive() {
      // Clients are pinged.
    }

    @Override
    public void flush() throws IOException {
      if (socket != null && !(entries.isEmpty() && notices.isEmpty() && dropped == 0)) {
        var message = new ByteArrayOutputStream();
        try (JsonGenerator json = JsonLines.generator(message)) {
          write(json);
        }
        entries.clear();
        notices.clear();
        bytes = 0;
        dropped = 0;
        socket.send(message.toString(StandardCharsets.UTF_8));
      }
    }

    private void write(JsonGenerator json) {
      json.writeStartObject();
      if (categorize) {
        LokiJson.writeFlags(json);
      }
      json.writeName("streams");
      LogEntry.write(entries, categorize, json);
      if (dropped > 0) {
        String last = Long.toString(System.currentTimeMillis() * LokiTime.NANOS_OF_MILLI);
        json.writeArrayPropertyStart("dropped_entries");
        json.writeStartObject();
        LokiJson.write("labels", Map.of("dropped_records", Long.toString(dropped)), json);
        json.writeStringProperty("timestamp", last);
        json.writeEndObject();
        json.writeEndArray();
      }
      if (!notices.isEmpty()) {
        json.writeArrayPropertyStart("warnings");
        notices.forEach(json::writeString);
        json.writeEndArray();
      }
      json.writeEndObject();
    }

    @Override
    public void stops() throws IOException {
      flush();
      close(WebSocket.GOING_AWAY, "this node stops");
    }

    /** Says why nothing more comes, if it has begun. */
    void fail(RuntimeException error) {
      if (socket == null) {
        throw error;
      }
      close(WebSocket.FAILED, String.valueOf(error.getMessage()));
    }

    private void close(int code, String reason) {
      if (socket != null) {
        socket.close(code, reason);
      }
    }
  }
}
