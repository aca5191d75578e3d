package io.cordwood.common.http.client;

import com.sun.management.OperatingSystemMXBean;
import io.cordwood.common.access.AuditLog;
import io.cordwood.common.access.NodeKeys;
import io.cordwood.common.http.TestServer;
import io.cordwood.common.http.server.Guard;
import io.cordwood.common.http.server.Request;
import io.cordwood.common.http.server.Response;
import io.cordwood.common.tls.Certificates;
import io.cordwood.common.tls.NodeTls;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * How fast one stream is, and how much CPU it costs: a file of 256 MiB from a server to a client of
 * the same process, and back, over loopback, into a file; the best of several. Run by hand: {@code
 * java -Dtls=false -Drounds=6 -cp … io.cordwood.common.http.client.TransferSpeed [FOLDER]}.
 */
final class TransferSpeed {
  private static final long BYTES = 256L << 20;
  private static final int ROUNDS = Integer.getInteger("rounds", 6);

  private static final NodeKeys KEYS = new NodeKeys(List.of(new byte[32]), InstantSource.system());

  private TransferSpeed() {}

  public static void main(String[] args) throws IOException {
    Path folder =
        Files.createTempDirectory(Path.of(args.length > 0 ? args[0] : "/dev/shm"), "http");
    Path file = folder.resolve("file");
    Files.write(file, new byte[(int) BYTES]);
    Optional<NodeTls> tls =
        Boolean.getBoolean("tls")
            ? Optional.of(new Certificates(folder.resolve("tls")).open(new SimpleMeterRegistry()))
            : Optional.empty();
    try (var server =
        new TestServer(options -> options.withTls(tls.map(own -> own.httpPort("api", ""))))) {
      server.routes.guardedBy(new Guard(null, KEYS, null, AuditLog.NONE));
      server.routes.get("/file", (_, response) -> send(file, response));
      server.routes.post(
          "/file", BYTES, (request, response) -> take(folder.resolve("copy"), request, response));
      String scheme = tls.isPresent() ? "https" : "http";
      URI uri = URI.create(scheme + "://127.0.0.1:" + server.port() + "/file");
      var credentials = new PeerCredentials(KEYS, tls.map(NodeTls::client));
      measureDownload(uri, credentials, folder.resolve("copy"));
      measureUpload(uri, credentials);
    } finally {
      tls.ifPresent(NodeTls::close);
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path each : files.toList().reversed()) {
          Files.delete(each);
        }
      }
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

  private static void measureDownload(URI uri, PeerCredentials credentials, Path copy)
      throws IOException {
    measure(
        "down",
        credentials,
        client -> {
          try (PeerResponse response = client.get(uri, TestServer.LONG);
              FileChannel target = open(copy)) {
            response.transferTo(target, BYTES);
          }
        });
  }

  private static void measureUpload(URI uri, PeerCredentials credentials) throws IOException {
    byte[] piece = new byte[256 << 10];
    measure(
        "up",
        credentials,
        client -> {
          var pieces = Stream.generate(() -> piece).limit(BYTES / piece.length).iterator();
          client.post(uri, pieces, BYTES, () -> true, TestServer.LONG).close();
        });
  }

  private static void measure(String way, PeerCredentials credentials, Transfer transfer)
      throws IOException {
    OperatingSystemMXBean process =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    try (PeerClient client =
        PeerClient.forBulk(Duration.ofSeconds(5), TestServer.LONG, credentials)) {
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
