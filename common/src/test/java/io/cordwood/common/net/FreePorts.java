package io.cordwood.common.net;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Ports of this machine on which nobody listens. They are below those that Linux gives to
 * connections and to who listens on port 0, and each of the processes that run tests has its own:
 * so nobody takes the port of a node that ends and is started again.
 */
public final class FreePorts {
  private static final int FIRST = 11_200;
  private static final int PROCESSES = 16;
  private static final int A_PROCESS = 1_300;
  private static final int OWN =
      FIRST + Integer.getInteger("cordwood.fork", 0) % PROCESSES * A_PROCESS;

  /** At random, since a build of another checkout may run beside this one. */
  private static int next = new Random().nextInt(A_PROCESS);

  private FreePorts() {}

  /** Another one each time; the first again after some hundreds of nodes. */
  public static int next() {
    return row(1);
  }

  /** The first of so many, one after the other. */
  public static synchronized int row(int count) {
    int first;
    do {
      next = next + count > A_PROCESS ? 0 : next;
      first = OWN + next;
      next += count;
    } while (!areFree(first, count));
    return first;
  }

  /** Whether nobody listens on any of these, one after the other. */
  public static boolean areFree(int first, int count) {
    return IntStream.range(first, first + count).allMatch(FreePorts::isFree);
  }

  private static boolean isFree(int port) {
    try (var _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
