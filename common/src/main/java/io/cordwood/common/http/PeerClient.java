package io.cordwood.common.http;

import io.cordwood.common.access.NodeKeys;
import io.cordwood.common.tls.ClientTls;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * The client of calls between nodes: in HTTP/1.1, each with a connection to itself, which is kept
 * for the next call to the same peer. What is not read waits in the peer; a call that is closed
 * before its end closes its connection, and so does an interrupt of the virtual thread that makes
 * it. Calls must be such that a peer may get them twice, but for bodies that are uploaded: those
 * are sent once. Safe for all threads.
 */
public final class PeerClient implements AutoCloseable {
  private final Duration connectTimeout;
  private final Duration readTimeout;
  private final NodeKeys keys;
  private final Optional<ClientTls> tls;
  private final PeerConnections connections = new PeerConnections();

  /**
   * A call as it is made here.
   *
   * @param upload its body; null for none
   * @param responseTimeout longest wait for the head of its answer
   */
  private record Asked(
      Http1Connection.Call call, @Nullable PeerUpload upload, Duration responseTimeout) {
    URI uri() {
      return call.uri();
    }

    String peer() {
      return call.uri().getAuthority();
    }
  }

  /**
   * A client.
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
    this.keys = credentials.keys();
    this.tls = credentials.tls();
    this.connectTimeout = connectTimeout;
    this.readTimeout = readTimeout;
  }

  /**
   * Asks, and returns when the answer's head is here.
   *
   * @param responseTimeout longest wait for it; for a long poll, longer than it waits
   * @throws IOException naming the address, if there is no answer
   */
  public PeerResponse get(URI uri, Duration responseTimeout) throws IOException {
    return ask(new Asked(new Http1Connection.Call("GET", uri, null, false), null, responseTimeout));
  }

  /** Posts without a body. */
  public PeerResponse post(URI uri, Duration responseTimeout) throws IOException {
    return ask(
        new Asked(new Http1Connection.Call("POST", uri, null, false), null, responseTimeout));
  }

  /** Posts parameters, encoded as those of an address are, in a form. */
  public PeerResponse postForm(URI uri, String parameters, Duration responseTimeout)
      throws IOException {
    return ask(
        new Asked(new Http1Connection.Call("POST", uri, parameters, false), null, responseTimeout));
  }

  /**
   * Posts a body, piece by piece as the peer takes it, for as long as it is worth waiting. It is
   * not sent to a peer that refuses the call by its head.
   *
   * @param pieces of the body, asked for by this thread; an exception breaks the call off
   * @param bytes of all pieces, at least 1
   * @param goOn asked some times a second; the call is broken off when it says no
   * @param longest wait for the answer's head in any case, the time to send the body included
   */
  public PeerResponse post(
      URI uri, Iterator<byte[]> pieces, long bytes, BooleanSupplier goOn, Duration longest)
      throws IOException {
    try (var upload = PeerUpload.begin(pieces, goOn, longest)) {
      try {
        return ask(new Asked(Http1Connection.Call.upload(uri, bytes), upload, longest));
      } catch (IOException e) {
        if (upload.isBrokenOff()) {
          throw new HttpTimeoutException(path(uri) + ": nothing went on for too long, broken off");
        }
        throw e;
      }
    }
  }

  private PeerResponse ask(Asked asked) throws IOException {
    PeerResponse response = askOnce(signed(asked));
    String time = response.header(NodeKeys.TIME_HEADER);
    if (response.status() == 401 && keys.learn(asked.peer(), time)) {
      response.close();
      return askOnce(signed(asked));
    }
    return response;
  }

  private Asked signed(Asked asked) {
    Http1Connection.Call call = asked.call;
    String sign = keys.sign(asked.peer(), call.method(), call.target());
    return sign == null
        ? asked
        : new Asked(call.with(Map.of(NodeKeys.HEADER, sign)), asked.upload, asked.responseTimeout);
  }

  private PeerResponse askOnce(Asked asked) throws IOException {
    try {
      Http1Connection kept = connections.takeIdle(asked.peer());
      if (kept != null && isStillAnswered(kept, asked)) {
        return response(kept, asked);
      }
      Http1Connection opened =
          connections.add(Http1Connection.open(asked.uri(), connectTimeout, tls));
      if (isAnswered(opened, asked)) {
        return response(opened, asked);
      }
      throw new EOFException("expected an answer, found the end of the connection");
    } catch (IOException e) {
      throw explained(asked.uri(), asked.responseTimeout, e);
    }
  }

  /** Whether a call is answered on a connection that the peer may have closed meanwhile. */
  private boolean isStillAnswered(Http1Connection kept, Asked asked) throws IOException {
    try {
      return isAnswered(kept, asked);
    } catch (SocketTimeoutException e) {
      throw e;
    } catch (IOException e) {
      if (connections.isClosed() || Thread.currentThread().isInterrupted()) {
        throw e;
      }
      return false;
    }
  }

  /** Sends a call and waits for the first byte of its answer; false if there is none. */
  private boolean isAnswered(Http1Connection connection, Asked asked) throws IOException {
    boolean answered = false;
    try {
      if (asked.upload != null) {
        asked.upload.use(connection);
      }
      connection.setTimeout(asked.responseTimeout);
      connection.send(asked.call);
      answered = connection.awaitAnswer();
      return answered;
    } finally {
      if (!answered) {
        connections.drop(connection);
      }
    }
  }

  private PeerResponse response(Http1Connection connection, Asked asked) throws IOException {
    Http1Connection.Answer answer = null;
    try {
      Http1Connection.Answer got = answer(connection, asked);
      connection.setTimeout(readTimeout);
      answer = got;
      return new PeerResponse(connections, connection, asked.peer(), answer, readTimeout);
    } finally {
      if (answer == null) {
        connections.drop(connection);
      }
    }
  }

  private static Http1Connection.Answer answer(Http1Connection connection, Asked asked)
      throws IOException {
    if (asked.upload != null) {
      Optional<Http1Connection.Answer> refusal = connection.nextHead(asked.call);
      if (refusal.isPresent()) {
        return refusal.get();
      }
      asked.upload.send(connection);
    }
    return connection.answer(asked.call);
  }

  private static IOException explained(URI uri, Duration timeout, IOException e) {
    return switch (e) {
      case SSLException _ -> cannotConnect(uri, e.getMessage(), e);
      case UnknownHostException _ -> cannotConnect(uri, "no such host", e);
      case ConnectException _ -> cannotConnect(uri, e.getMessage(), e);
      case NoRouteToHostException _ -> cannotConnect(uri, e.getMessage(), e);
      case SocketTimeoutException _ ->
          new HttpTimeoutException(path(uri) + ": no answer within " + timeout.toMillis() + " ms");
      default -> new IOException(path(uri) + ": " + e.getMessage(), e);
    };
  }

  /** Without what is asked, which can be long. */
  private static String path(URI uri) {
    return uri.getAuthority() + uri.getPath();
  }

  private static IOException cannotConnect(URI uri, @Nullable String why, IOException e) {
    var failure = new ConnectException(uri.getAuthority() + ": cannot connect: " + why);
    failure.initCause(e);
    return failure;
  }

  /** Breaks off the calls that run; there can be no more. */
  @Override
  public void close() {
    connections.close();
  }
}
