package io.cordwood.common.http.client;

import io.cordwood.common.access.NodeKeys;
import io.cordwood.common.http.ApiParams;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Headers;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.Iterator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * The client of calls between nodes: in HTTP/2, any number of them on one connection to a peer,
 * which all clients of a node share. What is not read waits in the peer; a call that is closed
 * before its end is reset, and so it is by an interrupt of the thread that makes it. Calls must be
 * such that a peer may get them twice, but for bodies that are uploaded: those are sent once. Safe
 * for all threads.
 */
public final class PeerClient implements AutoCloseable {
  /** Memory of an answer that is not read, at first; there may be thousands. */
  private static final int WINDOW_BYTES = 64 << 10;

  private static final int ATTEMPTS = 3;

  private final Duration connectTimeout;
  private final Duration readTimeout;
  private final NodeKeys keys;
  private final PeerConnections connections;
  private final boolean bulk;
  private final Set<PeerStream> running = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  /**
   * A call as it is made here.
   *
   * @param form parameters to be posted, encoded as those of an address are; null for no body
   * @param upload its body; null for none
   * @param responseTimeout longest wait for the head of its answer
   */
  private record Call(
      String method,
      URI uri,
      @Nullable String form,
      @Nullable PeerUpload upload,
      Duration responseTimeout) {
    String peer() {
      return uri.getAuthority();
    }

    /** Whether nothing of its body was sent. */
    boolean canBeAskedAgain() {
      return upload == null || !upload.hasBegun();
    }

    Http2Headers head(@Nullable String sign) {
      Http2Headers head =
          new DefaultHttp2Headers()
              .method(method)
              .scheme(uri.getScheme())
              .authority(peer())
              .path(RequestTarget.of(uri))
              .add("user-agent", "cordwood");
      if (sign != null) {
        head.add(NodeKeys.HEADER, sign);
      }
      if (form != null) {
        head.add("content-type", ApiParams.FORM_TYPE);
      }
      if (upload != null) {
        head.add("expect", "100-continue");
        head.add("content-length", Long.toString(upload.bytes()));
      }
      return head;
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
    this(connectTimeout, readTimeout, credentials, false);
  }

  private PeerClient(
      Duration connectTimeout, Duration readTimeout, PeerCredentials credentials, boolean bulk) {
    this.keys = credentials.keys();
    this.connections = credentials.connections();
    this.connectTimeout = connectTimeout;
    this.readTimeout = readTimeout;
    this.bulk = bulk;
  }

  /** A client for large bodies, which go on a connection beside that of other calls. */
  public static PeerClient forBulk(
      Duration connectTimeout, Duration readTimeout, PeerCredentials credentials) {
    return new PeerClient(connectTimeout, readTimeout, credentials, true);
  }

  /**
   * Asks, and returns when the answer's head is here.
   *
   * @param responseTimeout longest wait for it; for a long poll, longer than it waits
   * @throws IOException naming the address, if there is no answer
   */
  public PeerResponse get(URI uri, Duration responseTimeout) throws IOException {
    return ask(new Call("GET", uri, null, null, responseTimeout));
  }

  /** Posts without a body. */
  public PeerResponse post(URI uri, Duration responseTimeout) throws IOException {
    return ask(new Call("POST", uri, null, null, responseTimeout));
  }

  /** Posts parameters, encoded as those of an address are, in a form. */
  public PeerResponse postForm(URI uri, String parameters, Duration responseTimeout)
      throws IOException {
    return ask(new Call("POST", uri, parameters, null, responseTimeout));
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
    return ask(new Call("POST", uri, null, new PeerUpload(pieces, bytes, goOn, longest), longest));
  }

  private PeerResponse ask(Call asked) throws IOException {
    PeerResponse response = askExplained(asked);
    String time = response.header(NodeKeys.TIME_HEADER);
    if (response.status() == 401 && keys.learn(asked.peer(), time)) {
      response.close();
      return askExplained(asked);
    }
    return response;
  }

  private PeerResponse askExplained(Call asked) throws IOException {
    try {
      return askAgain(asked);
    } catch (IOException e) {
      throw explained(asked.uri, e);
    }
  }

  /** Asks again on another connection if the peer has ended this one without having answered. */
  private PeerResponse askAgain(Call asked) throws IOException {
    for (int attempt = 1; ; attempt++) {
      PeerConnection connection = connections.reserve(asked.uri, bulk, connectTimeout);
      boolean mayHaveEnded = connection.wasUsed();
      PeerStream call = call(connection, asked);
      try {
        return answer(call, asked);
      } catch (PeerRefusal e) {
        if (attempt == ATTEMPTS || !asked.canBeAskedAgain()) {
          throw e;
        }
      } catch (HttpTimeoutException | InterruptedIOException e) {
        throw e;
      } catch (IOException e) {
        if (attempt == ATTEMPTS || !mayHaveEnded || closed || !asked.canBeAskedAgain()) {
          throw e;
        }
      }
    }
  }

  private PeerStream call(PeerConnection connection, Call asked) throws IOException {
    Http2Headers head =
        asked.head(keys.sign(asked.peer(), asked.method, RequestTarget.of(asked.uri)));
    boolean whole = asked.form == null && asked.upload == null;
    PeerStream call =
        connection.call(head, asked.form, whole, bulk ? CallWindow.MAX_BYTES : WINDOW_BYTES);
    running.add(call);
    if (closed) {
      running.remove(call);
      call.close();
      throw new IOException("closed");
    }
    return call;
  }

  private PeerResponse answer(PeerStream call, Call asked) throws IOException {
    boolean answered = false;
    try {
      if (asked.upload != null) {
        asked.upload.send(call);
      } else {
        call.awaitHead(asked.responseTimeout);
      }
      answered = true;
      return new PeerResponse(call, path(asked.uri), readTimeout, () -> running.remove(call));
    } finally {
      if (!answered) {
        running.remove(call);
        call.close();
      }
    }
  }

  private static IOException explained(URI uri, IOException e) {
    return switch (e) {
      case SSLException _ -> cannotConnect(uri, e.getMessage(), e);
      case UnknownHostException _ -> cannotConnect(uri, "no such host", e);
      case ConnectException _ -> cannotConnect(uri, e.getMessage(), e);
      case SocketTimeoutException _ -> cannotConnect(uri, e.getMessage(), e);
      case HttpTimeoutException _ -> new HttpTimeoutException(path(uri) + ": " + e.getMessage());
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
    closed = true;
    running.forEach(call -> call.abort("closed"));
  }
}
