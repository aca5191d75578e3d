import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Senders of other protocols, for bench/senders: makes the requests of a part of a corpus, and
 * sends what it made, so that only the latter is measured.
 *
 * <pre>
 *   encode PROTOCOL CORPUS FROM TO LINES_A_MS OUT     requests, each after its length
 *   send FILE PORT                                    over one connection, the next after the answer
 * </pre>
 */
final class Senders {
  private static final int REQUEST_BYTES = 1 << 20;
  private static final int BUFFER_BYTES = 256 << 10;

  private Senders() {}

  public static void main(String[] args) throws IOException {
    if (args[0].equals("encode")) {
      var encoder = new Encoder(args[1], Long.parseLong(args[5]));
      long from = Long.parseLong(args[3]);
      encoder.encode(Path.of(args[2]), from, Long.parseLong(args[4]), Path.of(args[6]));
    } else {
      send(Path.of(args[1]), Integer.parseInt(args[2]));
    }
  }

  private static void send(Path file, int port) throws IOException {
    try (var in = new DataInputStream(new FileInputStream(file.toFile()));
        var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      boolean isHttp = in.readBoolean();
      InputStream answers = socket.getInputStream();
      Thread drain = isHttp ? new Thread() : Thread.startVirtualThread(() -> drain(answers));
      for (int length = in.readInt(); length > 0; length = in.readInt()) {
        socket.getOutputStream().write(in.readNBytes(length));
        if (isHttp) {
          answer(answers);
        }
      }
      socket.shutdownOutput();
      drain.join();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  private static void drain(InputStream answers) {
    try {
      answers.transferTo(OutputStream.nullOutputStream());
    } catch (IOException e) {
      System.err.println(e);
      System.exit(1);
    }
  }

  private static void answer(InputStream in) throws IOException {
    String status = line(in);
    int length = 0;
    boolean chunked = false;
    for (String header = line(in); !header.isEmpty(); header = line(in)) {
      String lower = header.toLowerCase();
      if (lower.startsWith("content-length:")) {
        length = Integer.parseInt(lower.substring(15).strip());
      }
      chunked |= lower.startsWith("transfer-encoding:");
    }
    var body = new ByteArrayOutputStream();
    body.write(in.readNBytes(length));
    while (chunked) {
      int size = Integer.parseInt(line(in), 16);
      body.write(in.readNBytes(size));
      line(in);
      chunked = size > 0;
    }
    String text = body.toString(UTF_8);
    if (!status.matches("HTTP/1.1 2.*") || text.contains("\"errors\":true")) {
      int at = Math.max(0, text.indexOf("\"error\":") - 100); // among thousands of items
      throw new IOException(status + ": " + text.substring(at, Math.min(at + 300, text.length())));
    }
  }

  private static String line(InputStream in) throws IOException {
    var line = new StringBuilder();
    for (int each = in.read(); each != '\n'; each = in.read()) {
      if (each < 0) {
        throw new IOException("the node ended the connection");
      }
      line.append((char) each);
    }
    return line.toString().strip();
  }

  /** Makes requests. */
  private static final class Encoder {
    private final String protocol;
    private final long linesAMs;
    private final long began = System.currentTimeMillis();
    private final List<byte[]> lines = new ArrayList<>();
    private long number;

    Encoder(String protocol, long linesAMs) {
      this.protocol = protocol;
      this.linesAMs = linesAMs;
    }

    void encode(Path corpus, long from, long to, Path target) throws IOException {
      boolean isHttp = !protocol.equals("durable") && !protocol.equals("syslog");
      try (var in = new FileInputStream(corpus.toFile());
          var file = new BufferedOutputStream(Files.newOutputStream(target), BUFFER_BYTES);
          var out = new DataOutputStream(file)) {
        in.skipNBytes(from);
        out.writeBoolean(isHttp);
        byte[] buffer = new byte[BUFFER_BYTES];
        var line = new ByteArrayOutputStream();
        int held = 0;
        for (long left = to - from; left > 0; ) {
          int count = in.read(buffer, 0, (int) Math.min(left, buffer.length));
          left -= count;
          for (int i = 0; i < count; i++) {
            if (buffer[i] != '\n') {
              line.write(buffer[i]);
              continue;
            }
            held += add(line.toByteArray());
            line.reset();
            if (held >= REQUEST_BYTES) {
              request(out);
              held = 0;
            }
          }
        }
        add(line.toByteArray());
        request(out);
        out.writeInt(0);
      }
    }

    /** Blank lines are no records. */
    private int add(byte[] line) {
      if (line.length == 0 || (line.length == 1 && line[0] == '\r')) {
        return 0;
      }
      lines.add(line);
      return line.length + 1;
    }

    private void request(DataOutputStream out) throws IOException {
      if (lines.isEmpty()) {
        return;
      }
      byte[] request =
          switch (protocol) {
            case "durable" -> plain();
            case "syslog" -> syslog();
            case "lines" -> http("/ingest?topic=bench", "text/plain", plain());
            case "ndjson" -> http("/ingest?topic=bench", "application/x-ndjson", documents(false));
            case "elastic" -> http("/_bulk", "application/x-ndjson", documents(true));
            case "loki" -> http("/loki/api/v1/push", "application/x-protobuf", Snappy.pack(loki()));
            case "otlp" -> http("/v1/logs", "application/x-protobuf", otlp());
            default -> throw new IOException("no such protocol: " + protocol);
          };
      out.writeInt(request.length);
      out.write(request);
      number += lines.size();
      lines.clear();
    }

    private static byte[] http(String path, String type, byte[] body) {
      String head =
          "POST %s HTTP/1.1\r\nhost: localhost\r\ncontent-type: %s\r\ncontent-length: %d\r\n\r\n"
              .formatted(path, type, body.length);
      return joined(head.getBytes(UTF_8), body);
    }

    private byte[] plain() {
      var all = new ByteArrayOutputStream();
      for (byte[] line : lines) {
        all.writeBytes(line);
        all.write('\n');
      }
      return all.toByteArray();
    }

    private long nanos(int line) {
      long at = number + line;
      return (began + at / linesAMs) * 1_000_000 + at % linesAMs * (1_000_000 / linesAMs);
    }

    private Instant time(int line) {
      return Instant.ofEpochSecond(0, nanos(line));
    }

    private byte[] syslog() {
      var all = new ByteArrayOutputStream();
      for (int i = 0; i < lines.size(); i++) {
        all.writeBytes("<14>1 %s h1 bench - - - ".formatted(time(i)).getBytes(UTF_8));
        all.writeBytes(lines.get(i));
        all.write('\n');
      }
      return all.toByteArray();
    }

    private byte[] documents(boolean withActions) {
      var all = new ByteArrayOutputStream();
      for (int i = 0; i < lines.size(); i++) {
        if (withActions) {
          all.writeBytes("{\"create\":{\"_index\":\"bench\"}}\n".getBytes(UTF_8));
        }
        String document =
            "{\"@timestamp\":\"%s\",\"host\":{\"name\":\"h1\"},\"message\":\"%s\"}\n"
                .formatted(time(i), escaped(new String(lines.get(i), UTF_8)));
        all.writeBytes(document.getBytes(UTF_8));
      }
      return all.toByteArray();
    }

    private static String escaped(String text) {
      var escaped = new StringBuilder(text.length() + 16);
      for (char each : text.toCharArray()) {
        if (each == '"' || each == '\\') {
          escaped.append('\\').append(each);
        } else if (each < ' ') {
          escaped.append("\\u%04x".formatted((int) each));
        } else {
          escaped.append(each);
        }
      }
      return escaped.toString();
    }

    private byte[] loki() {
      var stream = new ByteArrayOutputStream();
      field(stream, 1, "{app=\"bench\", host=\"h1\"}".getBytes(UTF_8));
      for (int i = 0; i < lines.size(); i++) {
        var time = new ByteArrayOutputStream();
        number(time, 1, nanos(i) / 1_000_000_000);
        number(time, 2, nanos(i) % 1_000_000_000);
        var entry = new ByteArrayOutputStream();
        field(entry, 1, time.toByteArray());
        field(entry, 2, lines.get(i));
        field(stream, 2, entry.toByteArray());
      }
      var push = new ByteArrayOutputStream();
      field(push, 1, stream.toByteArray());
      return push.toByteArray();
    }

    private byte[] otlp() {
      var scope = new ByteArrayOutputStream();
      for (int i = 0; i < lines.size(); i++) {
        var record = new ByteArrayOutputStream();
        record.write(1 << 3 | 1);
        record.writeBytes(
            ByteBuffer.allocate(Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(nanos(i))
                .array());
        number(record, 2, 9);
        field(record, 5, text(lines.get(i)));
        field(scope, 2, record.toByteArray());
      }
      var attribute = new ByteArrayOutputStream();
      field(attribute, 1, "service.name".getBytes(UTF_8));
      field(attribute, 2, text("bench".getBytes(UTF_8)));
      var resource = new ByteArrayOutputStream();
      field(resource, 1, attribute.toByteArray());
      var logs = new ByteArrayOutputStream();
      field(logs, 1, resource.toByteArray());
      field(logs, 2, scope.toByteArray());
      var request = new ByteArrayOutputStream();
      field(request, 1, logs.toByteArray());
      return request.toByteArray();
    }

    private static byte[] text(byte[] utf8) {
      var value = new ByteArrayOutputStream();
      field(value, 1, utf8);
      return value.toByteArray();
    }

    private static void field(ByteArrayOutputStream out, int field, byte[] bytes) {
      varint(out, field << 3 | 2);
      varint(out, bytes.length);
      out.writeBytes(bytes);
    }

    private static void number(ByteArrayOutputStream out, int field, long value) {
      varint(out, field << 3);
      varint(out, value);
    }
  }

  private static void varint(ByteArrayOutputStream out, long value) {
    long left = value;
    for (; (left & ~0x7fL) != 0; left >>>= 7) {
      out.write((int) (left & 0x7f | 0x80));
    }
    out.write((int) left);
  }

  private static byte[] joined(byte[] one, byte[] other) {
    byte[] both = Arrays.copyOf(one, one.length + other.length);
    System.arraycopy(other, 0, both, one.length, other.length);
    return both;
  }

  /** Snappy's block format: as the reference does it, in blocks of 64 KiB. */
  private static final class Snappy {
    private static final int BLOCK = 1 << 16;
    private static final int SHIFT = 32 - 14;

    private Snappy() {}

    static byte[] pack(byte[] plain) {
      var out = new ByteArrayOutputStream(plain.length / 2);
      varint(out, plain.length);
      for (int from = 0; from < plain.length; from += BLOCK) {
        block(plain, from, Math.min(plain.length, from + BLOCK), out);
      }
      return out.toByteArray();
    }

    private static void block(byte[] plain, int from, int to, ByteArrayOutputStream out) {
      var words = ByteBuffer.wrap(plain).order(ByteOrder.LITTLE_ENDIAN);
      int[] seen = new int[1 << 14];
      Arrays.fill(seen, -1);
      int literal = from;
      for (int at = from; at + 4 <= to; ) {
        int word = words.getInt(at);
        int slot = word * 0x1e35a7bd >>> SHIFT;
        int before = seen[slot];
        seen[slot] = at;
        if (before < 0 || words.getInt(before) != word) {
          at++;
          continue;
        }
        int length = 4;
        while (at + length < to && plain[before + length] == plain[at + length]) {
          length++;
        }
        literal(plain, literal, at, out);
        copy(at - before, length, out);
        at += length;
        literal = at;
      }
      literal(plain, literal, to, out);
    }

    private static void literal(byte[] plain, int from, int to, ByteArrayOutputStream out) {
      int length = to - from;
      if (length == 0) {
        return;
      }
      if (length <= 60) {
        out.write(length - 1 << 2);
      } else {
        out.write(61 << 2);
        out.write(length - 1);
        out.write(length - 1 >> 8);
      }
      out.write(plain, from, length);
    }

    private static void copy(int offset, int length, ByteArrayOutputStream out) {
      for (int left = length; left > 0; left -= Math.min(left, 64)) {
        out.write(Math.min(left, 64) - 1 << 2 | 2);
        out.write(offset);
        out.write(offset >> 8);
      }
    }
  }
}
