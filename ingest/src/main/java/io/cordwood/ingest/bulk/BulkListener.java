package io.cordwood.ingest.bulk;

import io.cordwood.common.net.BlockingSockets;
import io.cordwood.common.run.RateLimitedLog;
import io.cordwood.common.tls.SocketTls;
import io.cordwood.ingest.Intake;
import io.micrometer.core.instrument.Counter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.LoggerFactory;

/**
 * Listens for uploads over TCP, each on a virtual thread of its own: they are few and long, and
 * wait for disks and stores, so plain blocking code serves them.
 */
public final class BulkListener implements AutoCloseable {
  /** Connections open at once; most of them wait for their turn, or for the stores. */
  static final int MAX_CONNECTIONS = 1024;

  private static final RateLimitedLog refusals =
      new RateLimitedLog(LoggerFactory.getLogger(BulkListener.class));
  private static final int BACKLOG = 256;
  private static final int RECEIVE_BYTES = 1 << 20;
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
  private static final long ABANDON_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Intake intake;
  private final Uploads uploads;
  private final ServerSocket listening;
  private final Optional<SocketTls> tls;
  private final Counter refused;
  private final Set<BulkConnection> connections = ConcurrentHashMap.newKeySet();
  private long drainEndNanos;
  private volatile boolean closing;

  private BulkListener(Intake intake, Uploads uploads) throws IOException {
    this.intake = intake;
    this.uploads = uploads;
    this.listening = listen();
    this.tls = intake.options().listening().tls().map(node -> node.socketPort("bulk"));
    var registry = intake.metrics().registry;
    this.refused = registry.counter("cordwood_ingest_bulk_connections_refused_total");
    registry.gauge("cordwood_ingest_bulk_connections", connections, Set::size);
  }

  /**
   * Listens; when it returns, senders can connect, and are served from {@link #startAccepting} on.
   *
   * @throws IOException naming the address, the port and the flag, if it cannot listen there
   */
  public static BulkListener start(Intake intake, Uploads uploads) throws IOException {
    BlockingSockets.prepare();
    return new BulkListener(intake, uploads);
  }

  private ServerSocket listen() throws IOException {
    String bind = intake.options().listening().bind();
    int port = uploads.options().port();
    var socket = new ServerSocket();
    try {
      socket.setReuseAddress(true);
      socket.setReceiveBufferSize(RECEIVE_BYTES);
      socket.bind(new InetSocketAddress(InetAddress.getByName(bind), port), BACKLOG);
      return socket;
    } catch (IOException e) {
      socket.close();
      throw new IOException(
          "cannot listen on %s port %d for bulk mode (--bulk-port): %s"
              .formatted(bind, port, e.getMessage()),
          e);
    }
  }

  public int port() {
    return listening.getLocalPort();
  }

  private void accept() {
    while (!closing) {
      try {
        serve(listening.accept());
      } catch (IOException | RuntimeException | Error e) {
        if (!closing) {
          // Too many open files or threads: what is open goes on, and one may end soon.
          refusals.warn("cannot accept a connection at", listening.getLocalSocketAddress(), e);
          LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
        }
      }
    }
  }

  private void serve(Socket socket) throws IOException {
    if (connections.size() >= MAX_CONNECTIONS) {
      refused.increment();
      try (socket) {
        String line = "error: expected at most " + MAX_CONNECTIONS + " connections, found more\n";
        socket.getOutputStream().write(line.getBytes(StandardCharsets.US_ASCII));
      }
      return;
    }
    var connection = new BulkConnection(socket, tls, uploads, intake, () -> closing);
    connections.add(connection);
    var _ = Thread.ofVirtual().name("bulk-upload").start(() -> run(connection));
  }

  private void run(BulkConnection connection) {
    try {
      connection.run();
    } finally {
      connections.remove(connection);
    }
  }

  /** Serves who has connected, and who will; to be called once. */
  public void startAccepting() {
    Thread.ofPlatform().daemon().name("ingest-bulk-accept").start(this::accept);
  }

  /** Accepts no more; uploads that wait are told so. */
  public void stopAccepting() throws IOException {
    if (!closing) {
      closing = true;
      listening.close();
      drainEndNanos = System.nanoTime() + intake.options().limits().drain().toNanos();
    }
  }

  /** Accepts no more; uploads that have not ended are refused, and those that wait are told so. */
  @Override
  public void close() throws IOException {
    stopAccepting();
    awaitConnections(drainEndNanos);
    connections.forEach(BulkConnection::abandon);
    awaitConnections(System.nanoTime() + ABANDON_NANOS);
  }

  private void awaitConnections(long endNanos) {
    while (!connections.isEmpty() && System.nanoTime() - endNanos < 0) {
      LockSupport.parkNanos(POLL_NANOS);
    }
  }
}
