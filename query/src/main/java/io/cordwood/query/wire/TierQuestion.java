package io.cordwood.query.wire;

import io.cordwood.common.http.ApiParams;
import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.KnownParts;
import io.cordwood.common.http.client.PeerClient;
import io.cordwood.common.http.client.PeerResponse;
import io.cordwood.common.http.server.HttpError;
import io.cordwood.common.wire.Labels;
import io.cordwood.query.Tier;
import io.cordwood.query.fields.Grouping;
import io.cordwood.query.fields.Where;
import io.cordwood.query.match.PatternSpec;
import io.cordwood.query.request.ContextRecords;
import io.cordwood.query.request.MatchAll;
import io.cordwood.query.request.Query;
import io.cordwood.query.request.Selection;
import io.cordwood.query.request.Spans;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.StringJoiner;

/**
 * How a node that gathers asks another for what it holds in one tier: a query's parameters, with
 * ULIDs for times, so that all nodes take "5m ago" for the same, and some more.
 *
 * <pre>
 *   to_node the id of the node that is meant: a store with a new disk at an old one's address does
 *           not hold what that one held
 *   tier    ingest, store: what this node has received, or consumed
 *           The tier is named tier_labels if only batches with some labels are wanted, so that a node
 *           that knows none refuses
 *   label   name=value, which a batch must have; may be given several times
 *   detail  plan, count, bytes, ulids
 *   q       a pattern; may be given several times
 *   and     a pattern that has to be there as well
 *   span    batches of a topic that begin in a range; no q counts then
 *   near    records whose neighbours are wanted, as before, after and reach say; no q counts then
 *   extent  part, word, record: what a match has to be in its record
 *   where   what fields have to be; the extent is named extent_where then, so that a node that
 *           knows no conditions refuses; or extent_labels if it is on labels
 *   extract fields that are groups of a regular expression
 *   by, of, values, distinct, each
 *           by which fields records are counted, and what is measured of them
 *   progress  whether frames between the others say how far the search has come
 *   labels  whether labels are sent with batches that have some
 *   deletions  the sum of what the node that asks knows to be deleted; a node that knows something
 *           else refuses
 *   known   the nodes that the answer need not name, as {@link SharedNodes} say
 * </pre>
 */
