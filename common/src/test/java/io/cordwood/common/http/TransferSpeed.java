package io.cordwood.common.http;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.stream.Stream;

/**
 * How fast one stream is, and how much CPU it costs: a file of 256 MiB from a server to a client of
 * the same process, and back, over loopback, into a file; the best of several. Run by hand: {@code
 * java -cp … io.cordwood.common.http.TransferSpeed [FOLDER]}.
 */
final class TransferSpeed {
  private static final long BYTES = 256L << 20;
  private static final int ROUNDS = Integer.getInteger("rounds", 6);

  private TransferSpeed() {}

  public static void main(String[] args) throws IOException {
    Path folder =
        Files.createTempDirectory(Path.of(args.length > 0 ? args[0] : "/dev/shm"), "http");
    Path file = folder.resolve("file");
    Files.write(file, new byte[(int) BYTES]);
    try (TestServer server = new TestServer()) {
      server.routes.get("/file", (_, response) -> send(file, response));
      server.routes.post(
          "/file", BYTES, (request, response) -> take(folder.resolve("copy"), request, response));
      measureDownload(server, folder.resolve("copy"));
      measureUpload(server);
    } finally {
      Files.deleteIfExists(file);
      Files.deleteIfExists(folder.resolve("copy"));
      Files.delete(folder);
    }
  }

  private static void send(Path file, Response response) throws IOException {
    try (FileChannel channel = FileChannel.open(file)) {
      response.contentLength(channel.size()).sendFile(channel, 0, channel.size());
    }
  }

  private static void take(Path copy, Request request, Response response) throws IOException {
    try (FileChannel target = open(copy)) {
      response.text(200, request.transferBody(target) + "\n");
    }
  }

  private static FileChannel open(Path copy) throws IOException {
    return FileChannel.open(copy, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
  }

  private interface Transfer {
    void by(PeerClient client) throws IOException;
  }

  private static void measureDownload(TestServer server, Path copy) throws IOException {
    measure(
        "down",
        client -> {
          try (PeerResponse response = client.get(server.uri("/file"), TestServer.LONG);
              FileChannel target = open(copy)) {
            response.transferTo(target, BYTES);
          }
        });
  }

  private static void measureUpload(TestServer server) throws IOException {
    byte[] piece = new byte[64 << 10];
    measure(
        "up",
        client -> {
          var pieces = Stream.generate(() -> piece).limit(BYTES / piece.length).iterator();
          client.post(server.uri("/file"), pieces, BYTES, () -> true, TestServer.LONG).close();
        });
  }

  private static void measure(String way, Transfer transfer) throws IOException {
    OperatingSystemMXBean process =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    try (PeerClient client =
        PeerClient.forBulk(Duration.ofSeconds(5), TestServer.LONG, PeerCredentials.NONE)) {
      for (int round = 0; round < ROUNDS; round++) {
        long cpu = process.getProcessCpuTime();
        long start = System.nanoTime();
        transfer.by(client);
        double seconds = (System.nanoTime() - start) / 1e9;
        double cpuSeconds = (process.getProcessCpuTime() - cpu) / 1e9;
        System.out.printf(
            "%s %.0f MB/s %.2f CPU s/GB%n", way, BYTES / 1e6 / seconds, cpuSeconds / (BYTES / 1e9));
      }
    }
  }
}
