package io.cordwood.query.histogram;

import io.cordwood.common.http.ApiParams;
import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.server.Request;
import io.cordwood.common.http.server.Response;
import io.cordwood.common.http.server.Routes;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.query.gather.MultiPassQuery;
import io.cordwood.query.histogram.HistogramParams.Wanted;
import io.cordwood.query.http.AnswerForm;
import io.cordwood.query.http.QueryParams;
import io.cordwood.query.http.TableAnswers;
import io.cordwood.query.request.Query;
import io.cordwood.query.request.Query.Detail;
import io.cordwood.query.result.BlockHits;
import io.cordwood.query.scan.TopicSummary;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET /histogram}: how many records there are, by time, and with several patterns by the
 * first one that each matches, or by level; {@link HistogramParams} reads the parameters. What is
 * on several nodes is counted once, as by {@code /query}.
 */
public final class HistogramApi {
  private final HistogramParams params;
  private final TableAnswers tables;

  public HistogramApi(QueryParams params, TableAnswers tables) {
    this.params = new HistogramParams(params);
    this.tables = tables;
  }

  public void addRoutes(Routes routes) {
    routes.getOrForm(ApiPaths.HISTOGRAM, HistogramParams.ALL, this::answer);
  }

  private void answer(Request request, Response response) throws IOException {
    Wanted wanted = params.wanted(request);
    tables.answer(
        request,
        response,
        (query, form) -> new Answer(wanted, query, output(request, response, form)).run());
  }

  private static HistogramOutput output(Request request, Response response, AnswerForm form) {
    return new HistogramOutput(form.kind(), request.flag(ApiParams.RATE), response);
  }

  /** One histogram that is asked for. */
  private record Answer(Wanted wanted, MultiPassQuery multiPassQuery, HistogramOutput output) {
    /** The number of records in it. */
    long run() throws IOException {
      Optional<UlidRange> range = range();
      if (range.isEmpty()) {
        return 0;
      }
      Buckets buckets = wanted.buckets(range.get());
      Query query = wanted.query().within(range.get(), Query.UNLIMITED);
      output.begin(buckets, range.get());
      return wanted.isSplit() ? split(query, buckets) : counted(query, buckets);
    }

    private long split(Query query, Buckets buckets) throws IOException {
      var split = new SplitHistogram(buckets, query.grouping(), wanted.top());
      multiPassQuery.gather(query, split::add);
      output.write(split);
      return split.records();
    }

    private long counted(Query query, Buckets buckets) throws IOException {
      var histogram = new Histogram(buckets, wanted.names().size());
      output.names(wanted.names());
      if (query.detail() != Detail.COUNT) {
        multiPassQuery.gather(query, new FilledBuckets(histogram, histogram::addTallied, output));
      } else if (query.matchesEverything()) {
        IndexCount.run(query, multiPassQuery, histogram);
      } else {
        multiPassQuery.gather(query, new FilledBuckets(histogram, histogram::addCounted, output));
      }
      output.writeAll(histogram);
      return histogram.records();
    }

    /** From when to when; where that was not said, from or to the last block in range. */
    private Optional<UlidRange> range() throws IOException {
      UlidRange asked = wanted.query().range();
      if (!asked.from().equals(Ulid.MIN) && !asked.to().equals(Ulid.MAX)) {
        return Optional.of(asked);
      }
      var ends = new Ends();
      multiPassQuery.gather(
          Query.everything(asked, wanted.query().topics(), Detail.RANGES), ends::add);
      return ends.range == null
          ? Optional.empty()
          : Optional.of(
              new UlidRange(
                  asked.from().equals(Ulid.MIN) ? ends.range.from() : asked.from(),
                  asked.to().equals(Ulid.MAX) ? ends.range.to() : asked.to()));
    }
  }

  /** From where to where topics' summaries reach. */
  private static final class Ends {
    private @Nullable UlidRange range;

    boolean add(BlockHits hits, BlockHits.Group group) throws IOException {
      for (int hit = group.from(); hit < group.to(); hit++) {
        var next = TopicSummary.decode(hits.topic(), group.first(), hits.record(hit)).range();
        range = range == null ? next : range.union(next);
      }
      return true;
    }
  }
}
