package io.cordwood.ingest.node;

import io.cordwood.common.access.AuditLog;
import io.cordwood.common.access.NodeKeys;
import io.cordwood.common.access.Refusals;
import io.cordwood.common.access.Tokens;
import io.cordwood.common.file.Filesystem;
import io.cordwood.common.file.PassThroughFilesystem;
import io.cordwood.common.http.server.Guard;
import io.cordwood.common.http.server.HttpServer;
import io.cordwood.common.http.server.HttpServerOptions;
import io.cordwood.common.http.server.Routes;
import io.cordwood.ingest.Admission;
import io.cordwood.ingest.IngestOptions;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;

/** A running node behind an HTTP server, and a client of it. */
public final class HttpNode implements AutoCloseable {
  public final RunningNode node;
  private final HttpServer server;
  private final HttpClient client = HttpClient.newHttpClient();

  public HttpNode(IngestOptions options) throws IOException {
    this(options, new PassThroughFilesystem());
  }

  public HttpNode(IngestOptions options, Filesystem files) throws IOException {
    this(options, files, Guard.OPEN);
  }

  public HttpNode(IngestOptions options, Filesystem files, Guard guard) throws IOException {
    this(new RunningNode(options, files), guard);
  }

  /** One that asks for tokens. */
  public HttpNode(IngestOptions options, Tokens tokens) throws IOException {
    this(
        new RunningNode(
            options,
            new PassThroughFilesystem(),
            registry ->
                new Admission(
                    tokens, new Refusals(registry, AuditLog.NONE), false, RunningNode.PATIENCE)),
        new Guard(
            tokens,
            NodeKeys.NONE,
            new Refusals(new SimpleMeterRegistry(), AuditLog.NONE),
            AuditLog.NONE));
  }

  private HttpNode(RunningNode running, Guard guard) throws IOException {
    node = running;
    Routes routes = new Routes().guardedBy(guard);
    node.node.addRoutes(routes);
    server =
        HttpServer.start(HttpServerOptions.at("127.0.0.1", 0), routes, new SimpleMeterRegistry());
  }

  public HttpResponse<String> get(String path, String... headers) throws Exception {
    return send(request(path, headers).GET()).get();
  }

  public HttpResponse<String> post(String path) throws Exception {
    return postAsync(path, BodyPublishers.noBody()).get();
  }

  public HttpResponse<String> post(String path, byte[] body, String... headers) throws Exception {
    return send(request(path, headers).POST(BodyPublishers.ofByteArray(body))).get();
  }

  public HttpResponse<String> send(String method, String path, byte[] body, String... headers)
      throws Exception {
    return send(request(path, headers).method(method, BodyPublishers.ofByteArray(body))).get();
  }

  public CompletableFuture<HttpResponse<String>> postAsync(String path, BodyPublisher body) {
    return send(request(path).POST(body));
  }

  public CompletableFuture<HttpResponse<String>> postAsync(String path, String body) {
    return postAsync(path, BodyPublishers.ofString(body));
  }

  private HttpRequest.Builder request(String path, String... headers) {
    URI base = URI.create("http://127.0.0.1:" + server.port() + "/ingest/");
    var request = HttpRequest.newBuilder(base.resolve(path));
    return headers.length == 0 ? request : request.headers(headers);
  }

  private CompletableFuture<HttpResponse<String>> send(HttpRequest.Builder request) {
    return client.sendAsync(request.build(), BodyHandlers.ofString(StandardCharsets.ISO_8859_1));
  }

  /** Of the API. */
  public int port() {
    return server.port();
  }

  /** A connection for what the client would never send. */
  public Socket connect() throws IOException {
    return new Socket(InetAddress.getLoopbackAddress(), server.port());
  }

  @Override
  public void close() throws IOException {
    client.shutdownNow();
    server.close();
    node.close();
  }
}
