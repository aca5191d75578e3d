package io.cordwood.ingest;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A connection of a port to itself. A kernel hands connections out in the order in which they came:
 * once this one is accepted, all are that were made before it. It also wakes who waits for one.
 */
public final class BacklogEnd implements AutoCloseable {
  private final Socket socket;
  private final InetSocketAddress own;
  private final InetSocketAddress port;
  private final CountDownLatch accepted = new CountDownLatch(1);

  private BacklogEnd(Socket socket, InetSocketAddress port) {
    this.socket = socket;
    this.own = (InetSocketAddress) socket.getLocalSocketAddress();
    this.port = port;
  }

  /**
   * Takes an address of its own, and connects later.
   *
   * @param bound where the port listens
   */
  public static BacklogEnd of(InetSocketAddress bound) throws IOException {
    InetAddress address = bound.getAddress();
    if (address.isAnyLocalAddress()) {
      address = InetAddress.getByName(address.getAddress().length == 4 ? "127.0.0.1" : "::1");
    }
    var socket = new Socket();
    try {
      socket.bind(new InetSocketAddress(address, 0));
      return new BacklogEnd(socket, new InetSocketAddress(address, bound.getPort()));
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  /**
   * Whether the node's end of it was accepted.
   *
   * @param remote address of a connection that was
   */
  public boolean isAcceptedAs(@Nullable SocketAddress remote) {
    boolean isThis = own.equals(remote);
    if (isThis) {
      accepted.countDown();
    }
    return isThis;
  }

  /** Connects, as soon as the kernel has room for it, or fails when the time is over. */
  public void connect(long nanos) throws IOException {
    socket.connect(port, (int) Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos)));
  }

  /** Connects, and waits until it is accepted or the time is over. */
  public void await(long nanos) throws IOException, InterruptedException {
    long start = System.nanoTime();
    connect(nanos);
    var _ = accepted.await(nanos - (System.nanoTime() - start), TimeUnit.NANOSECONDS);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