public record TierQuestion(
    Optional<String> toNode,
    Tier tier,
    Query query,
    boolean progress,
    boolean labels,
    Optional<KnownParts> known,
    Optional<String> deletions) {
  /** Longer ones would not stand in an address. */
  private static final int MAX_ADDRESS_CHARS = 4000;

  /**
   * Asks.
   *
   * @param path {@link ApiPaths#QUERY_TIER}, or {@link ApiPaths#STREAM_TIER} to follow the node
   */
  public PeerResponse ask(PeerClient client, URI node, String path, Duration responseTime)
      throws IOException {
    String parameters = parameters();
    return parameters.length() <= MAX_ADDRESS_CHARS
        ? client.get(node.resolve(path + "?" + parameters), responseTime)
        : client.postForm(node.resolve(path), parameters, responseTime);
  }

  /**
   * Refuses a question that another node was meant to answer.
   *
   * @throws HttpError 421 if it was
   */
  public void refuseIfMeantForAnother(String self) {
    toNode
        .filter(meant -> !meant.equals(self))
        .ifPresent(meant -> {
          throw new HttpError(421, "expected a question for " + self + ", found one for " + meant);
        });
  }

  /**
   * Refuses a question of a node that knows other deletions. To be called before the segments are
   * looked at, and after it, since the set grows.
   *
   * @param own sum of what this node knows to be deleted
   * @throws HttpError 409 if they differ
   */
  public void refuseUnlessDeleted(String own) {
    deletions
        .filter(sum -> !sum.equals(own))
        .ifPresent(sum -> {
          throw new HttpError(
              409,
              "expected a question of one who knows deletions %s, found %s".formatted(own, sum));
        });
  }

  private String parameters() {
    var parameters = new StringJoiner("&");
    toNode.ifPresent(id -> add(parameters, ApiParams.TO_NODE, id));
    Labels only = query.topics().labels();
    add(parameters, only.isEmpty() ? ApiParams.TIER : ApiParams.TIER_LABELS, tier.toString());
    only.pairs().forEach((name, value) -> add(parameters, ApiParams.LABEL, name + "=" + value));
    add(parameters, ApiParams.DETAIL, query.detail().name().toLowerCase(Locale.ROOT));
    addPattern(parameters, query.pattern());
    addWhere(parameters, query);
    add(parameters, ApiParams.INVERT, Boolean.toString(query.invert()));
    add(parameters, ApiParams.ONLY_MATCHING, Boolean.toString(query.subMatches().isPresent()));
    add(parameters, ApiParams.FROM, query.range().from().toString());
    add(parameters, ApiParams.TO, query.range().to().toString());
    query.topics().texts().forEach(topic -> add(parameters, ApiParams.TOPIC, topic));
    addGrouping(parameters, query.grouping());
    addSelection(parameters, query.selection());
    if (query.first() != Query.UNLIMITED) {
      add(parameters, ApiParams.LIMIT, Long.toString(query.first()));
    }
    if (query.last() != Query.UNLIMITED) {
      add(parameters, ApiParams.LAST, Long.toString(query.last()));
    }
    if (progress) {
      add(parameters, ApiParams.PROGRESS, "true");
    }
    if (labels) {
      add(parameters, ApiParams.LABELS, "true");
    }
    deletions.ifPresent(sum -> add(parameters, ApiParams.DELETIONS, sum));
    known.ifPresent(parts -> add(parameters, ApiParams.KNOWN, parts.toString()));
    return parameters.toString();
  }

  private static void addGrouping(StringJoiner parameters, Grouping grouping) {
    grouping.by().forEach(field -> add(parameters, ApiParams.BY, field.toString()));
    grouping.of().forEach(field -> add(parameters, ApiParams.OF, field.toString()));
    if (grouping.values()) {
      add(parameters, ApiParams.VALUES, "true");
    }
    grouping.distinct().forEach(field -> add(parameters, ApiParams.DISTINCT, field.toString()));
    if (grouping.each() != Grouping.Each.NOTHING) {
      add(parameters, ApiParams.EACH, grouping.each().name().toLowerCase(Locale.ROOT));
    }
  }

  private static void addSelection(StringJoiner parameters, Selection selection) {
    switch (selection) {
      case MatchAll _ -> {}
      case Spans(List<Spans.Span> spans) ->
          spans.forEach(span -> add(parameters, ApiParams.SPAN, span.toString()));
      case ContextRecords near -> {
        near.anchors().forEach(anchor -> add(parameters, ApiParams.NEAR, anchor.toString()));
        add(parameters, ApiParams.BEFORE, Integer.toString(near.before()));
        add(parameters, ApiParams.AFTER, Integer.toString(near.after()));
        add(parameters, ApiParams.REACH, near.reach().toMillis() + "ms");
      }
    }
  }

  private static void addPattern(StringJoiner parameters, PatternSpec pattern) {
    pattern.patterns().forEach(each -> add(parameters, ApiParams.Q, each));
    pattern.and().forEach(each -> add(parameters, ApiParams.AND, each));
    add(parameters, ApiParams.REGEX, Boolean.toString(pattern.regex()));
    add(parameters, ApiParams.IGNORE_CASE, Boolean.toString(pattern.ignoreCase()));
  }

  /** The parameter with the extent; who knows no such conditions does not find it. */
  private static String extentName(Where where) {
    if (where.isEmpty()) {
      return ApiParams.EXTENT;
    }
    return where.isOnLabels() ? ApiParams.EXTENT_LABELS : ApiParams.EXTENT_WHERE;
  }

  private static void addWhere(StringJoiner parameters, Query query) {
    List<String> where = query.where().texts();
    where.forEach(each -> add(parameters, ApiParams.WHERE, each));
    query.where().extract().texts().forEach(each -> add(parameters, ApiParams.EXTRACT, each));
    add(
        parameters,
        extentName(query.where()),
        query.pattern().extent().name().toLowerCase(Locale.ROOT));
  }

  private static void add(StringJoiner parameters, String name, String value) {
    parameters.add(name + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8));
  }
}
