package io.cordwood.ingest.socket;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** Blocking sockets on virtual threads. */
final class BlockingSockets {
  private static final Duration LOOK = Duration.ofMillis(1);

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
        var sending = new Socket(loopback, listening.getLocalPort());
        Socket silent = listening.accept()) {
      var read = new FutureTask<>(() -> silent.getInputStream().read());
      Thread reader = Thread.ofVirtual().name("prepare").start(read);
      // Sooner, the reader would find something and not wait; with a time-out, that may be over.
      while (reader.isAlive() && reader.getState() != Thread.State.WAITING) {
        Thread.sleep(LOOK);
      }
      sending.getOutputStream().write(0);
      read.get();
      prepared = true;
    } catch (ExecutionException e) {
      throw new IOException("cannot wait for sockets: " + e.getCause(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
