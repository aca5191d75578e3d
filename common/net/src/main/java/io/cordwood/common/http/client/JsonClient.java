package io.cordwood.common.http.client;

import io.cordwood.common.json.Json;
import io.cordwood.common.tls.ClientTls;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Posts JSON to servers that are no nodes, such as webhooks, in HTTP/1.1. Follows no redirects.
 * Safe for all threads.
 */
public final class JsonClient implements AutoCloseable {
  private static final int FIRST_OF_SUCCESS = 200;
  private static final int END_OF_SUCCESS = 300;

  private final HttpClient client;

  /** Trusts whom the JVM trusts. */
  public JsonClient() {
    ClientTls tls = ClientTls.usual();
    this.client =
        JdkClients.builder().sslContext(tls.context()).sslParameters(tls.parameters()).build();
  }

  /**
   * Posts a body; returns once it was taken.
   *
   * @param timeout for all of it, the end of the answer included
   * @throws IOException if it was not; the message names the host alone, since the rest of an
   *     address may be a secret
   */
  public void post(URI address, String json, Duration timeout)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(address)
            .header("User-Agent", "cordwood")
            .header("Content-Type", Json.TYPE)
            .POST(BodyPublishers.ofString(json))
            .build();
    int status = send(request, timeout);
    if (status < FIRST_OF_SUCCESS || status >= END_OF_SUCCESS) {
      throw new IOException(host(address) + ": expected status 2xx, found " + status);
    }
  }

  private int send(HttpRequest request, Duration timeout) throws IOException, InterruptedException {
    CompletableFuture<HttpResponse<Void>> answer =
        client.sendAsync(request, BodyHandlers.discarding());
    try {
      return answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS).statusCode();
    } catch (ExecutionException e) {
      throw new IOException(host(request.uri()) + ": " + JdkClients.reason(e), e);
    } catch (TimeoutException e) {
      throw new IOException(
          "%s: expected an answer within %d ms, found none"
              .formatted(host(request.uri()), timeout.toMillis()),
          e);
    } finally {
      answer.cancel(true);
    }
  }

  private static String host(URI address) {
    return address.getPort() < 0 ? address.getHost() : address.getHost() + ":" + address.getPort();
  }

  /** Ends all that is under way. */
  @Override
  public void close() {
    client.shutdownNow();
  }
}
