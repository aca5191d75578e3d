import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Passes bytes on between a port of this machine and another one, each half of a delay later than
 * it came, so that an answer takes the whole of it longer, and all connections together at most so
 * many bytes a second in each direction. Until it is killed.
 */
final class SlowLink {
  private static final int MOST_BYTES = 64 << 10;

  private record Part(byte[] bytes, long dueNanos) {}

  private final long delayNanos;
  private final double nanosAByte;
  private long freeAtNanos = System.nanoTime();

  /** One direction. */
  private SlowLink(long delayNanos, double nanosAByte) {
    this.delayNanos = delayNanos;
    this.nanosAByte = nanosAByte;
  }

  private synchronized long due(int bytes) {
    long from = Math.max(freeAtNanos, System.nanoTime());
    freeAtNanos = from + (long) (bytes * nanosAByte);
    return freeAtNanos + delayNanos;
  }

  /** PORT HOST PORT MILLIS BYTES-A-SECOND */
  public static void main(String[] args) throws IOException {
    long nanos = Long.parseLong(args[3]) * 1_000_000 / 2;
    double nanosAByte = 1e9 / Long.parseLong(args[4]);
    var there = new SlowLink(nanos, nanosAByte);
    var back = new SlowLink(nanos, nanosAByte);
    try (var server =
        new ServerSocket(Integer.parseInt(args[0]), 128, InetAddress.getLoopbackAddress())) {
      while (true) {
        Socket client = server.accept();
        Socket target = new Socket(args[1], Integer.parseInt(args[2]));
        client.setTcpNoDelay(true);
        target.setTcpNoDelay(true);
        there.pass(client, target);
        back.pass(target, client);
      }
    }
  }

  private void pass(Socket from, Socket to) {
    var parts = new LinkedBlockingQueue<Part>(256);
    Thread.ofVirtual()
        .start(() -> {
          try (InputStream in = from.getInputStream()) {
            byte[] buffer = new byte[MOST_BYTES];
            int n = in.read(buffer);
            while (n >= 0) {
              parts.put(new Part(java.util.Arrays.copyOf(buffer, n), due(n)));
              n = in.read(buffer);
            }
          } catch (IOException | InterruptedException e) {
            // The other side learns it by the end.
          } finally {
            end(parts);
          }
        });
    Thread.ofVirtual()
        .start(() -> {
          try (to;
              OutputStream out = to.getOutputStream()) {
            Part part = parts.take();
            while (part.bytes.length > 0) {
              long left = part.dueNanos - System.nanoTime();
              if (left > 0) {
                Thread.sleep(java.time.Duration.ofNanos(left));
              }
              out.write(part.bytes);
              part = parts.take();
            }
          } catch (IOException | InterruptedException e) {
            parts.clear();
          }
        });
  }

  private static void end(LinkedBlockingQueue<Part> parts) {
    try {
      parts.put(new Part(new byte[0], 0));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
