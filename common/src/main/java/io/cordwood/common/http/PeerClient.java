package io.cordwood.common.http;

import io.cordwood.common.access.NodeKeys;
import io.cordwood.common.tls.TlsFailures;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Redirect;
import java.net.http.HttpClient.Version;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Iterator;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * The client of node-to-node calls that carry records, or last: HTTP/2, in clear text by upgrade,
 * with many calls on one connection to a peer; for short ones there is {@link PeerConnections}.
 * Calls block their thread. Trailers of answers are not seen. Safe for all threads.
 *
 * <p>The JDK's client upgrades a connection with a request only, and servers do not take a request
 * with a body for it, since they would have to hold the body until they have answered. So a call
 * with a body asks for something small first, which makes the connection or finds it; should it end
 * in between, the body goes over HTTP/1.1.
 *
 * <p>The JDK's client reads its buffer and window sizes from system properties once in the life of
 * the process; this class sets those that are not set when it is loaded, so it has to be loaded
 * before the JDK's client is used otherwise. A stream's window bounds what waits in memory for a
 * slow reader.
 */
public final class PeerClient implements PeerCalls, AutoCloseable {
  static {
    setUnlessSet("jdk.httpclient.bufsize", 64 << 10);
    setUnlessSet("jdk.httpclient.maxframesize", 64 << 10);
    setUnlessSet("jdk.httpclient.windowsize", 4 << 20);
    setUnlessSet("jdk.httpclient.connectionWindowSize", 64 << 20);
  }

  private static final long LOOK_MILLIS = 200;

  private final HttpClient client;
  private final NodeKeys keys;
  private final Duration readTimeout;
  private final Version version;

  private static void setUnlessSet(String property, int value) {
    if (System.getProperty(property) == null) {
      System.setProperty(property, Integer.toString(value));
    }
  }

  /**
   * A client over HTTP/2.
   *
   * @param connectTimeout for a connection to be made
   * @param readTimeout longest wait for the next bytes of an answer's body
   */
  public PeerClient(Duration connectTimeout, Duration readTimeout) {
    this(connectTimeout, readTimeout, PeerCredentials.NONE);
  }

  /**
   * The same, whose calls show that they are of a node.
   *
   * @param credentials of this node
   */
  public PeerClient(Duration connectTimeout, Duration readTimeout, PeerCredentials credentials) {
    this(connectTimeout, readTimeout, Version.HTTP_2, credentials);
  }

  PeerClient(Duration connectTimeout, Duration readTimeout, Version version) {
    this(connectTimeout, readTimeout, version, PeerCredentials.NONE);
  }

  private PeerClient(
      Duration connectTimeout, Duration readTimeout, Version version, PeerCredentials credentials) {
    this.keys = credentials.keys();
    this.readTimeout = readTimeout;
    this.version = version;
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .version(version)
            .connectTimeout(connectTimeout)
            .followRedirects(Redirect.NEVER);
    credentials
        .tls()
        .ifPresent(
            secure -> builder.sslContext(secure.context()).sslParameters(secure.parameters()));
    this.client = builder.build();
  }

  /**
   * Asks, and returns when the answer's headers are here.
   *
   * @param responseTimeout longest wait for the headers; for a long poll, longer than it waits
   * @throws IOException naming the address, if there is no answer
   */
  @Override
  public PeerResponse get(URI uri, Duration responseTimeout) throws IOException {
    return send(HttpRequest.newBuilder(uri).GET(), uri, responseTimeout);
  }

  /** Posts without a body. */
  public PeerResponse post(URI uri, Duration responseTimeout) throws IOException {
    return send(HttpRequest.newBuilder(uri).POST(BodyPublishers.noBody()), uri, responseTimeout);
  }

  /**
   * Posts a body, such as {@code BodyPublishers.ofFile}, and returns when the answer's headers are
   * here.
   *
   * @param responseTimeout longest wait for them, the time to send the body included
   */
  public PeerResponse post(URI uri, BodyPublisher body, Duration responseTimeout)
      throws IOException {
    return post(uri, body, () -> true, responseTimeout);
  }

