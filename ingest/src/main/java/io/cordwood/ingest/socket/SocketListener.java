package io.cordwood.ingest.socket;

import io.cordwood.common.run.RateLimitedLog;
import io.cordwood.common.run.Threads;
import io.cordwood.common.tls.SocketTls;
import io.cordwood.ingest.BacklogEnd;
import io.cordwood.ingest.IngestOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A port of a protocol over TCP. Each connection has a place, a virtual thread of its own and plain
 * blocking code.
 */
public final class SocketListener implements ForeignPort {
  private static final Logger LOG = LoggerFactory.getLogger(SocketListener.class);
  private static final RateLimitedLog REFUSALS = new RateLimitedLog(LOG);
  private static final int BACKLOG = 1024;

  /** How often a read that waits throws a time-out, so that its reader sees that the node ends. */
  private static final int TICK_MILLIS = 250;

  /** How often a port that waits for senders looks whether the node ends, if it is not woken. */
  private static final int ACCEPT_TICK_MILLIS = 100;

  private static final long WAKE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
  private static final long ABANDON_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Port port;
  private final IngestOptions options;
  private final Places places;
  private final Server server;
  private final ServerSocket listening;
  private final Optional<SocketTls> tls;
  private final Set<Socket> connections = ConcurrentHashMap.newKeySet();
  private volatile @Nullable Thread accepting;
  private volatile @Nullable BacklogEnd backlogEnd;
  private volatile long drainEndNanos;
  private volatile boolean closing;

  /**
   * Which port is to be opened.
   *
   * @param protocol for messages and metrics
   * @param number 0 for any free one
   * @param flag that chose it, for messages
   * @param receiveBytes that the kernel keeps of a connection; 0 for what is usual
   */
  public record Port(String protocol, int number, String flag, int receiveBytes) {
    public Port(String protocol, int number, String flag) {
      this(protocol, number, flag, 0);
    }
  }

  /** The connections that there is room for. For any thread. */
  public interface Places {
    /** Takes one; otherwise why there is none. */
    Optional<String> take(InetAddress sender);

    void free(InetAddress sender);

    /** A sender found no place. Its socket is closed when this returns. */
    void refuse(Socket sender, String why) throws IOException;
  }

  /** Serves one connection. */
  @FunctionalInterface
  public interface Server {
    /**
     * Reads until the connection ends; it is closed when this returns.
     *
     * @param socket whose reads throw {@link java.net.SocketTimeoutException} now and then while
     *     nothing comes
     * @param closing whether the node takes no more: what has come is to be committed, and then
     *     this is to return
     */
    void serve(Socket socket, BooleanSupplier closing) throws IOException;
  }

  private SocketListener(Port port, IngestOptions options, Places places, Server server)
      throws IOException {
    this.port = port;
    this.options = options;
    this.places = places;
    this.server = server;
    this.listening = listen();
    this.tls = options.listening().tls().map(node -> node.socketPort(port.protocol()));
  }

  /**
   * Listens; when it returns, senders can connect, and are served from {@link #startAccepting} on.
   *
   * @throws IOException naming the address, the port and the flag, if it cannot listen there
   */
  public static SocketListener start(Port port, IngestOptions options, Places places, Server server)
      throws IOException {
    BlockingSockets.prepare();
    return new SocketListener(port, options, places, server);
  }

  private ServerSocket listen() throws IOException {
    String bind = options.listening().bind();
    var socket = new ServerSocket();
    try {
      socket.setReuseAddress(true);
      if (port.receiveBytes() > 0) {
        socket.setReceiveBufferSize(port.receiveBytes());
      }
      socket.bind(new InetSocketAddress(InetAddress.getByName(bind), port.number()), BACKLOG);
      return socket;
    } catch (IOException e) {
      socket.close();
      throw new IOException(
          "cannot listen on %s port %d for %s (%s): %s"
              .formatted(bind, port.number(), port.protocol(), port.flag(), e.getMessage()),
          e);
    }
  }

