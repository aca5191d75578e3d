package io.cordwood.query.api;

import io.cordwood.common.access.TopicPatterns;
import io.cordwood.common.deletion.DeletionSpread;
import io.cordwood.common.deletion.Deletions;
import io.cordwood.common.deletion.NamedRecords;
import io.cordwood.common.deletion.RefusedTombstoneException;
import io.cordwood.common.deletion.Tombstone;
import io.cordwood.common.http.ApiParams;
import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.server.HttpError;
import io.cordwood.common.http.server.Params;
import io.cordwood.common.http.server.Request;
import io.cordwood.common.http.server.Response;
import io.cordwood.common.http.server.Routes;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.common.ulid.UlidStamper;
import io.cordwood.query.gather.MultiPassQuery;
import io.cordwood.query.gather.QueryExecutor;
import io.cordwood.query.gather.Verdict;
import io.cordwood.query.http.MatchingParams;
import io.cordwood.query.http.QueryGate;
import io.cordwood.query.http.QueryParams;
import io.cordwood.query.request.Query;
import io.cordwood.query.request.Query.Detail;
import io.cordwood.query.result.ScanStats;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * {@code POST /delete}: deletes records, once somebody has confirmed how many there are. A first
 * request only says that number; one with it deletes.
 *
 * <pre>
 *   topic    whose records; may be given several times
 *   from, to from when to when; both belong to the range, which ends now at the latest
 *   where, extract  only records that meet it, which are named one by one; all without it
 *   count    the number that the first request has said
 * </pre>
 *
 * <p>The answer has the number as {@code cordwood-matches}, the verdict on it, and the id of what
 * is deleted as {@code cordwood-deletion}.
 */
final class DeleteApi {
  private static final String ID = "cordwood-deletion";
  private static final QueryExecutor.Options OPTIONS =
      new QueryExecutor.Options(false, Optional.empty(), false);

  private static final Params PARAMS =
      Params.of(
          ApiParams.TOPIC,
          ApiParams.FROM,
          ApiParams.TO,
          ApiParams.WHERE,
          ApiParams.EXTRACT,
          ApiParams.COUNT);

  private final QueryExecutor executor;
  private final QueryGate gate;
  private final QueryParams params;
  private final Deletions deletions;
  private final DeletionSpread spread;
  private final UlidStamper ids;

  DeleteApi(
      QueryExecutor executor,
      QueryGate gate,
      QueryParams params,
      Deletions deletions,
      DeletionSpread spread,
      InstantSource clock) {
    this.executor = executor;
    this.gate = gate;
    this.params = params;
    this.deletions = deletions;
    this.spread = spread;
    this.ids = new UlidStamper(clock);
  }

  /**
   * The records that a request is about.
   *
   * @param named empty if all of the range go, with what comes later
   */
  private record Found(long count, Verdict verdict, Optional<List<Ulid>> named) {}

  void addTo(Routes routes) {
    routes.form(ApiPaths.DELETE, PARAMS, this::answer);
  }

  private void answer(Request request, Response response) throws IOException {
    Query query = query(request);
    OptionalLong confirmed = request.longParam(ApiParams.COUNT);
    refuseIfSomeCannot();
    var stats = new ScanStats();
    gate.run(
        stats,
        () -> {
          Found found =
              find(query, new MultiPassQuery(executor, OPTIONS, stats, response::clientGone));
          response.header("cordwood-matches", Long.toString(found.count));
          found.verdict.eachField(response::header);
          if (confirmed.isEmpty()) {
            response.text(200, counted(query, found));
          } else {
            check(found, confirmed.getAsLong());
            delete(query, found, request, response);
          }
        });
  }

