package io.cordwood.query.api;

import io.cordwood.common.deletion.DeletionSpread;
import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.client.PeerCredentials;
import io.cordwood.common.http.server.HttpError;
import io.cordwood.common.http.server.Request;
import io.cordwood.common.http.server.Response;
import io.cordwood.common.http.server.Routes;
import io.cordwood.common.run.ByteBudget;
import io.cordwood.query.LocalRecords;
import io.cordwood.query.gather.ClusterNodes;
import io.cordwood.query.gather.QueryExecution;
import io.cordwood.query.gather.QueryExecutor;
import io.cordwood.query.gather.Verdict;
import io.cordwood.query.groups.GroupsApi;
import io.cordwood.query.histogram.HistogramApi;
import io.cordwood.query.histogram.LabelsApi;
import io.cordwood.query.histogram.TopicsApi;
import io.cordwood.query.http.AnswerEnd;
import io.cordwood.query.http.AnswerForm;
import io.cordwood.query.http.GatherRoom;
import io.cordwood.query.http.QueryGate;
import io.cordwood.query.http.QueryParams;
import io.cordwood.query.http.RecordFormat;
import io.cordwood.query.http.StatisticsFields;
import io.cordwood.query.http.TableAnswers;
import io.cordwood.query.loki.LokiApi;
import io.cordwood.query.request.Query;
import io.cordwood.query.request.Query.Detail;
import io.cordwood.query.request.QueryLimits;
import io.cordwood.query.result.HitSink;
import io.cordwood.query.result.ScanStats;
import io.cordwood.query.result.ScanStats.Snapshot;
import io.cordwood.query.result.Stop;
import io.cordwood.query.scan.AnswerMemory;
import io.cordwood.query.scan.QueryCaches;
import io.cordwood.query.scan.QueryRunner;
import io.cordwood.query.tail.StreamApi;
import io.cordwood.query.tail.StreamTierApi;
import io.cordwood.query.tail.Tails;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * {@code GET /query}: records, streamed in ULID order; {@code HEAD /query}: only what it would
 * read. {@link QueryParams} reads the parameters.
 *
 * <p>The node that is asked gathers what all nodes hold. The answer's verdict and statistics stand
 * in trailers, of HEAD in headers: {@code cordwood-verdict}, {@code cordwood-missing}, {@code
 * cordwood-matches}, {@code cordwood-segments}, {@code cordwood-blocks}, {@code
 * cordwood-blocks-skipped}, {@code cordwood-bytes-read} and so on. All but the matches are sums
 * over nodes, so what is on two stores counts twice.
 */
public final class QueryApi implements AutoCloseable {
  private static final int CONTEXT_PART_OF_HEAP = 8;

  private final QueryRunner runner;
  private final RecordBudget.Most most;
  private final QueryParams params;
  private final Counter contextCut;
  private final QueryGate gate;
  private final QueryExecutor executor;
  private final RecordAnswers answers;
  private final ReadApi read;
  private final AnswerMemory contextMemory;
  private final TierApi tier;
  private final TopicsApi topics;
  private final LabelsApi labels;
  private final HistogramApi histogram;
  private final GroupsApi groups;
  private final LokiApi loki;
  private final Tails tails;
  private final StreamApi stream;
  private final StreamTierApi streamTier;
  private final IntSupplier nodes;
  private final Setting setting;

  /**
   * The sources of answers to queries.
   *
   * @param nodeId of this node
   * @param nodes the others, looked up again by each query
   * @param clock from which "5m ago" is counted
   * @param caches limits on what is kept from queries
   * @param credentials by which this node shows that it is of the cluster
   */
  public record Setting(
      String nodeId,
      LocalRecords records,
      Supplier<ClusterNodes> nodes,
      InstantSource clock,
      QueryLimits limits,
      QueryCaches caches,
      PeerCredentials credentials) {
    /** In a cluster without a key. */
    public Setting(
        String nodeId,
        LocalRecords records,
        Supplier<ClusterNodes> nodes,
        InstantSource clock,
        QueryLimits limits,
        QueryCaches caches) {
      this(nodeId, records, nodes, clock, limits, caches, PeerCredentials.NONE);
    }
  }

  /**
   * @param threads that scan blocks, for all queries together
   */
  public QueryApi(Setting setting, int threads, MeterRegistry meters) {
    this(setting, threads, new AnswerMemory(ByteBudget.partOfHeap(CONTEXT_PART_OF_HEAP)), meters);
  }

  QueryApi(Setting setting, int threads, AnswerMemory contextMemory, MeterRegistry meters) {
    this.contextMemory = contextMemory;
    this.setting = setting;
    this.nodes = () -> nodes(setting);
    this.runner = new QueryRunner(threads, setting.caches, meters);
    this.most =
        new RecordBudget.Most(
            setting.limits.effort().records(), runner.stopped(Stop.Limit.RECORDS));
    this.params = new QueryParams(setting.clock, meters);
    this.contextCut = meters.counter("cordwood.query.context.cut");
    meters.gauge("cordwood.query.context.bytes", contextMemory, AnswerMemory::heldBytes);
    this.gate =
        QueryGate.forClients(
            setting.limits.queries(), GatherRoom.forClients(nodes, meters), meters);
    var cluster = new QueryExecutor.Cluster(setting.nodeId, setting.nodes, setting.credentials);
    this.executor = new QueryExecutor(runner, setting.records, cluster, setting.limits, meters);
    this.answers = new RecordAnswers(executor, gate);
    this.read = new ReadApi(answers, most);
    var tables = new TableAnswers(executor, gate);
    this.topics = new TopicsApi(params, tables);
    this.labels = new LabelsApi(params, tables);
    this.histogram = new HistogramApi(params, tables);
    this.groups = new GroupsApi(params, tables, meters);
    this.tails = new Tails(setting.records, cluster, executor, setting.clock, meters);
    this.loki = new LokiApi(executor, gate, contextMemory, tails, setting.clock, meters);
    this.tier =
        new TierApi(
            setting.nodeId,
            () -> known(setting),
            runner,
            setting.records,
            params,
            QueryGate.forPeers(setting.limits.peersQueries(), setting.limits.turn(), meters),
            setting.limits.effort());
    this.stream = new StreamApi(params, tails);
    this.streamTier =
        new StreamTierApi(
            setting.nodeId,
            setting.records,
            setting.nodes,
            params,
            QueryGate.forPeersStreams(meters));
  }

