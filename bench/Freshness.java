import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Sends lines to an ingest node, one after the other, and asks another node for each until it is
 * found; beside that a stream of them is read, and other lines are sent all the time. Prints two
 * lines of milliseconds from sending: {@code query P50 P99 MAX} and {@code tail P50 P99 MAX}.
 *
 * <p>Arguments: the ingest node's port for lines, the asked node's port for HTTP, how many lines, a
 * file of other lines, and how many bytes of it a second.
 */
final class Freshness {
  private static final String NONCE = Long.toHexString(System.nanoTime());

  private final HttpClient http = HttpClient.newHttpClient();
  private final int apiPort;
  private final ConcurrentHashMap<Integer, Long> streamed = new ConcurrentHashMap<>();

  private Freshness(int apiPort) {
    this.apiPort = apiPort;
  }

  public static void main(String[] args) throws Exception {
    var freshness = new Freshness(Integer.parseInt(args[1]));
    int port = Integer.parseInt(args[0]);
    int rate = Integer.parseInt(args[4]);
    Thread.ofPlatform().daemon().start(() -> load(port, Path.of(args[3]), rate));
    freshness.run(port, Integer.parseInt(args[2]));
  }

  /** Sends a tenth of the rate ten times a second. */
  private static void load(int port, Path file, int bytesPerSecond) {
    byte[] piece = new byte[bytesPerSecond / 10];
    try (var socket = new Socket("127.0.0.1", port)) {
      while (true) {
        try (InputStream in = Files.newInputStream(file)) {
          for (int n = in.readNBytes(piece, 0, piece.length); n > 0; n = in.read(piece)) {
            socket.getOutputStream().write(piece, 0, n);
            Thread.sleep(100);
          }
        }
      }
    } catch (IOException | InterruptedException e) {
      System.err.println("the load ends: " + e);
    }
  }

  private HttpRequest request(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + apiPort + path)).build();
  }

  private void run(int port, int lines) throws Exception {
    var stream = http.send(request("/stream?q=" + NONCE), BodyHandlers.ofLines());
    Thread.ofPlatform().daemon().start(() -> stream.body().forEach(this::note));
    long[] query = new long[lines];
    long[] sent = new long[lines];
    try (var socket = new Socket("127.0.0.1", port)) {
      OutputStream out = socket.getOutputStream();
      for (int i = 0; i < lines; i++) {
        Thread.sleep(ThreadLocalRandom.current().nextInt(20, 120));
        String name = NONCE + "-" + i + "-";
        sent[i] = System.nanoTime();
        out.write(("fresh " + name + "\n").getBytes(StandardCharsets.US_ASCII));
        awaitFound("/query?count=true&from=1m&q=" + name);
        query[i] = System.nanoTime() - sent[i];
      }
    }
    Thread.sleep(2000);
    print("query", query);
    if (streamed.size() != lines) {
      throw new IllegalStateException("of " + lines + " lines the stream had " + streamed.size());
    }
    long[] tail = new long[lines];
    streamed.forEach((i, at) -> tail[i] = at - sent[i]);
    print("tail", tail);
  }

  private void note(String line) {
    long now = System.nanoTime();
    streamed.put(Integer.valueOf(line.split("-")[1]), now);
  }

  private void awaitFound(String path) throws Exception {
    long end = System.nanoTime() + 10_000_000_000L;
    while (!http.send(request(path), BodyHandlers.ofString()).body().equals("1\n")) {
      if (System.nanoTime() > end) {
        throw new IllegalStateException("not found within 10 s: " + path);
      }
    }
  }

  private static void print(String name, long[] nanos) {
    Arrays.sort(nanos);
    int p99 = (int) Math.ceil(0.99 * nanos.length) - 1;
    System.out.printf(
        "%s %.1f %.1f %.1f%n",
        name,
        nanos[nanos.length / 2] / 1e6,
        nanos[p99] / 1e6,
        nanos[nanos.length - 1] / 1e6);
  }
}
