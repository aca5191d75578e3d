package io.cordwood.query.gather;

import io.cordwood.common.http.ApiParams;
import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.server.HttpServer;
import io.cordwood.common.http.server.HttpServerOptions;
import io.cordwood.common.http.server.Params;
import io.cordwood.common.http.server.Request;
import io.cordwood.common.http.server.Response;
import io.cordwood.common.http.server.Routes;
import io.cordwood.query.TestCluster;
import io.cordwood.query.request.Query;
import io.cordwood.query.wire.AnswerWriter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/** A store that begins to answer, and then says nothing until its end. */
final class SlowStore implements AutoCloseable {
  private final CountDownLatch over = new CountDownLatch(1);
  private final HttpServer server;

  private SlowStore() throws IOException {
    var routes = new Routes();
    routes.get(ApiPaths.QUERY_TIER, Params.ANY, this::answer);
    server =
        HttpServer.start(HttpServerOptions.at("127.0.0.1", 0), routes, new SimpleMeterRegistry());
  }

  /** One that a cluster knows as {@code slow}. */
  static SlowStore in(TestCluster cluster) throws IOException {
    var store = new SlowStore();
    cluster.addStranger("slow", store.server.port());
    return store;
  }

  private void answer(Request request, Response response) throws IOException {
    String detail = request.requiredParam(ApiParams.DETAIL).toUpperCase(Locale.ROOT);
    new AnswerWriter(response.body(), Query.Detail.valueOf(detail), true)
        .head(Optional.empty(), List.of());
    response.body().flush();
    try {
      over.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Its answers end. */
  void end() {
    over.countDown();
  }

  @Override
  public void close() {
    end();
    server.close();
  }
}
