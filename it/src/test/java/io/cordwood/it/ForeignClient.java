package io.cordwood.it;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A client of a protocol, which sends requests of numbered records over one connection and waits
 * for the answer to each, if the protocol has one. For one thread.
 */
final class ForeignClient implements AutoCloseable {
  private static final int FIRST_OK = 200;
  private static final int OK_END = 300;
  private static final int BUSY = 503;

  private final Protocol protocol;
  private final String name;
  private final int port;
  private Socket socket;

  /** How requests are made, and by what they are acknowledged. */
  enum Protocol {
    LINES("durable"),
    SYSLOG("syslog"),
    NDJSON("api"),
    LOKI("api"),
    FLUENT("fluent");

    private final String port;

    Protocol(String port) {
      this.port = port;
    }

    private byte[] request(String client, String id, String[] records) {
      return switch (this) {
        case LINES -> bytes(String.join("\n", records) + "\n");
        case SYSLOG -> bytes(prefixed("<13>1 - host crowd - - - ", records, "\n"));
        case NDJSON -> post("/ingest?topic=crowd", prefixed("{\"m\":\"", records, "\"}\n"));
        case LOKI ->
            post(
                "/loki/api/v1/push",
                "{\"streams\":[{\"stream\":{\"app\":\"crowd\",\"client\":\"%s\"},\"values\":[%s]}]}"
                    .formatted(client, values(records)));
        case FLUENT -> forward(id, records);
      };
    }

    private static byte[] bytes(String text) {
      return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static String prefixed(String before, String[] records, String after) {
      return before + String.join(after + before, records) + after;
    }

    private static byte[] post(String path, String body) {
      String head = "POST " + path + " HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n";
      return bytes(head + "Content-Length: " + body.length() + "\r\n\r\n" + body);
    }

    private static String values(String[] records) {
      return IntStream.range(0, records.length)
          .mapToObj(i -> "[\"%d\",\"%s\"]".formatted(nanos() + i, records[i]))
          .collect(Collectors.joining(","));
    }

    private static long nanos() {
      return System.currentTimeMillis() * 1_000_000;
    }

    /** In forward mode: {@code [tag, [[time, {log: record}], …], {chunk: id}]}. */
    private static byte[] forward(String id, String[] records) {
      var message = new ByteArrayOutputStream();
      message.write(0x93);
      text(message, "crowd");
      message.write(0xdc);
      message.write(records.length >> 8);
      message.write(records.length);
      long seconds = System.currentTimeMillis() / 1000;
      for (String record : records) {
        message.writeBytes(new byte[] {(byte) 0x92, (byte) 0xce});
        for (int shift = 24; shift >= 0; shift -= 8) {
          message.write((int) (seconds >> shift));
        }
        message.write(0x81);
        text(message, "log");
        text(message, record);
      }
      message.write(0x81);
      text(message, "chunk");
      text(message, id);
      return message.toByteArray();
    }

    /** As a text of up to 31 bytes, or of up to 64 KiB. */
    private static void text(ByteArrayOutputStream message, String text) {
      if (text.length() < 32) {
        message.write(0xa0 | text.length());
      } else {
        message.write(0xda);
        message.write(text.length() >> 8);
        message.write(text.length());
      }
      message.writeBytes(bytes(text));
    }
  }

  ForeignClient(Protocol protocol, int number, NodeProcess node) throws IOException {
    this.protocol = protocol;
    this.name = "%s %d".formatted(protocol, number);
    this.port = node.port(protocol.port);
    this.socket = connect();
  }

  private Socket connect() throws IOException {
    var connected = new Socket(InetAddress.getLoopbackAddress(), port);
    connected.setSoTimeout((int) Program.LONG.toMillis());
    return connected;
  }

  /** A request, for {@link #send} and {@link #sendAgain}. */
  byte[] request(int number, String[] records) {
    return protocol.request(name, name + " " + number, records);
  }

  /** Sends a part of a request. */
  void send(byte[] request, int from, int to) throws IOException {
    socket.getOutputStream().write(request, from, to - from);
  }

  /** Sends a request over a new connection. */
  void sendAgain(byte[] request) throws IOException {
    socket.close();
    socket = connect();
    send(request, 0, request.length);
  }

  /**
   * Waits for the answer to a request.
   *
   * @return whether it is taken; if not, it is to be sent again
   * @throws IOException if it never will be
   */
  boolean isTaken() throws IOException {
    return switch (protocol) {
      case SYSLOG -> true;
      case LINES -> line().startsWith("ack ");
      case FLUENT -> isAcknowledged();
      case NDJSON, LOKI -> isAnswered();
    };
  }

  private boolean isAcknowledged() throws IOException {
    InputStream in = socket.getInputStream();
    byte[] head = in.readNBytes(6); // of a map with "ack", and of a short text
    return head.length == 6 && in.readNBytes(head[5] & 0x1f).length > 0;
  }

  private boolean isAnswered() throws IOException {
    String status = line();
    int length = 0;
    for (String header = line(); header.length() > 2; header = line()) {
      if (header.startsWith("content-length: ")) {
        length = Integer.parseInt(header.substring("content-length: ".length()).strip());
      }
    }
    var _ = socket.getInputStream().readNBytes(length);
    int code = status.isEmpty() ? BUSY : Integer.parseInt(status.split(" ", 3)[1]);
    if (code != BUSY && (code < FIRST_OK || code >= OK_END)) {
      throw new IOException(name + ": expected 200, 204 or 503, found " + status);
    }
    return code != BUSY;
  }

  /** Empty if the node has closed. */
  private String line() throws IOException {
    var line = new StringBuilder();
    InputStream in = socket.getInputStream();
    for (int each = in.read(); each >= 0; each = in.read()) {
      line.append((char) each);
      if (each == '\n') {
        break;
      }
    }
    return line.toString();
  }

  /** Ends the connection as a client does that has sent all. */
  @Override
  public void close() throws IOException {
    socket.close();
  }
}
