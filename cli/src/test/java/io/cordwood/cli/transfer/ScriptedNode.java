package io.cordwood.cli.transfer;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A port that answers one connection after the other with the bytes it was given for it, and closes
 * them. Connections beyond these are closed without an answer.
 */
final class ScriptedNode implements AutoCloseable {
  /** A connection that is closed without an answer. */
  static final String CLOSED = "";

  private final ServerSocket server;
  private final List<String> answers;
  private final List<String> requests = new CopyOnWriteArrayList<>();

  ScriptedNode(String... answers) throws IOException {
    this.answers = List.of(answers);
    this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::serve);
  }

  /** An answer of 200 whose body ends with trailers, such as {@code cordwood-verdict: complete}. */
  static String whole(String body, String... trailers) {
    StringBuilder ends = new StringBuilder("0\r\n");
    for (String trailer : trailers) {
      ends.append(trailer).append("\r\n");
    }
    return broken(body) + ends + "\r\n";
  }

  /** One that lacks its end. */
  static String broken(String body) {
    String head =
        """
        HTTP/1.1 200 OK\r
        Content-Type: application/x-ndjson\r
        Transfer-Encoding: chunked\r
        \r
        """;
    int length = body.getBytes(UTF_8).length;
    return length == 0 ? head : head + Integer.toHexString(length) + "\r\n" + body + "\r\n";
  }

  /** One without a body. */
  static String refusal(String status) {
    String line = "error: not now\n";
    return "HTTP/1.1 %s\r\nContent-Type: text/plain\r\nContent-Length: %d\r\n\r\n%s"
        .formatted(status, line.length(), line);
  }

  String address() {
    return "127.0.0.1:" + server.getLocalPort();
  }

  /** The request lines, in the order in which they came. */
  List<String> requests() {
    return requests;
  }

  private void serve() {
    try {
      for (int at = 0; ; at++) {
        try (Socket socket = server.accept()) {
          readRequest(socket);
          String answer = at < answers.size() ? answers.get(at) : CLOSED;
          socket.getOutputStream().write(answer.getBytes(UTF_8));
        }
      }
    } catch (IOException e) {
      // Closed: the test is over.
    }
  }

  private void readRequest(Socket socket) throws IOException {
    var in = new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
    requests.add(String.valueOf(in.readLine()));
    String line = in.readLine();
    while (line != null && !line.isEmpty()) {
      line = in.readLine();
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
