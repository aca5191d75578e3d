package io.cordwood.common.http.client;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** A server in HTTP/2 of bare frames, which can do all that a good one never does. */
final class RawPeer implements AutoCloseable {
  static final int DATA = 0;
  static final int HEADERS = 1;
  static final int RST_STREAM = 3;
  static final int SETTINGS = 4;
  static final int PUSH_PROMISE = 5;
  static final int PING = 6;
  static final int GOAWAY = 7;
  static final int WINDOW_UPDATE = 8;
  static final int CONTINUATION = 9;
  static final int ACK = 1;
  static final int END_STREAM = 1;
  static final int END_HEADERS = 4;

  /** The first stream of a client that has not become HTTP/2 by an upgrade. */
  static final int CALL = 3;

  /** {@code :status: 200}, of HPACK's static table. */
  static final String OK = "88";

  /** {@code :status: 100}. */
  static final String CONTINUE = "0803313030";

  private final ServerSocket server;
  private final List<Script> scripts;
  private final AtomicInteger accepted = new AtomicInteger();
  private final List<IOException> failures = new CopyOnWriteArrayList<>();

  /** What it does on a connection, once the preface has come. */
  interface Script {
    void run(Wire wire) throws IOException;
  }

  /** A frame that has come. */
  record Frame(int type, int flags, int stream, byte[] payload) {
    boolean isLast() {
      return (flags & END_STREAM) != 0;
    }

    int number() {
      return ByteBuffer.wrap(payload).getInt();
    }
  }

  /** A connection. */
  record Wire(InputStream in, OutputStream out) {
    void send(byte[]... frames) throws IOException {
      out.write(all(frames));
    }

    Frame next() throws IOException {
      byte[] head = in.readNBytes(9);
      if (head.length < 9) {
        throw new EOFException("expected a frame, found the connection's end");
      }
      int length = ByteBuffer.wrap(head).getInt() >>> 8;
      int stream = ByteBuffer.wrap(head).getInt(5);
      return new Frame(head[3], head[4], stream, in.readNBytes(length));
    }

    Frame await(int type) throws IOException {
      Frame frame = next();
      while (frame.type() != type) {
        frame = next();
      }
      return frame;
    }

    void readToEnd() throws IOException {
      in.transferTo(OutputStream.nullOutputStream());
    }
  }

  /**
   * Listens.
   *
   * @param scripts of the connections in turn, again from the first one
   */
  RawPeer(Script... scripts) {
    this.scripts = List.of(scripts);
    try {
      server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.ofVirtual().start(this::accept);
  }

  /** One that answers as soon as a call has come, and stays connected. */
  static RawPeer answering(byte[]... answer) {
    return new RawPeer(answer(answer));
  }

  static Script answer(byte[]... answer) {
    return wire -> {
      wire.await(HEADERS);
      wire.send(answer);
      wire.readToEnd();
    };
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket socket = server.accept();
        Script script = scripts.get(accepted.getAndIncrement() % scripts.size());
        Thread.ofVirtual().start(() -> run(script, socket));
      } catch (IOException e) {
        return; // closed
      }
    }
  }

  private void run(Script script, Socket socket) {
    try (socket) {
      socket.getInputStream().readNBytes(24); // the preface
      script.run(new Wire(socket.getInputStream(), socket.getOutputStream()));
    } catch (IOException e) {
      failures.add(e); // The client has enough, mostly.
    }
  }

  URI uri() {
    return URI.create("http://127.0.0.1:" + server.getLocalPort() + "/call");
  }

  /** How many connections were made. */
  int accepted() {
    return accepted.get();
  }

  List<IOException> failures() {
    return failures;
  }

  @Override
  public void close() throws IOException {
    server.close();
  }

  static byte[] frame(int type, int flags, int stream, String hex) {
    return frame(type, flags, stream, HexFormat.of().parseHex(hex));
  }

  static byte[] frame(int type, int flags, int stream, byte... payload) {
    ByteBuffer frame = ByteBuffer.allocate(9 + payload.length).putInt(payload.length << 8 | type);
    return frame.put((byte) flags).putInt(stream).put(payload).array();
  }

  /** The head of a frame of data with a length, and nothing after it. */
  static byte[] headOfData(String length, int stream) {
    return HexFormat.of().parseHex(length + "0000" + "%08x".formatted(stream));
  }

  static byte[] all(byte[]... frames) {
    var all = new ByteArrayOutputStream();
    for (byte[] frame : frames) {
      all.writeBytes(frame);
    }
    return all.toByteArray();
  }

  static byte[] settings() {
    return frame(SETTINGS, 0, 0, "");
  }

  /** Takes data of a call, and of all calls, however much it is. */
  static byte[] opened() {
    return all(frame(SETTINGS, 0, 0, "00047fffffff"), frame(WINDOW_UPDATE, 0, 0, "7fff0000"));
  }

  static byte[] head() {
    return frame(HEADERS, END_HEADERS, CALL, OK);
  }

  static byte[] asksForBody() {
    return frame(HEADERS, END_HEADERS, CALL, CONTINUE);
  }

  static byte[] data(String text) {
    return frame(DATA, 0, CALL, text.getBytes(US_ASCII));
  }

  static byte[] lastData(String text) {
    return frame(DATA, END_STREAM, CALL, text.getBytes(US_ASCII));
  }

  /**
   * It ends the connection.
   *
   * @param lastCall that it may have begun with
   * @param error 0 for none
   */
  static byte[] goAway(int lastCall, int error) {
    return frame(GOAWAY, 0, 0, "%08x%08x".formatted(lastCall, error));
  }
}
