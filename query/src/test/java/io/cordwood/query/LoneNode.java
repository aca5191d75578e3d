package io.cordwood.query;

import io.cordwood.common.http.server.HttpServer;
import io.cordwood.common.http.server.HttpServerOptions;
import io.cordwood.common.http.server.Routes;
import io.cordwood.common.segment.SegmentSource;
import io.cordwood.query.api.QueryApi;
import io.cordwood.query.gather.ClusterNodes;
import io.cordwood.query.request.QueryLimits;
import io.cordwood.query.scan.QueryCaches;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Optional;

/** A node that is alone, receives and is a store, and is asked over HTTP. */
public final class LoneNode implements AutoCloseable {
  public final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final QueryApi api;
  private final HttpServer server;

  public LoneNode(SegmentSource source) throws IOException {
    this(source, QueryCaches.NONE, InstantSource.system());
  }

  /** With room for what queries keep. */
  public LoneNode(SegmentSource source, QueryCaches caches, InstantSource clock)
      throws IOException {
    var records = new LocalRecords(Optional.of(source), Optional.empty());
    var setting =
        new QueryApi.Setting(
            "alone", records, () -> ClusterNodes.NONE, clock, QueryLimits.DEFAULT, caches);
    this.api = new QueryApi(setting, 2, meters);
    var routes = new Routes();
    api.addRoutes(routes);
    this.server = HttpServer.start(HttpServerOptions.at("127.0.0.1", 0), routes, meters);
  }

  public int port() {
    return server.port();
  }

  public Answer get(String target) throws IOException {
    return Answer.get(server.port(), target);
  }

  public double count(String counter) {
    return meters.get(counter).counter().count();
  }

  public double gauge(String name) {
    return meters.get(name).gauge().value();
  }

  @Override
  public void close() {
    server.close();
    api.close();
  }
}
