package io.cordwood.common.http;

import io.cordwood.common.access.NodeKeys;
import io.cordwood.common.tls.ClientTls;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * The client of calls between nodes that are short and many, as a query's are: in HTTP/1.1, each
 * with a connection to itself, which is kept for the next call to the same peer. What is not read
 * waits in the peer; a call that is closed before its end closes its connection, and so does an
 * interrupt of the virtual thread that makes it. Calls must be such that a peer may get them twice.
 * Safe for all threads.
 */
public final class PeerConnections implements PeerCalls, AutoCloseable {
  /** Kept of one peer; more are closed after their calls. */
  private static final int MAX_IDLE_EACH = 16;

  /** Less than the time for which servers keep them. */
  private static final Duration KEPT = Duration.ofSeconds(30);

  private final Duration connectTimeout;
  private final Duration readTimeout;
  private final NodeKeys keys;
  private final Optional<ClientTls> tls;
  private final Map<String, ArrayDeque<Idle>> idle = new HashMap<>();
  private final Set<Http1Connection> busy = new HashSet<>();
  private boolean closed;

  /** A connection without a call. */
  private record Idle(Http1Connection connection, long sinceNanos) {
    boolean isOld(long nowNanos) {
      return nowNanos - sinceNanos > KEPT.toNanos();
    }
  }

  /**
   * A client.
   *
   * @param connectTimeout for a connection to be made
   * @param readTimeout longest wait for the next bytes of an answer's body
   */
  public PeerConnections(Duration connectTimeout, Duration readTimeout) {
    this(connectTimeout, readTimeout, PeerCredentials.NONE);
  }

  /**
   * The same, whose calls show that they are of a node.
   *
   * @param credentials of this node
   */
  public PeerConnections(
      Duration connectTimeout, Duration readTimeout, PeerCredentials credentials) {
    this.keys = credentials.keys();
    this.tls = credentials.tls();
    this.connectTimeout = connectTimeout;
    this.readTimeout = readTimeout;
  }

  @Override
  public PeerReply get(URI uri, Duration responseTimeout) throws IOException {
    return ask(new Http1Connection.Call("GET", uri, null, false), responseTimeout);
  }

  /** Posts without a body. */
  public PeerReply post(URI uri, Duration responseTimeout) throws IOException {
    return ask(new Http1Connection.Call("POST", uri, null, false), responseTimeout);
  }

  @Override
  public PeerReply postForm(URI uri, String parameters, Duration responseTimeout)
      throws IOException {
    return ask(new Http1Connection.Call("POST", uri, parameters, false), responseTimeout);
  }

  private PeerReply ask(Http1Connection.Call call, Duration responseTimeout) throws IOException {
    Reply reply = askOnce(signed(call), responseTimeout);
    String time = reply.answer.fields().get(NodeKeys.TIME_HEADER);
    if (reply.status() == 401 && keys.learn(call.uri().getAuthority(), time)) {
      reply.close();
      return askOnce(signed(call), responseTimeout);
    }
    return reply;
  }

  private Http1Connection.Call signed(Http1Connection.Call call) {
    String sign = keys.sign(call.uri().getAuthority(), call.method(), call.target());
    return sign == null ? call : call.with(Map.of(NodeKeys.HEADER, sign));
  }

  private Reply askOnce(Http1Connection.Call call, Duration responseTimeout) throws IOException {
    URI uri = call.uri();
    try {
      Http1Connection kept = takeIdle(uri.getAuthority());
      if (kept != null && isStillAnswered(kept, call, responseTimeout)) {
        return reply(kept, call);
      }
      Http1Connection opened = added(Http1Connection.open(uri, connectTimeout, tls));
      if (isAnswered(opened, call, responseTimeout)) {
        return reply(opened, call);
      }
      throw new EOFException("expected an answer, found the end of the connection");
    } catch (IOException e) {
      throw explained(uri, responseTimeout, e);
    }
  }

  /** Whether a call is answered on a connection that the peer may have closed meanwhile. */
  private boolean isStillAnswered(
      Http1Connection kept, Http1Connection.Call call, Duration responseTimeout)
      throws IOException {
    try {
      return isAnswered(kept, call, responseTimeout);
    } catch (SocketTimeoutException e) {
      throw e;
    } catch (IOException e) {
      if (isClosed() || Thread.currentThread().isInterrupted()) {
        throw e;
      }
      return false;
    }
  }

