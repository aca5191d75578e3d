package io.cordwood.query.api;

import io.cordwood.common.deletion.Deletions;
import io.cordwood.common.http.ApiHeaders;
import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.server.HttpError;
import io.cordwood.common.http.server.Params;
import io.cordwood.common.http.server.Request;
import io.cordwood.common.http.server.Response;
import io.cordwood.common.http.server.Routes;
import io.cordwood.common.segment.SegmentSource;
import io.cordwood.query.LocalRecords;
import io.cordwood.query.gather.ClusterNodes;
import io.cordwood.query.http.QueryGate;
import io.cordwood.query.http.QueryParams;
import io.cordwood.query.http.TierParams;
import io.cordwood.query.request.Query;
import io.cordwood.query.request.Query.Detail;
import io.cordwood.query.request.QueryLimits.Effort;
import io.cordwood.query.result.LackSink;
import io.cordwood.query.result.ProgressSink;
import io.cordwood.query.result.ScanStats;
import io.cordwood.query.result.Stop;
import io.cordwood.query.scan.QueryBudget;
import io.cordwood.query.scan.QueryRunner;
import io.cordwood.query.wire.AnswerFrame;
import io.cordwood.query.wire.AnswerWriter;
import io.cordwood.query.wire.KnownNode;
import io.cordwood.query.wire.SharedNodes;
import io.cordwood.query.wire.TierQuestion;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * {@code GET /query/tier}: what one tier of this node holds, for a node that gathers; {@link
 * TierParams} reads the parameters, {@link AnswerFrame} draws the answer. Asks no other node, so it
 * waits for none.
 */
final class TierApi {
  private final String nodeId;
  private final Supplier<ClusterNodes> known;
  private final QueryRunner runner;
  private final LocalRecords records;
  private final QueryParams params;
  private final QueryGate gate;
  private final Effort effort;

  /**
   * @param known the nodes that this one knows
   */
  TierApi(
      String nodeId,
      Supplier<ClusterNodes> known,
      QueryRunner runner,
      LocalRecords records,
      QueryParams params,
      QueryGate gate,
      Effort effort) {
    this.nodeId = nodeId;
    this.known = known;
    this.runner = runner;
    this.records = records;
    this.params = params;
    this.gate = gate;
    this.effort = effort;
  }

  void addRoutes(Routes routes) {
    routes.getOrForm(ApiPaths.QUERY_TIER, Params.ANY, this::answer);
  }

  private void answer(Request request, Response response) throws IOException {
    TierQuestion question = TierParams.of(request, params);
    question.refuseIfMeantForAnother(nodeId);
    SegmentSource source =
        records
            .of(question.tier())
            .orElseThrow(() -> new HttpError(404, "this node has no " + question.tier() + " tier"));
    var stats = new ScanStats();
    gate.run(stats, () -> answer(question, source, stats, response));
  }

  /**
   * None for one that does not name the node that it means: it is older, and takes no such head.
   */
  private List<KnownNode> told(TierQuestion question) {
    if (question.toNode().isEmpty()) {
      return List.of();
    }
    ClusterNodes nodes = known.get();
    List<KnownNode> all = nodes.known();
    return question
        .known()
        .map(parts -> SharedNodes.without(parts, all, nodes.selfKnown()))
        .orElse(all);
  }

  private void answer(
      TierQuestion question, SegmentSource source, ScanStats stats, Response response)
      throws IOException {
    Query query = question.query();
    Deletions deletions = records.deletions();
    question.refuseUnlessDeleted(deletions.known().sumText());
    response.header("content-type", "application/octet-stream");
    var writer = new AnswerWriter(response.body(), query.detail(), question.labels());
    Optional<Instant> stampTime = source.stampTime();
    Optional<Stop> stop = Optional.empty();
    try (SegmentSource.View view = source.view(query.range())) {
      String deleted = deletions.known().sumText();
      question.refuseUnlessDeleted(deleted);
      response.header(ApiHeaders.DELETIONS, deleted);
      writer.head(stampTime, told(question));
      for (SegmentSource.Evicted gone : view.evicted()) {
        writer.evicted(gone);
      }
      var sink =
          new LackSink(
              writer,
              view,
              question.tier(),
              stats,
              query.range(),
              (limit, lack) -> writer.stopped(new Stop(limit, lack.range())));
      if (query.detail() == Detail.PLAN) {
        runner.plan(query, view, stats, response::clientGone);
      } else {
        var budget = QueryBudget.of(effort, response::clientGone);
        if (question.progress()) {
          var telling =
              new ProgressSink(
                  sink,
                  stats::progress,
                  progress -> {
                    writer.advanced(progress);
                    return true;
                  });
          stop = runner.run(query, view, stats, budget, telling);
          telling.end();
        } else {
          stop = runner.run(query, view, stats, budget, sink);
        }
      }
      sink.end();
    }
    if (stop.isPresent()) {
      writer.stopped(stop.get());
    }
    writer.end(stats.snapshot());
  }
}
