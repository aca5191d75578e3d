package io.cordwood.dist.system;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Ports of this machine on which nobody listens, for programs that are told theirs. They are below
 * those that Linux gives to connections, and each of the processes that run tests has its own.
 */
final class FreePorts {
  private static final int FIRST = 12_000;
  private static final int A_PROCESS = 2_000;
  private static final AtomicInteger NEXT =
      new AtomicInteger(FIRST + A_PROCESS * Integer.getInteger("cordwood.fork", 0));

  private FreePorts() {}

  /** Another one each time. */
  static int next() {
    while (true) {
      int port = NEXT.getAndIncrement();
      try (var _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        return port;
      } catch (IOException e) {
        // somebody else has it
      }
    }
  }
}