  @Override
  public PeerResponse postForm(URI uri, String parameters, Duration responseTimeout)
      throws IOException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri)
            .header("content-type", Request.FORM)
            .POST(BodyPublishers.ofString(parameters, StandardCharsets.US_ASCII));
    return send(request, uri, responseTimeout);
  }

  /**
   * Posts a body, piece by piece as the peer takes it, for as long as it is worth waiting.
   *
   * @param pieces of the body, asked for by one thread at a time; an exception breaks the call off
   * @param bytes of all pieces
   * @param goOn asked some times a second; the call is broken off when it says no
   * @param responseTimeout longest wait for the answer's headers in any case
   */
  public PeerResponse post(
      URI uri, Iterator<byte[]> pieces, long bytes, BooleanSupplier goOn, Duration responseTimeout)
      throws IOException {
    BodyPublisher body =
        BodyPublishers.fromPublisher(BodyPublishers.ofByteArrays(() -> pieces), bytes);
    return post(uri, body, goOn, responseTimeout);
  }

  private PeerResponse post(
      URI uri, BodyPublisher body, BooleanSupplier goOn, Duration responseTimeout)
      throws IOException {
    if (version == Version.HTTP_2) {
      URI first = uri.resolve(ApiPaths.HEALTHY);
      var head = HttpRequest.newBuilder(first).HEAD();
      try (PeerResponse answer = sendWhile(goOn, signed(head), uri, responseTimeout)) {
        var _ = learns(answer, uri); // Since a body is not sent a second time.
      }
    }
    return sendWhile(goOn, signed(HttpRequest.newBuilder(uri).POST(body)), uri, responseTimeout);
  }

  private HttpRequest.Builder signed(HttpRequest.Builder request) {
    HttpRequest made = request.build();
    URI uri = made.uri();
    String target =
        uri.getRawQuery() == null ? uri.getRawPath() : uri.getRawPath() + "?" + uri.getRawQuery();
    String sign = keys.sign(uri.getAuthority(), made.method(), target);
    return sign == null ? request : request.setHeader(NodeKeys.HEADER, sign);
  }

  /** Whether a call was refused for its time, and another one will not be. */
  private boolean learns(PeerResponse answer, URI uri) {
    return answer.status() == 401
        && keys.learn(
            uri.getAuthority(), answer.headers().firstValue(NodeKeys.TIME_HEADER).orElse(null));
  }

  private PeerResponse sendWhile(
      BooleanSupplier goOn, HttpRequest.Builder request, URI uri, Duration timeout)
      throws IOException {
    var answer =
        client.sendAsync(
            request.timeout(timeout).build(), _ -> new PeerBody(readTimeout).subscriber());
    try {
      return response(await(answer, goOn));
    } catch (ExecutionException e) {
      throw explained(uri, timeout, asIoException(e.getCause()));
    } catch (TimeoutException e) {
      throw new HttpTimeoutException(uri + ": nothing went on for too long, broken off");
    } catch (InterruptedException e) {
      throw interrupted(uri);
    } finally {
      answer.cancel(true);
    }
  }

  private static <T> T await(Future<T> answer, BooleanSupplier goOn)
      throws ExecutionException, InterruptedException, TimeoutException {
    while (goOn.getAsBoolean()) {
      try {
        return answer.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        // Not yet; whether to go on is asked again.
      }
    }
    throw new TimeoutException();
  }

  /**
   * Writes what a path gives to a channel, as it comes and without copying it on the way.
   *
   * @return bytes written
   * @throws IOException also if the status is not 200, or there are more than {@code maxBytes}; the
   *     channel may then have a part
   */
  public long download(URI uri, WritableByteChannel target, long maxBytes, Duration responseTimeout)
      throws IOException {
    try (PeerResponse response = get(uri, responseTimeout)) {
      if (response.status() != 200) {
        throw new IOException(uri + ": " + response.status() + " " + response.error());
      }
      return response.body().transferTo(target, maxBytes);
    }
  }

  private PeerResponse send(HttpRequest.Builder request, URI uri, Duration timeout)
      throws IOException {
    PeerResponse answer = sendOnce(signed(request), uri, timeout);
    if (learns(answer, uri)) {
      answer.close();
      return sendOnce(signed(request), uri, timeout);
    }
    return answer;
  }

  private PeerResponse sendOnce(HttpRequest.Builder request, URI uri, Duration timeout)
      throws IOException {
    try {
      return response(
          client.send(
              request.timeout(timeout).build(), _ -> new PeerBody(readTimeout).subscriber()));
    } catch (IOException e) {
      throw explained(uri, timeout, e);
    } catch (InterruptedException e) {
      throw interrupted(uri);
    }
  }

  private static PeerResponse response(HttpResponse<PeerBody> response) {
    return new PeerResponse(response.statusCode(), response.headers(), response.body());
  }

  private static IOException explained(URI uri, Duration timeout, IOException e) {
    return switch (TlsFailures.explained(uri.getHost(), e)) {
      case SSLException secure -> cannotConnect(uri, secure);
      case HttpConnectTimeoutException _ -> cannotConnect(uri, e);
      case ConnectException _ -> cannotConnect(uri, e);
      case HttpTimeoutException _ ->
          new HttpTimeoutException(uri + ": no answer within " + timeout.toMillis() + " ms");
      default -> new IOException(uri + ": " + e.getMessage(), e);
    };
  }

  private static IOException asIoException(@Nullable Throwable cause) {
    return cause instanceof IOException io ? io : new IOException(cause);
  }

  private static ConnectException cannotConnect(URI uri, IOException e) {
    return new ConnectException(uri.getAuthority() + ": cannot connect" + reason(e));
  }

  private static InterruptedIOException interrupted(URI uri) {
    Thread.currentThread().interrupt();
    return new InterruptedIOException(uri + ": interrupted");
  }

  private static String reason(IOException e) {
    return e.getMessage() == null ? "" : ": " + e.getMessage();
  }

  /** Breaks off the calls that run. */
  @Override
  public void close() {
    client.shutdownNow();
  }
}
