package io.cordwood.ingest.elastic;

import io.cordwood.common.http.ForeignPaths;
import io.cordwood.common.http.server.Handler;
import io.cordwood.common.http.server.Params;
import io.cordwood.common.http.server.Request;
import io.cordwood.common.http.server.Response;
import io.cordwood.common.http.server.Routes;
import io.cordwood.common.json.Json;
import io.cordwood.ingest.event.EventOrigins;
import io.cordwood.ingest.event.EventRequests;
import io.cordwood.ingest.event.Events;
import io.cordwood.ingest.json.BoundedJson;
import io.cordwood.ingest.push.PushPorts;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Elasticsearch's paths, as far as those that send need them, at the root and below {@link
 * ForeignPaths#ELASTIC_BELOW}.
 *
 * <pre>
 *   POST, PUT /_bulk, /INDEX/_bulk   200, an item for each document: 201, or 400 for ever
 *                                    503 for all of it, now
 *   GET, HEAD, PUT …                 {@link ElasticHandshake}
 * </pre>
 */
public final class ElasticRoutes {
  private static final String BULK = "/_bulk";

  private final EventRequests requests;

  public ElasticRoutes(PushPorts ports) {
    this.requests = new EventRequests(ports, "elasticsearch");
  }

  public void addTo(Routes routes) {
    ForeignPaths.ELASTIC_BULK.forEach(path -> add(routes, List.of("POST", "PUT"), path));
    List<String> methods = List.of("GET", "HEAD", "POST", "PUT", "DELETE");
    ForeignPaths.ELASTIC_ADMIN.forEach(path -> add(routes, methods, path));
    add(routes, methods, ForeignPaths.ELASTIC_BELOW);
    add(routes, methods, ForeignPaths.ELASTIC_BELOW + Routes.BELOW);
  }

  private void add(Routes routes, List<String> methods, String path) {
    Handler handler = (request, response) -> answer(request, response);
    methods.forEach(method -> routes.on(method, path, Params.ANY, Long.MAX_VALUE, handler));
  }

  private void answer(Request request, Response response) throws IOException {
    String asked = request.asked();
    String path =
        asked.startsWith(ForeignPaths.ELASTIC_BELOW)
            ? asked.substring(ForeignPaths.ELASTIC_BELOW.length())
            : asked;
    boolean isBulk = request.method().equals("POST") || request.method().equals("PUT");
    if (isBulk && path.endsWith(BULK)) {
      String index = path.substring(0, path.length() - BULK.length());
      bulk(index.isEmpty() ? "" : index.substring(1).split("/", 2)[0], request, response);
    } else {
      ElasticHandshake.answer(path, request, response);
    }
  }

  private void bulk(String index, Request request, Response response) throws IOException {
    long began = System.nanoTime();
    try (var answer = new BulkAnswer()) {
      requests.take(
          request,
          response,
          (body, origins, events) -> reader(index, body, origins, events, answer).read());
      response.header("content-type", Json.TYPE);
      answer.writeTo(response.body(), TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began));
    }
  }

  private static BulkReader reader(
      String index, InputStream body, EventOrigins origins, Events events, BulkAnswer answer) {
    return new BulkReader(
        new BodyLines(body),
        new Actions(BoundedJson.FACTORY, index),
        new Documents(BoundedJson.FACTORY, origins),
        events,
        answer);
  }
}
