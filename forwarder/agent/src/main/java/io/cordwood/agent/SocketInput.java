package io.cordwood.agent;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.cli.program.CommandException;
import io.cordwood.common.tls.TlsHello;
import io.cordwood.common.wire.ForeignBytes;
import io.cordwood.common.wire.ForeignBytesException;
import io.cordwood.common.wire.ForeignBytesException.Kind;
import io.cordwood.forwarder.ForwardStream;
import io.cordwood.forwarder.Forwarder;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Phaser;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * The lines of programs on the same machine, which connect to a TCP port of the loopback interface
 * or to a Unix socket. Each connection keeps the order of its lines; a virtual thread reads it, and
 * does not read while the forwarder has no room.
 */
final class SocketInput implements ForwardInput {
  /** Each takes a buffer of half a MiB, up to 1.25 MiB for long lines. */
  static final int MAX_CONNECTIONS = 100;

  private static final int MOST_IGNORED_BYTES = 64 << 10;
  private static final int MAX_PORT = 65_535;
  private static final long TELL_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final List<ServerSocketChannel> servers = new ArrayList<>();
  private final List<SocketAddress> addresses = new ArrayList<>();
  private final List<Path> paths = new ArrayList<>();
  private final Set<SocketChannel> open = ConcurrentHashMap.newKeySet();
  private final Semaphore free = new Semaphore(MAX_CONNECTIONS);
  private final Phaser running = new Phaser(1);
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final AtomicBoolean toldOfRefusal = new AtomicBoolean();
  private final AtomicBoolean allTaken = new AtomicBoolean(true);
  private final LongAdder accepted = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private final LongAdder foreign = new LongAdder();
  private final LongAdder broken = new LongAdder();
  private final LongAdder failures = new LongAdder();
  private final AtomicLong nextToldNanos = new AtomicLong(System.nanoTime());

  private SocketInput() {}

  /**
   * Listens from now on.
   *
   * @param addresses each a port, a loopback address and a port, or the path of a socket
   */
  static SocketInput open(List<String> addresses) {
    SocketInput input = new SocketInput();
    for (String address : addresses) {
      try {
        input.listen(address);
      } catch (IOException e) {
        input.close();
        throw new CommandException("--listen " + address + ": " + e.getMessage(), e);
      }
    }
    return input;
  }

  private void listen(String text) throws IOException {
    SocketAddress address = address(text);
    if (address instanceof UnixDomainSocketAddress unix) {
      removeDead(unix.getPath());
      listen(ServerSocketChannel.open(StandardProtocolFamily.UNIX), address);
      paths.add(unix.getPath());
    } else {
      listen(ServerSocketChannel.open(), address);
    }
  }

  private void listen(ServerSocketChannel server, SocketAddress address) throws IOException {
    servers.add(server);
    addresses.add(server.bind(address).getLocalAddress());
  }

  private static SocketAddress address(String text) throws IOException {
    if (text.indexOf('/') >= 0) {
      return UnixDomainSocketAddress.of(text);
    }
    int colon = text.lastIndexOf(':');
    String host = colon < 0 ? "localhost" : text.substring(0, colon);
    InetAddress address = lookUp(host);
    if (!address.isLoopbackAddress()) {
      throw new IOException(
          "expected a loopback address, since whoever reaches it can send lines, found " + host);
    }
    return new InetSocketAddress(address, port(text.substring(colon + 1)));
  }

  private static InetAddress lookUp(String host) throws IOException {
    try {
      return InetAddress.getByName(host);
    } catch (UnknownHostException e) {
      throw new IOException("expected PORT, HOST:PORT or a path with a /, found no such host", e);
    }
  }

  private static int port(String text) throws IOException {
    if (text.matches("\\d{1,5}") && Integer.parseInt(text) <= MAX_PORT) {
      return Integer.parseInt(text);
    }
    throw new IOException("expected a port of 0 to 65535, found \"" + text + "\"");
  }

  /** The socket of a process that was killed is in the way of the next one. */
  private static void removeDead(Path path) throws IOException {
    if (Files.isRegularFile(path) || Files.isDirectory(path) || Files.notExists(path)) {
      return; // bind says what is wrong with it, if anything
    }
    try (SocketChannel _ = SocketChannel.open(UnixDomainSocketAddress.of(path))) {
      throw new IOException("another process listens there");
    } catch (ConnectException e) {
      Files.delete(path);
    }
  }

  /** The addresses at which it listens, in the order that was asked for. */
  List<SocketAddress> addresses() {
    return List.copyOf(addresses);
  }

