package io.cordwood.common.http.client;

import io.cordwood.common.tls.ClientTls;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Requests of any method to servers that are no nodes, in HTTP/1.1 on connections that are kept.
 * Follows no redirects. Its calls block. Safe for all threads.
 */
public final class ForeignClient implements AutoCloseable {
  private static final Duration CONNECT = Duration.ofSeconds(5);

  private final HttpClient client;

  /**
   * @param tls for {@code https}; empty for whom the JVM trusts
   */
  public ForeignClient(Optional<ClientTls> tls) {
    HttpClient.Builder builder = JdkClients.builder().connectTimeout(CONNECT);
    tls.ifPresent(own -> builder.sslContext(own.context()).sslParameters(own.parameters()));
    this.client = builder.build();
  }

  /** Sent after the headers. */
  public sealed interface Body {
    /** Nothing, without a length. */
    Body NONE = new None();

    /** No body. */
    record None() implements Body {}

    /** From memory. */
    record Bytes(byte[] bytes) implements Body {}

    /** A file, which must not change meanwhile. */
    record Content(Path file) implements Body {}

    /**
     * From a stream, which must be the same each time it is opened.
     *
     * @param bytes of it, at least 1
     */
    record Streamed(Opening opening, long bytes) implements Body {}

    /** Opens a stream, to be read and closed by the one who asks. */
    @FunctionalInterface
    interface Opening {
      InputStream open() throws IOException;
    }
  }

  /**
   * A request.
   *
   * @param uri as it goes over the wire, percent signs included
   * @param headers without {@code Host} and {@code Content-Length}
   */
  public record Call(String method, URI uri, Map<String, String> headers, Body body) {}

  /**
   * An answer of any status.
   *
   * @param fields headers by their names in small letters
   */
  public record Answer(int status, Map<String, String> fields, byte[] body) {
    /** A header. */
    public Optional<String> header(String smallName) {
      return Optional.ofNullable(fields.get(smallName));
    }
  }

  /**
   * Sends a request, and returns once the whole answer is here.
   *
   * @param mostBytes an answer with a longer body is an error
   * @param timeout for all of it, the end of the answer included
   * @throws IOException if there is no whole answer; the message does not name the server
   */
  public Answer send(Call call, long mostBytes, Duration timeout) throws IOException {
    var request = HttpRequest.newBuilder(call.uri).method(call.method, publisher(call.body));
    request.header("User-Agent", "cordwood");
    call.headers.forEach(request::header);
    CompletableFuture<HttpResponse<byte[]>> coming =
        client.sendAsync(
            request.build(), BodyHandlers.limiting(BodyHandlers.ofByteArray(), mostBytes));
    try {
      return answer(coming.get(timeout.toMillis(), TimeUnit.MILLISECONDS));
    } catch (ExecutionException e) {
      throw new IOException(JdkClients.reason(e), e);
    } catch (TimeoutException e) {
      throw new SocketTimeoutException("no whole answer within " + timeout.toMillis() + " ms");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while waiting for an answer");
    } finally {
      coming.cancel(true);
    }
  }

  private static Answer answer(HttpResponse<byte[]> response) {
    Map<String, String> fields = new TreeMap<>();
    response
        .headers()
        .map()
        .forEach((name, values) -> fields.put(name.toLowerCase(Locale.ROOT), values.getFirst()));
    return new Answer(response.statusCode(), fields, response.body());
  }

  private static BodyPublisher publisher(Body body) throws IOException {
    return switch (body) {
      case Body.None _ -> BodyPublishers.noBody();
      case Body.Bytes(byte[] bytes) -> BodyPublishers.ofByteArray(bytes);
      case Body.Content(Path file) -> BodyPublishers.ofFile(file);
      case Body.Streamed(Body.Opening opening, long bytes) ->
          BodyPublishers.fromPublisher(BodyPublishers.ofInputStream(() -> opened(opening)), bytes);
    };
  }

  /** One that fails when it is read, if it cannot be opened. */
  private static InputStream opened(Body.Opening opening) {
    try {
      return opening.open();
    } catch (IOException e) {
      return new InputStream() {
        @Override
        public int read() throws IOException {
          throw e;
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
          throw e;
        }
      };
    }
  }

  /** Breaks off all that is under way. */
  @Override
  public void close() {
    client.shutdownNow();
  }
}
