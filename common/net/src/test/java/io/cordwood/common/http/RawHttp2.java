package io.cordwood.common.http;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An HTTP/2 client of bare frames, which can do all that a good one never does. */
public final class RawHttp2 implements AutoCloseable {
  public static final int DATA = 0;
  public static final int HEADERS = 1;
  public static final int RST_STREAM = 3;
  public static final int SETTINGS = 4;
  public static final int PING = 6;
  public static final int GOAWAY = 7;
  public static final int WINDOW_UPDATE = 8;
  public static final int CONTINUATION = 9;

  public static final int END_STREAM = 1;
  public static final int END_HEADERS = 4;

  public static final int MAX_HEADER_LIST_SIZE = 6;
  public static final int INITIAL_WINDOW_SIZE = 4;
  public static final int MAX_FRAME_SIZE = 5;
  public static final int FRAME_SIZE_ERROR = 6;

  public static final byte[] NOTHING = {};

  private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
  private static final int TIMEOUT_MILLIS = 20_000;

  private final Socket socket;
  private final DataInputStream in;

  public record Frame(int type, int flags, int stream, byte[] payload) {
    /** The number that the payload begins with, or that stands behind another. */
    public int number(int index) {
      return ByteBuffer.wrap(payload).getInt(index * Integer.BYTES);
    }
  }

  /** Connects, with no settings of its own. */
  public RawHttp2(TestServer server) throws IOException {
    this(server, NOTHING);
  }

  /** Connects, with one setting. */
  public RawHttp2(TestServer server, int setting, int value) throws IOException {
    this(server, ByteBuffer.allocate(6).putShort((short) setting).putInt(value).array());
  }

  private RawHttp2(TestServer server, byte[] settings) throws IOException {
    this(server.connect());
    sendPreface(settings);
  }

  private RawHttp2(Socket socket) throws IOException {
    this.socket = socket;
    socket.setSoTimeout(TIMEOUT_MILLIS);
    in = new DataInputStream(socket.getInputStream());
  }

  /** Asks for a path and an upgrade, and reads the answer to the latter; sends no preface yet. */
  public static RawHttp2 upgrade(TestServer server, String path) throws IOException {
    RawHttp2 client = new RawHttp2(server.connect());
    client.send(
        ("GET " + path + " HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\n")
            .getBytes(StandardCharsets.US_ASCII));
    client.send("Upgrade: h2c\r\nHTTP2-Settings: \r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    StringBuilder answer = new StringBuilder();
    while (answer.indexOf("\r\n\r\n") < 0) {
      answer.append((char) client.in.readUnsignedByte());
    }
    if (!answer.toString().startsWith("HTTP/1.1 101 ")) {
      throw new IOException("expected 101, found " + answer);
    }
    return client;
  }

  /** Sends the preface that every client begins with. */
  public void sendPreface(byte... settings) throws IOException {
    send(PREFACE.getBytes(StandardCharsets.US_ASCII));
    send(SETTINGS, 0, 0, settings);
  }

  public void send(int type, int flags, int stream, byte... payload) throws IOException {
    ByteBuffer frame = ByteBuffer.allocate(9 + payload.length);
    frame.putShort((short) (payload.length >>> 8)).put((byte) payload.length);
    frame.put((byte) type).put((byte) flags).putInt(stream).put(payload);
    socket.getOutputStream().write(frame.array());
  }

  public void send(byte[] frames) throws IOException {
    socket.getOutputStream().write(frames);
  }

  /** The headers of a request, without compression. */
  public static byte[] request(String method, String path) {
    byte[] name = path.getBytes(StandardCharsets.US_ASCII);
    ByteBuffer block = ByteBuffer.allocate(7 + name.length);
    block.put((byte) (method.equals("GET") ? 0x82 : 0x83)).put((byte) 0x86);
    block.put((byte) 0x04).put((byte) name.length).put(name);
    return block.put((byte) 0x01).put((byte) 1).put((byte) 'x').array();
  }

  /** The next frame of a type; null if the connection ends before. */
  public @Nullable Frame await(int type) throws IOException {
    while (true) {
      Frame frame = next();
      if (frame == null || frame.type() == type) {
        return frame;
      }
    }
  }

  private @Nullable Frame next() throws IOException {
    try {
      int length = in.readUnsignedShort() << 8 | in.readUnsignedByte();
      int type = in.readUnsignedByte();
      int flags = in.readUnsignedByte();
      int stream = in.readInt();
      return new Frame(type, flags, stream, in.readNBytes(length));
    } catch (SocketTimeoutException e) {
      throw new AssertionError("expected a frame or the connection's end, found neither", e);
    } catch (IOException e) {
      return null; // An end, or a reset: the same to who is thrown out.
    }
  }

  /** The types of the frames that come until none has come for some time. */
  public List<Integer> typesUntilSilent(Duration silence) throws IOException {
    socket.setSoTimeout(Math.toIntExact(silence.toMillis()));
    List<Integer> types = new ArrayList<>();
    try {
      while (true) {
        int length = in.readUnsignedShort() << 8 | in.readUnsignedByte();
        types.add(in.readUnsignedByte());
        in.readNBytes(5 + length);
      }
    } catch (SocketTimeoutException e) {
      socket.setSoTimeout(TIMEOUT_MILLIS);
      return types;
    }
  }

  /** Reads to the end of the connection; fails if it does not end. */
  public void awaitEnd() throws IOException {
    while (next() != null) {
      // What it says before does not matter.
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