  /** None while this node starts or stops, when it may know too few itself. */
  private static ClusterNodes known(Setting setting) {
    try {
      return setting.nodes.get();
    } catch (HttpError e) {
      return ClusterNodes.NONE;
    }
  }

  /** How many answers a query waits for; none while this node starts or stops. */
  private static int nodes(Setting setting) {
    try {
      ClusterNodes nodes = setting.nodes.get();
      return nodes.ingest().size() + nodes.stores().size();
    } catch (HttpError e) {
      return 0;
    }
  }

  public void addRoutes(Routes routes) {
    routes.getOrForm(ApiPaths.QUERY, QueryParams.ALL, this::answer);
    routes.head(ApiPaths.QUERY, QueryParams.ALL, this::describe);
    read.addRoutes(routes);
    topics.addRoutes(routes);
    labels.addRoutes(routes);
    histogram.addRoutes(routes);
    groups.addRoutes(routes);
    loki.addRoutes(routes);
    tier.addRoutes(routes);
    stream.addRoutes(routes);
    streamTier.addRoutes(routes);
  }

  /**
   * Deletes records, from when this node knows whom to tell.
   *
   * @param spread tells all others
   */
  public void addDeletion(Routes routes, DeletionSpread spread) {
    var deletions = setting.records.deletions();
    new DeleteApi(executor, gate, params, deletions, spread, setting.clock).addTo(routes);
  }

  /** Questions of the node to itself, through a gate of their own. */
  public OwnQuestions own(MeterRegistry meters) {
    var room = GatherRoom.forRules(nodes, meters);
    return new OwnQuestions(executor, params, groups, QueryGate.forRules(room, meters));
  }

  private void describe(Request request, Response response) throws IOException {
    Query query = params.query(request).with(Detail.PLAN);
    answers.gather(
        query,
        QueryParams.options(request),
        response,
        execution -> {
          execution.run((hits, group) -> true);
          execution.verdict().eachField(response::header);
          StatisticsFields.each(execution.stats().snapshot(), response::header);
          execution.coldPlan().ifPresent(plan -> plan.eachField(response::header));
          response.text(200, "");
        });
  }

  private void answer(Request request, Response response) throws IOException {
    Query query = params.query(request);
    if (query.detail() == Detail.COUNT) {
      count(query, request, response);
      return;
    }
    RecordFormat format = params.format(request);
    QueryExecutor.Options options = QueryParams.options(request);
    Optional<ContextSearch> context =
        QueryParams.context(request)
            .map(c ->
                new ContextSearch(
                    executor,
                    options,
                    c,
                    query.topics().labels(),
                    contextMemory,
                    response::clientGone));
    answers.gather(
        query,
        options,
        response,
        execution -> {
          var body = new AnswerBody(response, format.contentType(), options.progress());
          answer(query, format, execution, context, body, response);
        });
  }

  private void count(Query query, Request request, Response response) throws IOException {
    AnswerForm form = AnswerForm.of(request);
    QueryExecutor.Options options = QueryParams.options(request);
    var stats = new ScanStats();
    gate.run(
        stats,
        options.here(),
        () -> new CountAnswer(query, executor, options, stats, response, form).run());
  }

  private void answer(
      Query query,
      RecordFormat format,
      QueryExecution execution,
      Optional<ContextSearch> context,
      AnswerBody body,
      Response response)
      throws IOException {
    Optional<ContextOutput> output =
        context.map(search -> new ContextOutput(query, search, format, body.out()));
    HitSink sink = output.isPresent() ? output.get() : new RecordOutput(format, body.out());
    RecordBudget budget = most.of(execution.stats(), sink);
    body.search(execution, budget);
    Verdict verdict = execution.verdict().with(budget.stop(query.range()));
    if (output.isPresent() && context.isPresent()) {
      output.get().end();
      execution.stats().add(context.get().stats().snapshot());
      contextCut.increment(context.get().cut());
      response.trailer("cordwood-context-cut", Long.toString(context.get().cut()));
      verdict = context.get().verdict().map(verdict::and).orElse(verdict);
    }
    Snapshot found = execution.stats().snapshot();
    format.end(new AnswerEnd(verdict, found.matches(), Optional.empty()), body.out());
    body.end();
    verdict.eachField(response::trailer);
    StatisticsFields.all(found, response::trailer);
  }

  /** Ends the scan threads; no request must come any more. */
  @Override
  public void close() {
    tails.close();
    executor.close();
    runner.close();
  }
}
