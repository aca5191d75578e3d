package io.cordwood.common.http;

/** Every path of the HTTP API, in one place for those who serve them and those who call them. */
public final class ApiPaths {
  /** GET: records, streamed; HEAD: statistics only. */
  public static final String QUERY = "/query";

  /** GET: what one tier of a node holds that matches, for the node that gathers. */
  public static final String QUERY_TIER = "/query/tier";

  /** GET: records as they are received, streamed without an end. */
  public static final String STREAM = "/stream";

  /** GET: what one node receives that matches, for the node that merges. */
  public static final String STREAM_TIER = "/stream/tier";

  /** GET: the records after a position, streamed. */
  public static final String READ = "/read";

  /** GET: numbers of records by time. */
  public static final String HISTOGRAM = "/histogram";

  /** GET: numbers of records by the values of fields, and sums and percentiles of others. */
  public static final String STATS = "/stats";

  /** GET: the fields that records have. */
  public static final String FIELDS = "/fields";

  /** GET: the topics that the cluster holds. */
  public static final String TOPICS = "/topics";

  /** GET: the labels that batches have, or the values of one. */
  public static final String LABELS = "/labels";

  /** Below it, what clients of Loki ask. */
  private static final String LOKI = "/loki/api/";

  /** GET, POST: answers that there is no such path. */
  public static final String LOKI_OTHER = LOKI + "*";

  /** GET: records, or numbers of them by time, as Loki answers. */
  public static final String LOKI_QUERY_RANGE = LOKI + "v1/query_range";

  /** GET: numbers of records at one time. */
  public static final String LOKI_QUERY = LOKI + "v1/query";

  /** GET: the names of labels. */
  public static final String LOKI_LABELS = LOKI + "v1/labels";

  /** GET: the same, by its older name. */
  public static final String LOKI_LABEL = LOKI + "v1/label";

  /** GET: the values of a label. */
  public static final String LOKI_VALUES = LOKI + "v1/label/{}/values";

  /** GET: the labels of streams. */
  public static final String LOKI_SERIES = LOKI + "v1/series";

  /** GET: how much a selector selects. */
  public static final String LOKI_STATS = LOKI + "v1/index/stats";

  /** GET: how many bytes, by labels. */
  public static final String LOKI_VOLUME = LOKI + "v1/index/volume";

  /** GET: the same by time. */
  public static final String LOKI_VOLUME_RANGE = LOKI + "v1/index/volume_range";

  /** GET: records as they are received, by a WebSocket. */
  public static final String LOKI_TAIL = LOKI + "v1/tail";

  /** GET: the names of labels, and how many values each has. */
  public static final String LOKI_DETECTED_LABELS = LOKI + "v1/detected_labels";

  /** GET: the fields that records have. */
  public static final String LOKI_DETECTED_FIELDS = LOKI + "v1/detected_fields";

  /** GET: the values of one. */
  public static final String LOKI_DETECTED_VALUES = LOKI + "v1/detected_field/{}/values";

  /** GET: the shapes of records by time. */
  public static final String LOKI_PATTERNS = LOKI + "v1/patterns";

  /** GET: what Logs Drilldown of Grafana may ask for. */
  public static final String LOKI_DRILLDOWN = LOKI + "v1/drilldown-limits";

  /** GET: a query, written again. */
  public static final String LOKI_FORMAT_QUERY = LOKI + "v1/format_query";

  /** GET: what Loki the API is that of. */
  public static final String LOKI_BUILD = LOKI + "v1/status/buildinfo";

  /** GET: how the rules stand that the node watches. */
  public static final String ALERTS = "/alerts";

  /** GET: where records can be sent. */
  public static final String SENDERS = "/senders";

  /** GET, HEAD: 200 as long as the process answers, 503 if it has to be restarted to work again. */
  public static final String HEALTHY = "/-/healthy";

  /** GET, HEAD: 200 as long as the node works, 503 with the reason while it does not. */
  public static final String READY = "/-/ready";

  /** GET: of what version and commit the node is. */
  public static final String VERSION = "/version";

  /** GET: metrics in Prometheus' text format. */
  public static final String METRICS = "/metrics";

  /** POST: a whole segment of records; GET: whether one is on the stores. */
  public static final String INGEST_BULK = "/ingest/bulk";

  /** Takes lines, in whatever mode. */
  public static final String INGEST = "/ingest";

  /** POST: claims the next flushed ingest segments, waiting for one if need be. */
  public static final String INGEST_CLAIM = "/ingest/claim";

  /** GET: the bytes of a claimed ingest segment, or a range of them. */
  public static final String INGEST_READ = "/ingest/read";

  /** POST: the claimed segments are durable elsewhere and may go. */
  public static final String INGEST_COMMIT = "/ingest/commit";

  /** POST: the claimed segments were not consumed and become flushed again. */
  public static final String INGEST_FAIL = "/ingest/fail";

  /** GET: the ingest segments that no store could store, and none is given any more. */
  public static final String QUARANTINE = "/quarantine";

  /** POST: stores may try such segments again. */
  public static final String QUARANTINE_RELEASE = "/quarantine/release";

  /** POST: the bytes of a store segment to keep a replica of. */
  public static final String STORE_REPLICATE = "/store/replicate";

  /** GET: the store segments that a node holds. */
  public static final String STORE_SEGMENTS = "/store/segments";

  /** GET: what a store holds, as fingerprints of time slices. */
  public static final String STORE_SLICES = "/store/slices";

  /** GET: the batches that a store holds in a range of ULIDs, without their records. */
  public static final String STORE_BATCHES = "/store/batches";

  /** GET: the batches that a store holds in a range of ULIDs, as a store segment. */
  public static final String STORE_FETCH = "/store/fetch";

  /** POST: a query saw too few copies of what a store holds in a range of ULIDs. */
  public static final String STORE_HINT = "/store/hint";

  /** POST: says how many records there are, and deletes them once that number is confirmed. */
  public static final String DELETE = "/delete";

  /** GET: the deletions that a node knows, and whether it has carried them out. */
  public static final String DELETIONS = "/deletions";

  /** GET, POST: the deletions that a node knows, for other nodes. */
  public static final String DELETIONS_KNOWN = "/deletions/known";

  /** GET: the peers this node sees. */
  public static final String CLUSTER = "/cluster";

  /** GET: who sends to this node. */
  public static final String CLUSTER_SENDERS = "/cluster/senders";

  /** POST: a node that is gone, or all that this one cannot know, is not missed any more. */
  public static final String CLUSTER_FORGET = "/cluster/forget";

  /** GET: what values of fields lead to on the page. */
  public static final String LINKS = "/links";

  /** POST: a browser signs in with a token. */
  public static final String LOGIN = "/login";

  /** POST: it signs out. */
  public static final String LOGOUT = "/logout";

  private ApiPaths() {}
}
