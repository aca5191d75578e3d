package io.cordwood.cli.search;

import io.cordwood.cli.program.Command;
import io.cordwood.cli.program.Programs;
import io.cordwood.common.http.ApiPaths;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import picocli.CommandLine;

/**
 * Does what {@code cordwood grep}, {@code tail}, {@code read} and the like usually do, so that a
 * JVM which is told to keep the classes that it loaded keeps those. It answers itself, as a node
 * would.
 */
final class CacheTraining {
  private static final int MAX_REQUEST_BYTES = 8192;

  private static final String ANSWER =
      """
      HTTP/1.1 200 OK
      content-type: text/plain; charset=utf-8
      cordwood-segments: 1
      transfer-encoding: chunked

      %x
      %s
      0
      cordwood-verdict: complete
      cordwood-matches: 1

      """
          .replace("\n", "\r\n");

  private static final String RECORD =
      """
      {"ulid":"01KAM0F3E80000000000000000","time":"2026-11-21T22:00:00Z","record":"a line"}
      {"verdict":"complete","matches":1}
      """;

  /** One for each that was answered. */
  private static final Semaphore STREAMS = new Semaphore(0);

  private CacheTraining() {}

  /** Ends by itself; exit code 0 if all went well. */
  public static void main(String[] args) throws Exception {
    Path file = Files.createTempFile("cordwood", ".txt");
    try (var server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      Thread.ofPlatform().daemon().start(() -> answer(server));
      String node = "--node=localhost:" + server.getLocalPort();
      Files.writeString(file, "a line\nanother\n");
      run(new GrepCommand(), node, "-c", "line");
      run(new GrepCommand(), node, "-i", "-E", "line|x", "--topic", "a");
      run(new GrepCommand(), node, "--json", "line");
      run(new GrepCommand(), node, "--color=always", "-in5", "line", "--since", "1h");
      run(new GrepCommand(), "-o", "-e", "line", file.toString());
      run(new ReadCommand(), node, "--limit=1");
      run(new HistogramCommand(), node, "--since=1h", "line");
      run(new TopicsCommand(), node);
      run(new StatsCommand(), "--by=level", "--where=level?=x", "line", file.toString());
      refuse(new GrepCommand(), "--no-such-flag");
      Thread.ofPlatform().daemon().start(() -> tail(node, "-n5", "line"));
      STREAMS.acquire(2); // so what the first of them has given is printed
    } finally {
      Files.delete(file);
    }
  }

  private static void run(Command command, String... args) {
    if (Programs.run(Programs.line("cordwood", command), Map.of(), args) != Programs.SUCCESS) {
      throw new IllegalStateException("expected a hit by " + List.of(args));
    }
  }

  /** Reads what cannot be read: whoever mistypes a flag waits no longer. */
  private static void refuse(Command command, String... args) {
    CommandLine line = Programs.line("cordwood", command);
    line.setErr(new PrintWriter(Writer.nullWriter()));
    if (Programs.run(line, Map.of(), args) != Programs.ERROR) {
      throw new IllegalStateException("expected an error by " + List.of(args));
    }
  }

  /** Goes on for ever. */
  private static void tail(String... args) {
    run(new TailCommand(), args);
  }

  private static void answer(ServerSocket server) {
    try {
      while (true) {
        try (Socket socket = server.accept()) {
          var request = new byte[MAX_REQUEST_BYTES];
          int length = socket.getInputStream().read(request);
          String asked = new String(request, 0, length, StandardCharsets.US_ASCII);
          String body = asked.contains("json") ? RECORD : "a line\n";
          String answer = ANSWER.formatted(body.length(), body + "\r");
          socket.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
          if (asked.contains(ApiPaths.STREAM)) {
            STREAMS.release();
          }
        }
      }
    } catch (IOException e) {
      if (!server.isClosed()) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
