package io.cordwood.query.histogram;

import io.cordwood.common.http.ApiParams;
import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.server.HttpError;
import io.cordwood.common.http.server.Params;
import io.cordwood.common.http.server.Request;
import io.cordwood.common.http.server.Response;
import io.cordwood.common.http.server.Routes;
import io.cordwood.common.wire.Labels;
import io.cordwood.query.fields.Extract;
import io.cordwood.query.fields.GroupField;
import io.cordwood.query.fields.Grouping;
import io.cordwood.query.gather.MultiPassQuery;
import io.cordwood.query.http.AnswerKind;
import io.cordwood.query.http.JsonLines;
import io.cordwood.query.http.MatchingParams;
import io.cordwood.query.http.QueryParams;
import io.cordwood.query.http.TableAnswers;
import io.cordwood.query.request.Query;
import io.cordwood.query.request.Query.Detail;
import io.cordwood.query.scan.TopicSummary;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * {@code GET /labels}: the names of the labels that batches have, or the values of one, from what
 * segments know of their batches; each with its records, bytes, first and last time. Numbers are
 * sums over nodes: what is on two stores counts twice.
 *
 * <pre>
 *   name             whose values are wanted; absent: the names
 *   topic            as of {@link QueryParams}
 *   from, to         segments' batches that are of this range; they are not cut at its ends
 *   here, time_limit as of {@link QueryParams}
 *   format           text (default): a line of the five, with tabs between, the name or value last;
 *                    json
 * </pre>
 */
public final class LabelsApi {
  private static final Params PARAMS =
      Params.of(ApiParams.TOPIC, ApiParams.NAME)
          .and(QueryParams.RANGE)
          .and(ApiParams.FORMAT)
          .and(QueryParams.GATHERING);

  private static final int MAX_VALUES = 100_000;

  private final QueryParams params;
  private final TableAnswers tables;

  public LabelsApi(QueryParams params, TableAnswers tables) {
    this.params = params;
    this.tables = tables;
  }

  public void addRoutes(Routes routes) {
    routes.get(ApiPaths.LABELS, PARAMS, this::answer);
  }

  private void answer(Request request, Response response) throws IOException {
    Optional<String> name = name(request);
    Query asked =
        Query.everything(params.range(request), MatchingParams.topics(request), Detail.LABELS);
    tables.answer(
        request,
        response,
        (query, form) -> {
          Map<String, TopicSummary> sums = gather(query, asked, name);
          String key = name.isPresent() ? "value" : "name";
          var lines =
              new TableLines(form.kind(), "\t", response.body())
                  .names("records", "bytes", "first", "last", key);
          for (Map.Entry<String, TopicSummary> each : sums.entrySet()) {
            if (form.json()) {
              write(key, each, response.body());
            } else {
              lines.line(columns(each, form.kind()));
            }
          }
          return sums.size();
        });
  }

  private static Optional<String> name(Request request) {
    return Request.checked(
        "name",
        () ->
            request
                .param(ApiParams.NAME)
                .map(name -> Labels.checkName(name.startsWith("@") ? name.substring(1) : name)));
  }

  private static Grouping grouping(Optional<String> name) {
    List<GroupField> by =
        name.map(label -> GroupField.parse("@" + label, Extract.NONE)).stream().toList();
    return Grouping.by(by);
  }

  /**
   * The names of labels, or the values of one, with their sums.
   *
   * @param name of the label whose values are wanted
   */
  public static Map<String, TopicSummary> gather(
      MultiPassQuery query, Query all, Optional<String> name) throws IOException {
    Query asked = all.groupedBy(grouping(name));
    var sums = new TreeMap<String, TopicSummary>();
    query.gather(
        asked,
        (hits, group) -> {
          var pairs = group.labels().pairs();
          String label = pairs.isEmpty() ? "" : pairs.firstKey();
          String key = name.map(wanted -> pairs.getOrDefault(wanted, "")).orElse(label);
          for (int hit = group.from(); hit < group.to(); hit++) {
            var next = TopicSummary.decode(hits.topic(), group.first(), hits.record(hit));
            sums.merge(key, next, TopicSummary::plus);
          }
          if (sums.size() > MAX_VALUES) {
            throw new HttpError(
                400, "parameter name: expected at most " + MAX_VALUES + " values, found more");
          }
          return true;
        });
    return sums;
  }

  private static List<Object> columns(Map.Entry<String, TopicSummary> sum, AnswerKind kind) {
    TopicSummary counted = sum.getValue();
    return List.of(
        counted.records(),
        counted.bytes(),
        counted.range().from().time(),
        counted.range().to().time(),
        kind == AnswerKind.CSV ? sum.getKey() : escaped(sum.getKey()));
  }

  /** As in a table of counts: what would end a column, or the line, as JSON writes it. */
  private static String escaped(String value) {
    return value.replace("\\", "\\\\").replace("\t", "\\t").replace("\r", "\\r");
  }

  private static void write(String key, Map.Entry<String, TopicSummary> sum, OutputStream out)
      throws IOException {
    TopicSummary counted = sum.getValue();
    JsonLines.write(
        out,
        json -> {
          json.writeStringProperty(key, sum.getKey());
          json.writeNumberProperty("records", counted.records());
          json.writeNumberProperty("bytes", counted.bytes());
          json.writeStringProperty("first", counted.range().from().time().toString());
          json.writeStringProperty("last", counted.range().to().time().toString());
        });
  }
}