  @Override
  public String protocol() {
    return port.protocol();
  }

  @Override
  public int port() {
    return listening.getLocalPort();
  }

  @Override
  public void startAccepting() {
    accepting =
        Thread.ofPlatform()
            .daemon()
            .name("ingest-" + port.protocol() + "-accept")
            .start(this::accept);
  }

  /** Accepts; once the node ends, those that the kernel has accepted and nobody else. */
  private void accept() {
    try (listening) {
      listening.setSoTimeout(ACCEPT_TICK_MILLIS);
      boolean ending = false;
      while (acceptOne() || !ending) {
        if (closing) {
          if (System.nanoTime() - drainEndNanos >= 0) {
            return;
          }
          ending = true;
          listening.setSoTimeout(1); // Who has connected by now is accepted; nobody is waited for.
        }
      }
    } catch (IOException e) {
      LOG.error("no more connections are accepted at {}", listening.getLocalSocketAddress(), e);
    }
  }

  /** Returns false if there was none. */
  private boolean acceptOne() {
    try {
      admit(listening.accept());
      return true;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (IOException | RuntimeException | Error e) {
      // Too many open files or threads: what is open goes on, and one may end soon.
      REFUSALS.warn("cannot accept a connection at", listening.getLocalSocketAddress(), e);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
      return false;
    }
  }

  private void admit(Socket socket) throws IOException {
    BacklogEnd end = backlogEnd;
    if (end != null && end.isAcceptedAs(socket.getRemoteSocketAddress())) {
      socket.close();
      return;
    }
    InetAddress address = socket.getInetAddress();
    Optional<String> refusal = places.take(address);
    if (refusal.isPresent()) {
      try (socket) {
        places.refuse(socket, refusal.get());
      }
      return;
    }
    connections.add(socket);
    var _ = Thread.ofVirtual().name("ingest-" + port.protocol()).start(() -> run(socket, address));
  }

  private void run(Socket socket, InetAddress address) {
    try (socket) {
      socket.setTcpNoDelay(true);
      socket.setKeepAlive(true);
      Socket secured = tls.isPresent() ? tls.get().secure(socket) : socket;
      secured.setSoTimeout(TICK_MILLIS);
      server.serve(secured, () -> closing);
    } catch (IOException e) {
      LOG.debug("{}: connection lost", socket.getRemoteSocketAddress(), e);
    } catch (RuntimeException e) {
      LOG.error("{}: connection closed", socket.getRemoteSocketAddress(), e);
    } finally {
      connections.remove(socket);
      places.free(address);
    }
  }

  /** Begins to end; who has connected already is served. */
  @Override
  public void stopAccepting() throws IOException {
    if (!closing) {
      drainEndNanos = System.nanoTime() + options.limits().drain().toNanos();
      closing = true;
      if (accepting == null) {
        listening.close();
      } else {
        wakeAcceptor();
      }
    }
  }

  /** It would notice by itself, but later. */
  private void wakeAcceptor() {
    try {
      BacklogEnd end = BacklogEnd.of((InetSocketAddress) listening.getLocalSocketAddress());
      backlogEnd = end;
      end.connect(WAKE_NANOS);
    } catch (IOException e) {
      LOG.debug("the acceptor of {} is not woken", listening.getLocalSocketAddress(), e);
    }
  }

  /** Accepts no more, and ends the connections that have not ended after the time to drain. */
  @Override
  public void close() throws IOException {
    stopAccepting();
    Thread acceptor = accepting;
    if (acceptor != null) {
      Threads.join(acceptor);
    }
    BacklogEnd end = backlogEnd;
    if (end != null) {
      end.close();
    }
    awaitConnections(drainEndNanos);
    for (Socket socket : connections) {
      socket.close();
    }
    awaitConnections(System.nanoTime() + ABANDON_NANOS);
  }

  private void awaitConnections(long endNanos) {
    while (!connections.isEmpty() && System.nanoTime() - endNanos < 0) {
      LockSupport.parkNanos(POLL_NANOS);
    }
  }
}
