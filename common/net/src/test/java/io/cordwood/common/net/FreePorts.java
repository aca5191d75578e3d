package io.cordwood.common.net;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Ports of this machine on which nobody listens. They are below those that Linux gives to
 * connections and to who listens on port 0, and each of the processes that run tests has its own,
 * also those of another checkout: so nobody takes the port of a node that ends and is started
 * again. A process holds its ports by the lock of a file.
 */
public final class FreePorts {
  private static final int FIRST = 11_200;
  private static final List<FileChannel> HELD = new ArrayList<>();
  private static final int PROCESSES = 52;
  private static final int A_PROCESS = 400;
  private static final Path LOCKS =
      Path.of(System.getProperty("java.io.tmpdir"), "cordwood-test-ports");
  private static final Random RANDOM = new Random();
  private static final int OWN = FIRST + lockedProcess() * A_PROCESS;

  /** At random, since connections of a process before this one may still be ending. */
  private static int next = RANDOM.nextInt(A_PROCESS);

  private FreePorts() {}

  /** The number of a process that no other one has; any if all are taken. */
  private static int lockedProcess() {
    int first = RANDOM.nextInt(PROCESSES);
    for (int i = 0; i < PROCESSES; i++) {
      int number = (first + i) % PROCESSES;
      if (lock(LOCKS.resolve("" + number))) {
        return number;
      }
    }
    return first;
  }

  /** Locks a file until this process ends. */
  private static boolean lock(Path file) {
    try {
      Files.createDirectories(LOCKS);
      var channel = FileChannel.open(file, CREATE, WRITE);
      if (channel.tryLock() != null) {
        HELD.add(channel);
        return true;
      }
      channel.close();
      return false;
    } catch (IOException e) {
      return false; // as if it were taken: it may be another user's
    }
  }

  /** Another one each time; the first again after some hundreds. */
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