  private Query query(Request request) {
    for (String name : List.of(ApiParams.TOPIC, ApiParams.FROM, ApiParams.TO)) {
      if (request.params(name).stream().allMatch(String::isBlank)) {
        throw new HttpError(400, "parameter %s: expected one, found none".formatted(name));
      }
    }
    Query query = params.query(request, MatchingParams.pattern(request), Detail.COUNT);
    Instant now = params.now();
    if (query.range().to().millis() > now.toEpochMilli()) {
      throw new HttpError(
          400,
          "parameter to: expected a time until now, which here is %s, found %s"
              .formatted(now, query.range().to().time()));
    }
    return query;
  }

  private void refuseIfSomeCannot() {
    List<String> unable = spread.unable();
    if (!unable.isEmpty()) {
      throw new HttpError(
          503,
          "expected nodes that can delete, found some of an earlier version: %s; upgrade them, or"
                  .formatted(String.join(", ", unable))
              + " forget those that are gone for good");
    }
  }

  private static Found find(Query query, MultiPassQuery passes) throws IOException {
    if (query.countsAll()) {
      long count = CountAnswer.byIndex(query, passes);
      return new Found(count, passes.verdict(), Optional.empty());
    }
    List<Ulid> named = new ArrayList<>();
    passes.gather(
        query.with(Detail.ULIDS).firstOnly(NamedRecords.MAX + 1),
        (hits, group) -> {
          for (int hit = group.from(); hit < group.to(); hit++) {
            named.add(hits.ulid(group, hit));
          }
          return true;
        });
    if (named.size() > NamedRecords.MAX) {
      throw new HttpError(
          400,
          "expected at most %d records of a condition, found more: ask for less at a time"
              .formatted(NamedRecords.MAX));
    }
    return new Found(named.size(), passes.verdict(), Optional.of(named));
  }

  private static String counted(Query query, Found found) {
    String more = found.verdict.isComplete() ? "" : "There may be more: some nodes are missing.\n";
    return "%s of %s, from %s to %s; nothing is deleted yet.\n%s"
        .formatted(
            records(found.count),
            String.join(",", query.topics().texts()),
            query.range().from().time(),
            query.range().to().time(),
            more);
  }

  private static String records(long count) {
    return count == 1 ? "1 record" : count + " records";
  }

  /** Records of a condition that were not found would stay. */
  private static void check(Found found, long confirmed) {
    if (found.count != confirmed) {
      throw new HttpError(409, "expected %d records, found %d".formatted(confirmed, found.count));
    }
    if (found.named.isPresent() && !found.verdict.isComplete()) {
      throw new HttpError(
          503, "expected all records of the condition, found that some nodes are missing");
    }
    if (found.named.isPresent() && found.count == 0) {
      throw new HttpError(400, "expected records that meet the condition, found none");
    }
  }

  private void delete(Query query, Found found, Request request, Response response)
      throws IOException {
    Tombstone tombstone =
        Request.checked(
            ApiParams.TOPIC,
            () ->
                new Tombstone(
                    idAfter(query.range()),
                    new TopicPatterns(query.topics().texts()),
                    query.range(),
                    found.named.map(NamedRecords::of),
                    request.caller().name() + " at " + request.address()));
    try {
      deletions.ask(tombstone);
    } catch (RefusedTombstoneException e) {
      throw new HttpError(409, String.valueOf(e.getMessage()));
    }
    response.header(ID, tombstone.id().toString());
    var text =
        new StringBuilder("%s deleted, as %s.\n".formatted(records(found.count), tombstone.id()));
    for (DeletionSpread.Told told : spread.tell()) {
      text.append(told.name())
          .append(told.trouble().map(why -> " does not know it yet: " + why).orElse(" knows it"))
          .append('\n');
    }
    response.text(200, text.toString());
  }

  /** The range ends now at the latest, so it is here within a millisecond. */
  private synchronized Ulid idAfter(UlidRange range) {
    Ulid id = ids.stamp(1);
    while (id.millis() <= range.to().millis()) {
      Thread.onSpinWait();
      id = ids.stamp(1);
    }
    return id;
  }
}
