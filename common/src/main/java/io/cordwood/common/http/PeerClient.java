package io.cordwood.common.http;

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
import java.time.Duration;

/**
 * The client of node-to-node calls: HTTP/2 in clear text, by upgrade, with many calls on one
 * connection to a peer. Calls block their thread. Trailers of answers are not seen. Safe for all
 * threads.
 *
 * <p>The JDK's client reads its buffer and window sizes from system properties once in the life of
 * the process; this class sets those that are not set when it is loaded, so it has to be loaded
 * before the JDK's client is used otherwise. A stream's window bounds what waits in memory for a
 * slow reader.
 */
public final class PeerClient implements AutoCloseable {
  static {
    setUnlessSet("jdk.httpclient.bufsize", 64 << 10);
    setUnlessSet("jdk.httpclient.maxframesize", 64 << 10);
    setUnlessSet("jdk.httpclient.windowsize", 4 << 20);
    setUnlessSet("jdk.httpclient.connectionWindowSize", 64 << 20);
  }

  private final HttpClient client;
  private final Duration readTimeout;

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
    this(connectTimeout, readTimeout, Version.HTTP_2);
  }

  PeerClient(Duration connectTimeout, Duration readTimeout, Version version) {
    this.readTimeout = readTimeout;
    this.client =
        HttpClient.newBuilder()
            .version(version)
            .connectTimeout(connectTimeout)
            .followRedirects(Redirect.NEVER)
            .build();
  }

  /**
   * Asks, and returns when the answer's headers are here.
   *
   * @param responseTimeout longest wait for the headers; for a long poll, longer than it waits
   * @throws IOException naming the address, if there is no answer
   */
  public PeerResponse get(URI uri, Duration responseTimeout) throws IOException {
    return send(HttpRequest.newBuilder(uri).GET(), uri, responseTimeout);
  }

  /** Posts without a body. */
  public PeerResponse post(URI uri, Duration responseTimeout) throws IOException {
    return post(uri, BodyPublishers.noBody(), responseTimeout);
  }

  /**
   * Posts a body, such as {@code BodyPublishers.ofFile}, and returns when the answer's headers are
   * here.
   *
   * @param responseTimeout longest wait for them, the time to send the body included
   */
  public PeerResponse post(URI uri, BodyPublisher body, Duration responseTimeout)
      throws IOException {
    return send(HttpRequest.newBuilder(uri).POST(body), uri, responseTimeout);
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
    try {
      HttpResponse<PeerBody> response =
          client.send(
              request.timeout(timeout).build(), _ -> new PeerBody(readTimeout).subscriber());
      return new PeerResponse(response.statusCode(), response.headers(), response.body());
    } catch (HttpConnectTimeoutException | ConnectException e) {
      throw new ConnectException(uri.getAuthority() + ": cannot connect" + reason(e));
    } catch (HttpTimeoutException e) {
      throw new HttpTimeoutException(uri + ": no answer within " + timeout.toMillis() + " ms");
    } catch (IOException e) {
      throw new IOException(uri + ": " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException(uri + ": interrupted");
    }
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
