package io.cordwood.common.http;

import io.cordwood.common.testing.Patience;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/** A server on a free port of the loopback address, and ways to talk to it. */
final class TestServer implements AutoCloseable {
  static final Duration LONG = Patience.LONG;

  final Routes routes = new Routes();
  final PrometheusMeterRegistry registry = Metrics.registry();
  private final HttpServer server;

  /** The reason why it says that it has to be restarted. */
  volatile Optional<String> death = Optional.empty();

  TestServer() {
    this(options -> options);
  }

  TestServer(UnaryOperator<HttpServerOptions> change) {
    StandardRoutes.addTo(routes, registry, () -> Health.OK, () -> death);
    try {
      server =
          HttpServer.start(change.apply(HttpServerOptions.at("127.0.0.1", 0)), routes, registry);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Adds {@code /echo}: a GET is answered with its parameter q, a POST with its body. */
  void addEcho() {
    routes.get(
        "/echo",
        Params.of("q"),
        (request, response) -> response.text(200, request.requiredParam("q")));
    routes.post(
        "/echo",
        1 << 20,
        (request, response) ->
            response.text(200, new String(request.body().readAllBytes(), StandardCharsets.UTF_8)));
  }

  int port() {
    return server.port();
  }

  URI uri(String pathAndQuery) {
    return URI.create("http://127.0.0.1:" + port() + pathAndQuery);
  }

  Socket connect() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port());
    socket.setSoTimeout((int) LONG.toMillis());
    return socket;
  }

  /** Sends bytes on a new connection and gives all that comes until the server closes it. */
  String exchange(String request) throws IOException {
    try (Socket socket = connect()) {
      send(socket, request);
      return readAll(socket);
    }
  }

  static void send(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    socket.getOutputStream().flush();
  }

  static String readAll(Socket socket) throws IOException {
    return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
  }

  /** Reads until the text has come; fails if the connection ends before. */
  static String readUntil(Socket socket, String end) throws IOException {
    StringBuilder seen = new StringBuilder();
    InputStream in = socket.getInputStream();
    while (seen.indexOf(end) < 0) {
      int b = in.read();
      if (b < 0) {
        throw new IOException("the connection ended after: " + seen);
      }
      seen.append((char) b);
    }
    return seen.toString();
  }

  static void awaitLatch(CountDownLatch latch) {
    try {
      if (!latch.await(LONG.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new AssertionError("nothing happened for " + LONG);
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** The sum over all label values of a metric, as Prometheus would scrape it. */
  double metric(String nameAndLabels) {
    return registry
        .scrape()
        .lines()
        .filter(line -> line.startsWith(nameAndLabels))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  @Override
  public void close() {
    server.close();
  }
}
