package io.cordwood.ingest.socket;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;

/** Blocking sockets on virtual threads. */
final class BlockingSockets {
  private static final Duration SHORTEST = Duration.ofMillis(1);

  private static boolean prepared;

  private BlockingSockets() {}

  /**
   * Has the JVM open now what it needs to wait for such sockets. It does so at the first wait
   * otherwise; if there is no file descriptor then, every later wait of the process fails. It does
   * nothing once that is done.
   *
   * @throws IOException if there is no file descriptor now
   */
  public static synchronized void prepare() throws IOException {
    if (prepared) {
      return;
    }
    InetAddress loopback = InetAddress.getLoopbackAddress();
    try (var listening = new ServerSocket(0, 1, loopback);
        var _ = new Socket(loopback, listening.getLocalPort());
        Socket silent = listening.accept()) {
      silent.setSoTimeout(Math.toIntExact(SHORTEST.toMillis()));
      Thread.ofVirtual().name("prepare").start(() -> await(silent)).join();
      prepared = true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private static void await(Socket silent) {
    try {
      int _ = silent.getInputStream().read();
    } catch (SocketTimeoutException e) {
      // As expected: nobody sends anything.
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
