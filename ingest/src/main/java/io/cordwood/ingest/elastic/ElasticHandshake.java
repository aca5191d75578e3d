package io.cordwood.ingest.elastic;

import io.cordwood.common.http.server.HttpError;
import io.cordwood.common.http.server.Request;
import io.cordwood.common.http.server.Response;
import java.io.IOException;
import java.util.regex.Pattern;

/**
 * Answers to questions of clients before they send. Whatever they want to set up is acknowledged,
 * and changes nothing; what they look for is not there, so that they set it up.
 */
public final class ElasticHandshake {
  /** The last 8.x of Elasticsearch, since Beats refuse to send to an earlier one than they are. */
  static final String VERSION = "8.19.0";

  private static final Pattern ADDRESS = Pattern.compile("[A-Za-z0-9.:\\[\\]_-]{1,255}");
  private static final long MAX_BODY_BYTES = 16 << 20;

  private static final String INFO =
      """
      {"name":"cordwood","cluster_name":"cordwood","cluster_uuid":"cordwood",\
      "version":{"number":"%s","build_flavor":"default","build_type":"tar",\
      "build_hash":"cordwood","build_date":"2025-01-01T00:00:00.000Z","build_snapshot":false,\
      "lucene_version":"9.12.2","minimum_wire_compatibility_version":"7.17.0",\
      "minimum_index_compatibility_version":"7.0.0"},"tagline":"You Know, for Search"}
      """
          .formatted(VERSION);

  private static final String LICENSE =
      """
      {"license":{"status":"active","uid":"cordwood","type":"basic",\
      "issued_to":"cordwood","issuer":"cordwood"}}
      """;

  private static final String XPACK =
      """
      {"license":{"uid":"cordwood","type":"basic","mode":"basic","status":"active"},\
      "features":{"ilm":{"available":true,"enabled":true},\
      "security":{"available":true,"enabled":false}}}
      """;

  private static final String HEALTH =
      """
      {"cluster_name":"cordwood","status":"green","timed_out":false,"number_of_nodes":1,\
      "number_of_data_nodes":1,"active_primary_shards":1,"active_shards":1,\
      "relocating_shards":0,"initializing_shards":0,"unassigned_shards":0,\
      "delayed_unassigned_shards":0,"number_of_pending_tasks":0,\
      "number_of_in_flight_fetch":0,"task_max_waiting_in_queue_millis":0,\
      "active_shards_percent_as_number":100.0}
      """;

  private ElasticHandshake() {}

  /** Answers {@code /}: which server this is. */
  public static void info(Request request, Response response) throws IOException {
    response.header("vary", "accept");
    ElasticJson.answer(response, 200, INFO);
  }

  /**
   * Answers what is no bulk request.
   *
   * @param path as Elasticsearch has it
   */
  static void answer(String path, Request request, Response response) throws IOException {
    long _ = request.body().skip(MAX_BODY_BYTES);
    boolean isQuestion = request.method().equals("GET") || request.method().equals("HEAD");
    if (!isQuestion) {
      ElasticJson.answer(response, 200, "{\"acknowledged\":true}");
      return;
    }
    switch (first(path)) {
      case "" -> info(request, response);
      case "_license" -> ElasticJson.answer(response, 200, LICENSE);
      case "_xpack" -> ElasticJson.answer(response, 200, XPACK);
      case "_cluster" -> ElasticJson.answer(response, 200, HEALTH);
      case "_nodes" -> ElasticJson.answer(response, 200, nodes(host(request)));
      default -> throw new HttpError(404, path + ": expected nothing to be here, as it is");
    }
  }

  private static String nodes(String address) {
    return """
    {"_nodes":{"total":1,"successful":1,"failed":0},"cluster_name":"cordwood",\
    "nodes":{"cordwood":{"name":"cordwood","version":"%s","roles":["data","ingest"],\
    "http":{"publish_address":"%s","max_content_length_in_bytes":104857600}}}}
    """
        .formatted(VERSION, address);
  }

  private static String first(String path) {
    String[] segments = path.split("/", 3);
    return segments.length < 2 ? "" : segments[1];
  }

  /** The address at which the client has reached this node is the one that it can reach again. */
  private static String host(Request request) {
    String host = request.header("host").filter(ADDRESS.asMatchPredicate()).orElse("localhost");
    return host.matches(".*:\\d+") ? host : host + ":80";
  }
}
