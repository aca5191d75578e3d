package io.cordwood.query.histogram;

import io.cordwood.common.http.ApiParams;
import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.server.HttpError;
import io.cordwood.common.http.server.Params;
import io.cordwood.common.http.server.Request;
import io.cordwood.common.http.server.Response;
import io.cordwood.common.http.server.Routes;
import io.cordwood.common.segment.Topic;
import io.cordwood.query.gather.QueryExecution;
import io.cordwood.query.gather.QueryExecutor;
import io.cordwood.query.gather.Verdict;
import io.cordwood.query.http.JsonLines;
import io.cordwood.query.http.MatchingParams;
import io.cordwood.query.http.QueryGate;
import io.cordwood.query.http.QueryParams;
import io.cordwood.query.request.Query;
import io.cordwood.query.request.Query.Detail;
import io.cordwood.query.result.ScanStats;
import io.cordwood.query.scan.TopicSummary;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.TreeMap;

/**
 * {@code GET /topics}: the topics that the cluster holds, by name, from the indexes alone, each
 * with what its blocks hold in the range that is asked for: records, bytes, first and last time.
 * Numbers are sums over nodes: what is on two stores counts twice.
 *
 * <pre>
 *   topic            as of {@link QueryParams}
 *   from, to         blocks that hold something of this range; they are not cut at its ends
 *   here, time_limit as of {@link QueryParams}
 *   format           text (default): a line of the five, with spaces between; json
 * </pre>
 */
public final class TopicsApi {
  private static final Params PARAMS =
      Params.of(ApiParams.TOPIC)
          .and(QueryParams.RANGE)
          .and(ApiParams.FORMAT)
          .and(QueryParams.GATHERING);

  /** Some hundred bytes each are held for an answer. */
  private static final int MAX_TOPICS = 100_000;

  private final QueryParams params;
  private final QueryExecutor executor;
  private final QueryGate gate;

  public TopicsApi(QueryParams params, QueryExecutor executor, QueryGate gate) {
    this.params = params;
    this.executor = executor;
    this.gate = gate;
  }

  public void addRoutes(Routes routes) {
    routes.get(ApiPaths.TOPICS, PARAMS, this::answer);
  }

  private void answer(Request request, Response response) throws IOException {
    Query query =
        Query.everything(params.range(request), MatchingParams.topics(request), Detail.TOPICS);
    boolean json = QueryParams.isJson(request);
    boolean verdictLine = QueryParams.hasVerdict(request);
    var stats = new ScanStats();
    gate.run(
        stats,
        () -> {
          try (QueryExecution execution =
              executor.gather(query, QueryParams.manner(request), stats, response::clientGone)) {
            answer(execution, json, verdictLine, response);
          }
        });
  }

  private static void answer(
      QueryExecution execution, boolean json, boolean verdictLine, Response response)
      throws IOException {
    var topics = new TreeMap<Topic, TopicSummary>();
    execution.run((hits, group) -> {
      for (int hit = group.from(); hit < group.to(); hit++) {
        var next = TopicSummary.decode(hits.topic(), group.first(), hits.record(hit));
        topics.merge(next.topic(), next, TopicSummary::plus);
      }
      if (topics.size() > MAX_TOPICS) {
        throw new HttpError(
            400, "parameter topic: expected at most " + MAX_TOPICS + " topics, found more");
      }
      return true;
    });
    Verdict verdict = execution.verdict();
    response.header("content-type", json ? JsonLines.TYPE : "text/plain; charset=utf-8");
    OutputStream out = response.body();
    for (TopicSummary topic : topics.values()) {
      if (json) {
        write(topic, out);
      } else {
        out.write(line(topic).getBytes(StandardCharsets.US_ASCII));
      }
    }
    if (json) {
      JsonLines.writeVerdict(verdict, topics.size(), out);
    } else if (verdictLine) {
      JsonLines.writeVerdictToText(verdict, topics.size(), out);
    }
    verdict.eachField(response::trailer);
    response.trailer("cordwood-matches", Integer.toString(topics.size()));
  }

  private static String line(TopicSummary topic) {
    return "%s %d %d %s %s\n"
        .formatted(
            topic.topic(),
            topic.records(),
            topic.bytes(),
            topic.range().from().time(),
            topic.range().to().time());
  }

  private static void write(TopicSummary topic, OutputStream out) throws IOException {
    JsonLines.write(
        out,
        json -> {
          json.writeStringProperty("topic", topic.topic().name());
          json.writeNumberProperty("records", topic.records());
          json.writeNumberProperty("bytes", topic.bytes());
          json.writeStringProperty("first", topic.range().from().time().toString());
          json.writeStringProperty("last", topic.range().to().time().toString());
        });
  }
}
