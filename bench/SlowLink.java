import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Passes bytes on between a port of this machine and another one, each half of a delay later than
 * it came, so that an answer takes the whole of it longer. Until it is killed.
 */
final class SlowLink {
  private static final int MOST_BYTES = 64 << 10;

  private record Part(byte[] bytes, long dueNanos) {}

  private SlowLink() {}

  /** PORT HOST PORT MILLIS */
  public static void main(String[] args) throws IOException {
    long nanos = Long.parseLong(args[3]) * 1_000_000 / 2;
    try (var server =
        new ServerSocket(Integer.parseInt(args[0]), 128, InetAddress.getLoopbackAddress())) {
      while (true) {
        Socket client = server.accept();
        Socket target = new Socket(args[1], Integer.parseInt(args[2]));
        client.setTcpNoDelay(true);
        target.setTcpNoDelay(true);
        pass(client, target, nanos);
        pass(target, client, nanos);
      }
    }
  }

  private static void pass(Socket from, Socket to, long nanos) {
    var parts = new LinkedBlockingQueue<Part>(256);
    Thread.ofVirtual()
        .start(() -> {
          try (InputStream in = from.getInputStream()) {
            byte[] buffer = new byte[MOST_BYTES];
            int n = in.read(buffer);
            while (n >= 0) {
              parts.put(new Part(java.util.Arrays.copyOf(buffer, n), System.nanoTime() + nanos));
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
