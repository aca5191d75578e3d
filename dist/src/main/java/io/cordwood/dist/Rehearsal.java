package io.cordwood.dist;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Does what {@code cordwood grep} usually does, so that a JVM which is told to keep the classes
 * that it loaded keeps those. It answers itself, as a node would.
 */
final class Rehearsal {
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
      {"ulid":"01KAM0F3E8000000000000000","time":"2026-11-21T22:00:00Z","record":"a line"}
      {"verdict":"complete","matches":1}
      """;

  private Rehearsal() {}

  /** Ends by itself; exit code 0 if all went well. */
  public static void main(String[] args) throws Exception {
    Path file = Files.createTempFile("cordwood", ".txt");
    try (var server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      Thread.ofPlatform().daemon().start(() -> answer(server));
      String node = "--node=localhost:" + server.getLocalPort();
      Files.writeString(file, "a line\nanother\n");
      grep(node, "-c", "line");
      grep(node, "-i", "-E", "line|x", "--topic", "a");
      grep(node, "--json", "line");
      grep(node, "--color=always", "-in5", "line", "--since", "1h");
      grep("-o", "-e", "line", file.toString());
    } finally {
      Files.delete(file);
    }
  }

  private static void grep(String... args) throws Exception {
    var command = new GrepCommand();
    Map<String, String> environment = new HashMap<>(System.getenv());
    environment.keySet().removeIf(name -> name.startsWith("CORDWOOD_"));
    if (!QuickStart.isTaken(command, args, environment) || command.call() != Programs.SUCCESS) {
      throw new IllegalStateException("expected a hit by " + List.of(args));
    }
  }

  private static void answer(ServerSocket server) {
    try {
      while (true) {
        try (Socket socket = server.accept()) {
          var request = new byte[MAX_REQUEST_BYTES];
          int length = socket.getInputStream().read(request);
          boolean json = new String(request, 0, length, StandardCharsets.US_ASCII).contains("json");
          String body = json ? RECORD : "a line\n";
          String answer = ANSWER.formatted(body.length(), body + "\r");
          socket.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
        }
      }
    } catch (IOException e) {
      if (!server.isClosed()) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
