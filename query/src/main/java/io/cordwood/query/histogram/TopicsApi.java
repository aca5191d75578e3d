package io.cordwood.query.histogram;

import io.cordwood.common.http.ApiParams;
import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.server.HttpError;
import io.cordwood.common.http.server.Params;
import io.cordwood.common.http.server.Request;
import io.cordwood.common.http.server.Response;
import io.cordwood.common.http.server.Routes;
import io.cordwood.common.segment.Topic;
import io.cordwood.query.gather.MultiPassQuery;
import io.cordwood.query.http.JsonLines;
import io.cordwood.query.http.MatchingParams;
import io.cordwood.query.http.QueryParams;
import io.cordwood.query.http.TableAnswers;
import io.cordwood.query.request.Query;
import io.cordwood.query.request.Query.Detail;
import io.cordwood.query.scan.TopicSummary;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Collection;
import java.util.List;
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
 *   format           text (default): a line of the five, with spaces between; json; csv
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
  private final TableAnswers tables;

  public TopicsApi(QueryParams params, TableAnswers tables) {
    this.params = params;
    this.tables = tables;
  }

  public void addRoutes(Routes routes) {
    routes.get(ApiPaths.TOPICS, PARAMS, this::answer);
  }

  private void answer(Request request, Response response) throws IOException {
    Query asked =
        Query.everything(params.range(request), MatchingParams.topics(request), Detail.TOPICS);
    tables.answer(
        request,
        response,
        (query, form) -> {
          Collection<TopicSummary> topics = gather(query, asked);
          var lines =
              new TableLines(form.kind(), " ", response.body())
                  .names("topic", "records", "bytes", "first", "last");
          for (TopicSummary topic : topics) {
            if (form.json()) {
              write(topic, response.body());
            } else {
              lines.line(columns(topic));
            }
          }
          return topics.size();
        });
  }

  /** The topics that a query for them finds, by name. */
  public static Collection<TopicSummary> gather(MultiPassQuery query, Query asked)
      throws IOException {
    var topics = new TreeMap<Topic, TopicSummary>();
    query.gather(
        asked,
        (hits, group) -> {
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
    return topics.values();
  }

  private static List<Object> columns(TopicSummary topic) {
    return List.of(
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
