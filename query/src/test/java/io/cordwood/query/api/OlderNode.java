package io.cordwood.query.api;

import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.server.HttpServer;
import io.cordwood.common.http.server.HttpServerOptions;
import io.cordwood.common.http.server.Params;
import io.cordwood.common.http.server.Request;
import io.cordwood.common.http.server.Routes;
import io.cordwood.query.TestCluster;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;

/** A store of an earlier version, which is asked for its part of an answer and does not give it. */
final class OlderNode implements AutoCloseable {
  private final CompletableFuture<Request> asked = new CompletableFuture<>();
  private final HttpServer server;

  OlderNode(TestCluster cluster) throws IOException {
    var routes = new Routes().get(ApiPaths.QUERY_TIER, Params.ANY, (ask, _) -> asked.complete(ask));
    server =
        HttpServer.start(HttpServerOptions.at("127.0.0.1", 0), routes, new SimpleMeterRegistry());
    cluster.addStranger("older", server.port());
  }

  /** What it was asked first. */
  Request asked() {
    return asked.join();
  }

  @Override
  public void close() {
    server.close();
  }
}
