package io.cordwood.common.http;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;

/** The JDK's client, in one version of HTTP, for tests of the server. */
public final class VersionedClient implements AutoCloseable {
  static {
    // Read once in the life of the process; the usual windows are larger than what tests send.
    System.setProperty("jdk.httpclient.windowsize", "4194304");
    System.setProperty("jdk.httpclient.connectionWindowSize", "67108864");
  }

  private final HttpClient client;
  private final Version version;

  public VersionedClient(Version version) {
    this.version = version;
    this.client = HttpClient.newBuilder().version(version).connectTimeout(TestServer.LONG).build();
  }

  /** The body of an answer, which comes as it is read; to be closed. */
  public InputStream get(URI uri) throws IOException {
    return send(HttpRequest.newBuilder(uri)).body();
  }

  /** Posts a body; the answer's body. */
  public String post(URI uri, BodyPublisher body) throws IOException {
    if (version == Version.HTTP_2) {
      // A request with a body does not make a connection of HTTP/2; it finds one.
      get(uri.resolve("/livez")).readAllBytes();
    }
    return new String(
        send(HttpRequest.newBuilder(uri).POST(body)).body().readAllBytes(), StandardCharsets.UTF_8);
  }

  private HttpResponse<InputStream> send(HttpRequest.Builder request) throws IOException {
    try {
      HttpResponse<InputStream> response =
          client.send(request.timeout(TestServer.LONG).build(), BodyHandlers.ofInputStream());
      if (response.version() != version) {
        throw new AssertionError("expected " + version + ", found " + response.version());
      }
      return response;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    client.shutdownNow();
  }
}