  /** Sends a call and waits for the first byte of its answer; false if there is none. */
  private boolean isAnswered(
      Http1Connection connection, Http1Connection.Call call, Duration responseTimeout)
      throws IOException {
    boolean answered = false;
    try {
      connection.setTimeout(responseTimeout);
      connection.send(call);
      answered = connection.awaitAnswer();
      return answered;
    } finally {
      if (!answered) {
        drop(connection);
      }
    }
  }

  private Reply reply(Http1Connection connection, Http1Connection.Call call) throws IOException {
    try {
      Http1Connection.Answer answer = connection.answer(call);
      connection.setTimeout(readTimeout);
      return new Reply(connection, call.uri().getAuthority(), answer);
    } catch (IOException e) {
      drop(connection);
      throw e;
    }
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

  private synchronized boolean isClosed() {
    return closed;
  }

  private synchronized Http1Connection added(Http1Connection connection) throws IOException {
    if (closed) {
      connection.close();
      throw new IOException("closed");
    }
    busy.add(connection);
    return connection;
  }

  private synchronized @Nullable Http1Connection takeIdle(String peer) {
    ArrayDeque<Idle> kept = idle.get(peer);
    Idle latest = kept == null ? null : kept.pollLast();
    if (latest == null) {
      return null;
    }
    if (latest.isOld(System.nanoTime())) {
      latest.connection.close();
      return null;
    }
    busy.add(latest.connection);
    return latest.connection;
  }

  /** Keeps a connection whose call is over, if there is room; lets go of those kept for long. */
  private synchronized void keep(String peer, Http1Connection connection) {
    boolean wasBusy = busy.remove(connection);
    long now = System.nanoTime();
    dropOld(now);
    ArrayDeque<Idle> kept = idle.computeIfAbsent(peer, _ -> new ArrayDeque<>());
    if (wasBusy && kept.size() < MAX_IDLE_EACH) {
      kept.add(new Idle(connection, now));
    } else {
      connection.close();
    }
  }

  private void dropOld(long now) {
    for (Iterator<ArrayDeque<Idle>> each = idle.values().iterator(); each.hasNext(); ) {
      ArrayDeque<Idle> kept = each.next();
      while (!kept.isEmpty() && kept.getFirst().isOld(now)) {
        kept.removeFirst().connection.close();
      }
      if (kept.isEmpty()) {
        each.remove();
      }
    }
  }

  private synchronized void drop(Http1Connection connection) {
    busy.remove(connection);
    connection.close();
  }

  /** Breaks off the calls that run; there can be no more. */
  @Override
  public synchronized void close() {
    closed = true;
    busy.forEach(Http1Connection::close);
    busy.clear();
    idle.values().forEach(kept -> kept.forEach(each -> each.connection.close()));
    idle.clear();
  }

  private final class Reply extends BlockInput implements PeerReply {
    private final Http1Connection connection;
    private final String peer;
    private final Http1Connection.Answer answer;
    private boolean over;

    Reply(Http1Connection connection, String peer, Http1Connection.Answer answer) {
      this.connection = connection;
      this.peer = peer;
      this.answer = answer;
    }

    @Override
    public int status() {
      return answer.status();
    }

    @Override
    public InputStream body() {
      return this;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      if (over) {
        return -1;
      }
      int count = readOn(bytes, offset, length);
      if (count < 0) {
        over = true;
        end();
      }
      return count;
    }

    private int readOn(byte[] bytes, int offset, int length) throws IOException {
      try {
        return answer.body().read(bytes, offset, length);
      } catch (SocketTimeoutException e) {
        throw new HttpTimeoutException("received nothing for " + readTimeout.toMillis() + " ms");
      } catch (IOException e) {
        throw new IOException("the answer breaks off: " + e.getMessage(), e);
      }
    }

    private void end() {
      if (answer.leavesOpen() && !connection.hasUnread()) {
        keep(peer, connection);
      } else {
        drop(connection);
      }
    }

    @Override
    public void close() {
      if (!over) {
        over = true;
        drop(connection);
      }
    }
  }
}
