package io.cordwood.common.http.server;

import io.cordwood.common.access.Scope;
import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.ForeignPaths;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The right that a path asks for. A path that is not named here needs an administrator. */
enum Access {
  /** Nothing: whether the node lives, and the page, which holds no record. */
  NONE(null),
  QUERY(Scope.QUERY),
  INGEST(Scope.INGEST),
  ADMIN(Scope.ADMIN),
  /** To be a node of the cluster. */
  NODE(null);

  private static final List<String> PAGE = List.of("/page/");

  private static final Set<String> FOR_ALL =
      Set.of(
          "/",
          ApiPaths.HEALTHY,
          ApiPaths.READY,
          "/livez",
          "/health",
          "/readyz",
          "/ready",
          ApiPaths.LOGIN,
          ApiPaths.LOGOUT);

  private static final Set<String> QUERIES =
      Set.of(
          ApiPaths.QUERY,
          ApiPaths.STREAM,
          ApiPaths.READ,
          ApiPaths.HISTOGRAM,
          ApiPaths.STATS,
          ApiPaths.FIELDS,
          ApiPaths.TOPICS,
          ApiPaths.LABELS,
          ApiPaths.ALERTS,
          ApiPaths.SENDERS,
          ApiPaths.LINKS,
          ApiPaths.LOKI_OTHER,
          ApiPaths.LOKI_QUERY_RANGE,
          ApiPaths.LOKI_QUERY,
          ApiPaths.LOKI_LABELS,
          ApiPaths.LOKI_LABEL,
          ApiPaths.LOKI_VALUES,
          ApiPaths.LOKI_SERIES,
          ApiPaths.LOKI_STATS,
          ApiPaths.LOKI_VOLUME,
          ApiPaths.LOKI_VOLUME_RANGE,
          ApiPaths.LOKI_TAIL,
          ApiPaths.LOKI_DETECTED_LABELS,
          ApiPaths.LOKI_DETECTED_FIELDS,
          ApiPaths.LOKI_DETECTED_VALUES,
          ApiPaths.LOKI_PATTERNS,
          ApiPaths.LOKI_DRILLDOWN,
          ApiPaths.LOKI_FORMAT_QUERY,
          ApiPaths.LOKI_BUILD);

  private static final Set<String> SENDERS = Set.of(ApiPaths.INGEST, ApiPaths.INGEST_BULK);

  private static final Set<String> NODES =
      Set.of(ApiPaths.QUERY_TIER, ApiPaths.STREAM_TIER, ApiPaths.DELETIONS_KNOWN);

  /** All that is below them, too, but what is for senders and for people. */
  private static final List<String> OF_NODES = List.of("/ingest/", "/store/");

  private final @Nullable Scope scope;

  Access(@Nullable Scope scope) {
    this.scope = scope;
  }

  /** The scope that a token has to have; null if none is asked for. */
  @Nullable Scope scope() {
    return scope;
  }

  boolean isAudited() {
    return scope != null;
  }

  static Access of(String path) {
    if (FOR_ALL.contains(path)
        || ForeignPaths.SPLUNK_HEALTH.contains(path)
        || PAGE.stream().anyMatch(path::startsWith)) {
      return NONE;
    } else if (QUERIES.contains(path)) {
      return QUERY;
    } else if (SENDERS.contains(path) || ForeignPaths.ALL.contains(path)) {
      return INGEST;
    } else if (path.equals(ApiPaths.STORE_SEGMENTS)) {
      return ADMIN;
    } else if (NODES.contains(path) || OF_NODES.stream().anyMatch(path::startsWith)) {
      return NODE;
    } else {
      return ADMIN;
    }
  }
}
