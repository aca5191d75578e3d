package io.cordwood.common.http;

import io.cordwood.common.http.server.Health;
import io.cordwood.common.http.server.HttpServer;
import io.cordwood.common.http.server.HttpServerOptions;
import io.cordwood.common.http.server.Metrics;
import io.cordwood.common.http.server.Params;
import io.cordwood.common.http.server.Routes;
import io.cordwood.common.http.server.StandardRoutes;
import io.cordwood.common.testing.Patience;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/** A server on a free port of the loopback address, and ways to talk to it. */
public final class TestServer implements AutoCloseable {
  public static final Duration LONG = Patience.LONG;

  public final Routes routes = new Routes();
  public final PrometheusMeterRegistry registry = Metrics.registry();
  private final HttpServer server;

  /** The reason why it says that it has to be restarted. */
  public volatile Optional<String> death = Optional.empty();

  public TestServer() {
    this(options -> options);
  }

  public TestServer(UnaryOperator<HttpServerOptions> change) {
    StandardRoutes.addTo(routes, registry, () -> Health.OK, () -> death);
    try {
      server = HttpServer.start(change.apply(patient()), routes, registry);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Adds {@code /echo}: a GET is answered with its parameter q, a POST with its body. */
  public void addEcho() {
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

  /** Adds a GET that is answered with a file. */
  public void addFile(String path, Path file) {
    routes.get(
        path,
        (_, response) -> {
          try (FileChannel channel = FileChannel.open(file)) {
            response.sendFile(channel, 0, channel.size());
          }
        });
  }

  /** As usual, but for a slow machine: clients may be silent for as long as a test waits. */
  private static HttpServerOptions patient() {
    var options = HttpServerOptions.at("127.0.0.1", 0);
    return options.withTimeouts(LONG, LONG, LONG, options.timeouts().closeGrace());
  }

  public int port() {
    return server.port();
  }

  public URI uri(String pathAndQuery) {
    return URI.create("http://127.0.0.1:" + port() + pathAndQuery);
  }

  public Socket connect() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port());
    socket.setSoTimeout((int) LONG.toMillis());
    return socket;
  }

  /** Sends bytes on a new connection and gives all that comes until the server closes it. */
  public String exchange(String request) throws IOException {
    try (Socket socket = connect()) {
      send(socket, request);
      return readAll(socket);
    }
  }

  /**
   * Gives the whole answer to a request without a body.
   *
   * @param line method and target
   */
  public String ask(String line, String... headers) throws IOException {
    return exchange(
        line
            + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
            + String.join("\r\n", headers)
            + "\r\nContent-Length: 0\r\n\r\n");
  }

  public static void send(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    socket.getOutputStream().flush();
  }

  public static String readAll(Socket socket) throws IOException {
    return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
  }

  /** Reads until the text has come; fails if the connection ends before. */
  public static String readUntil(Socket socket, String end) throws IOException {
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

  public static void awaitLatch(CountDownLatch latch) {
    try {
      if (!latch.await(LONG.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new AssertionError("nothing happened for " + LONG);
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** The sum over all label values of a metric, as Prometheus would scrape it. */
  public double metric(String nameAndLabels) {
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
