package io.cordwood.it;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * A thread that writes numbered lines to a file, pauses in the midst of some, and rotates the file
 * now and then, as {@code logrotate} does it.
 */
final class RotatedLog implements AutoCloseable {
  private static final int BYTES_A_FILE = 60_000;
  private static final int MOST_LINES_A_WRITE = 40;
  private static final long PAUSE_NANOS = 10_000_000;

  private final Path file;
  private final boolean truncates;
  private final Random random;
  private final Thread thread;
  private volatile boolean ended;
  private volatile boolean mayRotate;
  private volatile long written;
  private final AtomicInteger rotations = new AtomicInteger();

  private RotatedLog(Path file, boolean truncates, Random random) {
    this.file = file;
    this.truncates = truncates;
    this.random = random;
    this.thread = Thread.ofPlatform().name("log").start(this::run);
  }

  /** Rotation gives the file another name, and a new one is begun. */
  static RotatedLog renamed(Path file, Random random) {
    return new RotatedLog(file, false, random);
  }

  /** Rotation copies the file, and truncates it. */
  static RotatedLog truncated(Path file, Random random) {
    return new RotatedLog(file, true, random);
  }

  /** From now on it is rotated; before, somebody should have seen it. */
  void beginToRotate() {
    mayRotate = true;
  }

  long written() {
    return written;
  }

  int rotations() {
    return rotations.get();
  }

  static String line(long number) {
    return "numbered " + number + " " + "y".repeat((int) (number % 97));
  }

  private void run() {
    try {
      FileChannel channel = open();
      for (long next = 0; !ended; written = next) {
        var lines = new StringBuilder();
        for (int i = random.nextInt(MOST_LINES_A_WRITE); i >= 0; i--) {
          lines.append(line(next++)).append('\n');
        }
        write(channel, lines.toString());
        LockSupport.parkNanos(PAUSE_NANOS);
        if (mayRotate && channel.size() > BYTES_A_FILE) {
          channel = rotate(channel);
          rotations.incrementAndGet();
        }
      }
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private FileChannel open() throws IOException {
    return FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  private void write(FileChannel channel, String lines) throws IOException {
    int cut = random.nextInt(lines.length());
    channel.write(ByteBuffer.wrap(lines.substring(0, cut).getBytes(US_ASCII)));
    if (random.nextInt(4) == 0) {
      LockSupport.parkNanos(5 * PAUSE_NANOS);
    }
    channel.write(ByteBuffer.wrap(lines.substring(cut).getBytes(US_ASCII)));
  }

  private FileChannel rotate(FileChannel channel) throws IOException {
    for (int i = rotations.get(); i > 0; i--) {
      Files.move(numbered(i), numbered(i + 1));
    }
    if (truncates) {
      Files.copy(file, numbered(1));
      channel.truncate(0);
      return channel;
    }
    channel.close();
    Files.move(file, numbered(1));
    return open();
  }

  private Path numbered(int number) {
    return file.resolveSibling(file.getFileName() + "." + number);
  }

  /** Ends it; the last line is whole. */
  void end() {
    ended = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    end();
  }
}
