package io.cordwood.store.replicate;

import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.client.PeerClient;
import io.cordwood.common.http.client.PeerResponse;
import io.cordwood.common.http.server.HttpServer;
import io.cordwood.common.http.server.HttpServerOptions;
import io.cordwood.common.http.server.Params;
import io.cordwood.common.http.server.Request;
import io.cordwood.common.http.server.Response;
import io.cordwood.common.http.server.Routes;
import io.cordwood.common.testing.Patience;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** What stands between stores and one of them, and lets replicas through or fails in some way. */
final class FaultyPeer implements AutoCloseable {
  /** When the connection breaks, or everything stands still. */
  enum Fault {
    NONE,
    BEFORE_UPLOAD,
    DURING_UPLOAD,
    /** The replica is stored, and nobody hears of it. */
    AFTER_UPLOAD,
    /** Nothing is read and nothing is said, until {@link #goOn}. */
    PAUSE
  }

  private static final Duration LONG = Patience.LONG;

  private final PeerClient client = new PeerClient(LONG, LONG);
  private final HttpServer server;
  private final CountDownLatch resumed = new CountDownLatch(1);

  /** The one behind it. */
  final ServedStore store;

  /** Replicas that have begun to come. */
  final AtomicInteger begun = new AtomicInteger();

  volatile Fault fault;

  FaultyPeer(ServedStore store, Fault fault) throws IOException {
    this.store = store;
    this.fault = fault;
    var options =
        HttpServerOptions.at("127.0.0.1", 0).withTimeouts(LONG, LONG, LONG, Duration.ofMillis(50));
    var routes =
        new Routes().post(ApiPaths.STORE_REPLICATE, Params.ANY, Long.MAX_VALUE, this::replicate);
    server = HttpServer.start(options, routes, new SimpleMeterRegistry());
  }

  URI uri() {
    return URI.create("http://127.0.0.1:" + server.port());
  }

  private void replicate(Request request, Response response) throws IOException {
    Fault now = fault;
    begun.incrementAndGet();
    switch (now) {
      case BEFORE_UPLOAD -> throw breakOff(response);
      case DURING_UPLOAD -> {
        byte[] _ = request.body().readNBytes(1000);
        throw breakOff(response);
      }
      case PAUSE -> awaitResume();
      case NONE, AFTER_UPLOAD -> {}
    }
    URI uri =
        store.uri().resolve(ApiPaths.STORE_REPLICATE + "?node=" + request.requiredParam("node"));
    byte[] body = request.body().readAllBytes();
    try (PeerResponse answer =
        client.post(uri, List.of(body).iterator(), body.length, () -> true, LONG)) {
      if (now == Fault.AFTER_UPLOAD) {
        throw breakOff(response);
      }
      response.status(answer.status());
      answer.body().transferTo(response.body());
    }
  }

  private static IOException breakOff(Response response) throws IOException {
    response.contentLength(1000);
    response.body().write(new byte[10]);
    response.body().flush();
    return new IOException("the test breaks this connection");
  }

  private void awaitResume() throws IOException {
    try {
      resumed.await();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  /** Ends the pause, for good. */
  void goOn() {
    fault = Fault.NONE;
    resumed.countDown();
  }

  @Override
  public void close() {
    goOn();
    server.close();
    client.close();
  }
}
