package io.cordwood.common.http.client;

import io.cordwood.common.tls.ClientTls;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
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
  private final Optional<String> token;

  /** Trusts whom the JVM trusts, and shows no token. */
  public JsonClient() {
    this(ClientTls.usual(), Optional.empty());
  }

  /**
   * @param tls whom it trusts
   * @param token shown with each request
   */
  public JsonClient(ClientTls tls, Optional<String> token) {
    this.token = token;
    this.client =
        JdkClients.builder().sslContext(tls.context()).sslParameters(tls.parameters()).build();
  }

  /**
   * An answer, whole.
   *
   * @param status HTTP status
   */
  public record Answer(int status, String body) {}

  /**
   * Posts a body; returns once it was taken.
   *
   * @param timeout for all of it, the end of the answer included
   * @throws IOException if it was not; the message names the host alone, since the rest of an
   *     address may be a secret
   */
  public void post(URI address, byte[] json, Duration timeout)
      throws IOException, InterruptedException {
    int status = send(posting(address, json), BodyHandlers.discarding(), timeout).statusCode();
    if (status < FIRST_OF_SUCCESS || status >= END_OF_SUCCESS) {
      throw new IOException(host(address) + ": expected status 2xx, found " + status);
    }
  }

  /** Posts a body; the answer, whatever its status. See {@link #post}. */
  public Answer ask(URI address, byte[] json, Duration timeout)
      throws IOException, InterruptedException {
    return answer(posting(address, json), timeout);
  }

  /** Asks; the answer, whatever its status. See {@link #post}. */
  public Answer get(URI address, Duration timeout) throws IOException, InterruptedException {
    return answer(request(address).GET(), timeout);
  }

  private Answer answer(HttpRequest.Builder request, Duration timeout)
      throws IOException, InterruptedException {
    HttpResponse<String> answer =
        send(request, BodyHandlers.ofString(StandardCharsets.UTF_8), timeout);
    return new Answer(answer.statusCode(), answer.body());
  }

  private HttpRequest.Builder posting(URI address, byte[] json) {
    return request(address)
        .header("Content-Type", "application/json")
        .POST(BodyPublishers.ofByteArray(json));
  }

  private HttpRequest.Builder request(URI address) {
    var request = HttpRequest.newBuilder(address).header("User-Agent", "cordwood");
    token.ifPresent(text -> request.header("Authorization", "Bearer " + text));
    return request;
  }

  private <T> HttpResponse<T> send(
      HttpRequest.Builder request, BodyHandler<T> handler, Duration timeout)
      throws IOException, InterruptedException {
    HttpRequest whole = request.build();
    CompletableFuture<HttpResponse<T>> answer = client.sendAsync(whole, handler);
    try {
      return answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw new IOException(host(whole.uri()) + ": " + JdkClients.reason(e), e);
    } catch (TimeoutException e) {
      throw new IOException(
          "%s: expected an answer within %d ms, found none"
              .formatted(host(whole.uri()), timeout.toMillis()),
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