  @Override
  public boolean pump(Forwarder forwarder) throws IOException {
    for (ServerSocketChannel server : servers) {
      running.register();
      Thread.ofVirtual().name("listen").start(() -> accept(server, forwarder));
    }
    try {
      stopped.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    close();
    running.arriveAndAwaitAdvance();
    return allTaken.get();
  }

  private void accept(ServerSocketChannel server, Forwarder forwarder) {
    try {
      while (server.isOpen()) {
        try {
          serve(server.accept(), forwarder);
        } catch (IOException e) {
          if (server.isOpen()) {
            // Too many open files, or the like: what is open goes on, and one may end soon.
            notAccepted(e);
          }
        }
      }
    } finally {
      running.arriveAndDeregister();
    }
  }

  private void notAccepted(IOException why) {
    failures.increment();
    sayNowAndThen("cannot accept a connection: " + why.getMessage() + "; trying on");
    LockSupport.parkNanos(PAUSE_NANOS);
  }

  private void sayNowAndThen(String line) {
    long now = System.nanoTime();
    long next = nextToldNanos.get();
    if (now - next >= 0 && nextToldNanos.compareAndSet(next, now + TELL_NANOS)) {
      ForwardLog.say("--listen: " + line);
    }
  }

  private void serve(SocketChannel socket, Forwarder forwarder) throws IOException {
    if (!free.tryAcquire()) {
      refused.increment();
      if (toldOfRefusal.compareAndSet(false, true)) {
        ForwardLog.say(
            "--listen: expected at most "
                + MAX_CONNECTIONS
                + " connections, found more; they are closed");
      }
      socket.close();
      return;
    }
    accepted.increment();
    open.add(socket);
    running.register();
    Thread.ofVirtual().name("connection").start(() -> read(socket, forwarder));
  }

  private void read(SocketChannel socket, Forwarder forwarder) {
    try (socket) {
      if (stopped.getCount() == 0) {
        socket.shutdownInput();
      }
      if (!isTaken(socket, forwarder)) {
        allTaken.set(false);
      }
    } catch (IOException e) {
      broken.increment();
    } finally {
      open.remove(socket);
      free.release();
      running.arriveAndDeregister();
    }
  }

  private boolean isTaken(SocketChannel socket, Forwarder forwarder) throws IOException {
    InputStream in = Channels.newInputStream(socket);
    try {
      return new ForwardStream(new DecodedInput(in, SocketInput::areLines), forwarder).run();
    } catch (ForeignBytesException e) {
      foreign.increment();
      sayNowAndThen("a connection is refused: " + e.getMessage());
      socket.write(ByteBuffer.wrap(("error: " + e.getMessage() + "\n").getBytes(UTF_8)));
      socket.shutdownOutput();
      in.readNBytes(MOST_IGNORED_BYTES); // or what was said may be lost
      return true;
    }
  }

  private static boolean areLines(byte[] start, boolean ended) throws ForeignBytesException {
    boolean mayBeTls = start.length > 0 && TlsHello.mayBe(start);
    if (mayBeTls && start.length >= TlsHello.BYTES) {
      throw new ForeignBytesException(Kind.TLS, "TLS: --listen takes plain text");
    }
    return (ended || !mayBeTls)
        && ForeignBytes.areNoRequest(start, ended)
        && ForeignBytes.areUnpacked(start, ended)
        && ForeignBytes.areUncounted(start, ended);
  }

  @Override
  public boolean stop() {
    stopped.countDown();
    return true;
  }

  /** Takes no more connections, and nothing more from those that are open. */
  private void close() {
    servers.forEach(server -> end(server::close));
    paths.forEach(path -> end(() -> Files.deleteIfExists(path)));
    open.forEach(SocketInput::shutDown);
  }

  private interface Ending {
    void run() throws IOException;
  }

  /** A failure of one keeps no other from its end. */
  private static void end(Ending ending) {
    try {
      ending.run();
    } catch (IOException e) {
      ForwardLog.say("--listen: " + e.getMessage());
    }
  }

  private static void shutDown(SocketChannel socket) {
    try {
      socket.shutdownInput();
    } catch (IOException e) {
      // It has just ended by itself, or its sender has reset it.
    }
  }

  @Override
  public String json() {
    return (",\"connections\":%d,\"connections_accepted\":%d,\"connections_refused\":%d,"
            + "\"connections_broken\":%d,\"connections_not_accepted\":%d,"
            + "\"connections_foreign\":%d")
        .formatted(
            MAX_CONNECTIONS - free.availablePermits(),
            accepted.sum(),
            refused.sum(),
            broken.sum(),
            failures.sum(),
            foreign.sum());
  }
}
