package io.cordwood.common.http.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A connection of HTTP/1.1 that has become a WebSocket (RFC 6455), by which texts are sent to the
 * client. What the client sends is not looked at, except for pings and its farewell. A client that
 * was silent for a quarter of the server's time for idle connections is pinged, and given up after
 * all of that time.
 *
 * <p>For any thread. A message that is sent blocks while the client is slow to read.
 */
public final class WebSocket implements AutoCloseable {
  /** This node ends the connection, since it stops. */
  public static final int GOING_AWAY = 1001;

  /** The node cannot go on with it. */
  public static final int FAILED = 1011;

  private static final int NORMAL = 1000;
  private static final int PROTOCOL_ERROR = 1002;
  private static final int NO_CODE = 1005;
  private static final int POLICY = 1008;

  /** Added to a client's key: RFC 6455, 1.3. */
  private static final String KEY_END = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

  private static final String NAME = "websocket";
  private static final String VERSION = "13";
  private static final int KEY_BYTES = 16;

  private static final int FIN = 0x80;
  private static final int MASKED = 0x80;
  private static final int RESERVED = 0x70;
  private static final int TEXT = 1;
  private static final int CONTROL = 8;
  private static final int CLOSE = 8;
  private static final int PING = 9;
  private static final int MAX_CONTROL_BYTES = 125;
  private static final int LENGTH_OF_16 = 126;
  private static final int LENGTH_OF_64 = 127;
  private static final int MASK_BYTES = 4;

  private static final int PINGS = 4;
  private static final Duration FAREWELL = Duration.ofSeconds(1);

  private final Response response;
  private final OutputStream out;
  private final BodyInput in;
  private final CountDownLatch ended = new CountDownLatch(1);
  private final ReentrantLock sending = new ReentrantLock();
  private volatile Runnable whenEnded = () -> {};
  private boolean farewell;

  private WebSocket(Response response, BodyInput in) {
    this.response = response;
    this.out = response.body();
    this.in = in;
  }

  /**
   * Answers a request that asks for one, and begins; the handler ends when all is said.
   *
   * @throws HttpError as {@link #check} does
   */
  public static WebSocket accept(Request request, Response response) throws IOException {
    String key = key(request, response);
    response
        .status(101)
        .header("upgrade", NAME)
        .header("connection", "upgrade")
        .header("sec-websocket-accept", accepted(key))
        .narrow();
    Response.Carrier carrier = response.carrier();
    var socket = new WebSocket(response, carrier.becomeRaw(carrier.idle().dividedBy(PINGS)));
    socket.out.flush();
    Thread.ofVirtual().name("websocket").start(socket::read);
    return socket;
  }

  /**
   * Looks whether a request asks for one; before what else it asks for is looked at.
   *
   * @throws HttpError 400 or 426 if it does not, or not by HTTP/1.1
   */
  public static void check(Request request, Response response) {
    String _ = key(request, response);
  }

  private static String key(Request request, Response response) {
    if (response.asker().http2()) {
      throw new HttpError(
          400, request.path() + ": expected HTTP/1.1, as a WebSocket begins, found HTTP/2");
    }
    boolean asks =
        NAME.equalsIgnoreCase(request.header("upgrade").orElse(""))
            && Arrays.stream(request.header("connection").orElse("").split(",", -1))
                .anyMatch(word -> word.strip().equalsIgnoreCase("upgrade"));
    String version = request.header("sec-websocket-version").orElse(asks ? "none" : VERSION);
    if (!asks || !version.equals(VERSION)) {
      throw new HttpError(
          426,
          "%s: expected a WebSocket of version 13, found %s"
              .formatted(request.path(), asks ? "version " + version : "a request without upgrade"),
          0,
          Map.of("upgrade", NAME, "sec-websocket-version", VERSION));
    }
    String key = request.header("sec-websocket-key").orElse("");
    if (!isKey(key)) {
      throw new HttpError(
          400, "header Sec-WebSocket-Key: expected 16 bytes in base64, found something else");
    }
    return key;
  }

  private static boolean isKey(String text) {
    try {
      return Base64.getDecoder().decode(text).length == KEY_BYTES;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static String accepted(String key) {
    try {
      MessageDigest sha1 = MessageDigest.getInstance("SHA-1");
      return Base64.getEncoder().encodeToString(sha1.digest((key + KEY_END).getBytes(US_ASCII)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Whether nobody reads any more. Cheap. */
  public boolean isEnded() {
    return ended.getCount() == 0 || response.clientGone();
  }

  /** The task is run when nobody reads any more, at once if that is so. It must not block. */
  public void whenEnded(Runnable task) {
    whenEnded = task;
    response.whenClientGone(task);
    if (isEnded()) {
      task.run();
    }
  }

  /** Sends a message. */
  public void send(String text) throws IOException {
    send(TEXT, text.getBytes(UTF_8));
  }

  private void send(int kind, byte[] bytes) throws IOException {
    sending.lock();
    try {
      if (farewell) {
        throw new ClientGoneException("the client said farewell");
      }
      farewell = kind == CLOSE;
      write(kind, bytes);
    } finally {
      sending.unlock();
    }
  }

  private void write(int kind, byte[] bytes) throws IOException {
    out.write(FIN | kind);
    if (bytes.length <= MAX_CONTROL_BYTES) {
      out.write(bytes.length);
    } else if (bytes.length < 1 << Short.SIZE) {
      out.write(LENGTH_OF_16);
      out.write(ByteBuffer.allocate(Short.BYTES).putShort((short) bytes.length).array());
    } else {
      out.write(LENGTH_OF_64);
      out.write(ByteBuffer.allocate(Long.BYTES).putLong(bytes.length).array());
    }
    out.write(bytes);
    out.flush();
  }

  private void read() {
    try {
      while (readFrame()) {
        // Frames mean nothing here, except those that were answered.
      }
    } catch (ClientGoneException e) {
      // As good as a farewell.
    } catch (IOException | RuntimeException e) {
      farewell(PROTOCOL_ERROR, String.valueOf(e.getMessage()));
    } finally {
      in.discard();
      ended.countDown();
      whenEnded.run();
    }
  }

  /** Whether more may follow. */
  private boolean readFrame() throws IOException {
    int first = next();
    int second = next();
    int kind = first & 0xF;
    int length = second & ~MASKED;
    if ((first & RESERVED) != 0 || (second & MASKED) == 0) {
      throw new IOException("expected a frame that is masked, and without extensions");
    } else if (kind >= CONTROL && (length > MAX_CONTROL_BYTES || (first & FIN) == 0)) {
      throw new IOException("expected a control frame of at most 125 bytes, in one piece");
    }
    long bytes = length < LENGTH_OF_16 ? length : number(length == LENGTH_OF_16 ? 2 : Long.BYTES);
    byte[] mask = bytes(MASK_BYTES);
    if (kind < CONTROL) {
      for (long left = bytes; left != 0; left--) {
        int _ = next();
      }
      return true;
    }
    byte[] text = bytes((int) bytes);
    for (int i = 0; i < text.length; i++) {
      text[i] ^= mask[i % MASK_BYTES];
    }
    if (kind == PING) {
      send(PING + 1, text);
    } else if (kind == CLOSE) {
      boolean coded = text.length >= Short.BYTES;
      farewell(coded ? ByteBuffer.wrap(text).getShort() & 0xFFFF : NO_CODE, "");
    }
    return kind != CLOSE;
  }

  private long number(int size) throws IOException {
    long number = 0;
    for (byte each : bytes(size)) {
      number = number << Byte.SIZE | (each & 0xFF);
    }
    if (number < 0) {
      throw new IOException("expected a length of 63 bits");
    }
    return number;
  }

  private byte[] bytes(int count) throws IOException {
    byte[] bytes = new byte[count];
    for (int i = 0; i < count; i++) {
      bytes[i] = (byte) next();
    }
    return bytes;
  }

  /** The next byte; the client is pinged while none comes. */
  private int next() throws IOException {
    for (int i = 0; i < PINGS; i++) {
      try {
        int next = in.read();
        if (next < 0) {
          throw new ClientGoneException("the client left");
        }
        return next;
      } catch (HttpError silent) {
        if (i < PINGS - 1) {
          send(PING, new byte[0]);
        }
      }
    }
    farewell(POLICY, "pings were not answered");
    throw new ClientGoneException("pings were not answered");
  }

  private void farewell(int code, String reason) {
    byte[] text = reason.getBytes(UTF_8);
    int length = Math.min(text.length, MAX_CONTROL_BYTES - Short.BYTES);
    byte[] bytes =
        code == NO_CODE
            ? new byte[0]
            : ByteBuffer.allocate(Short.BYTES + length)
                .putShort((short) code)
                .put(text, 0, length)
                .array();
    try {
      send(CLOSE, bytes);
    } catch (IOException e) {
      // It is not there to hear it.
    }
  }

  /** Ends it in good order. */
  @Override
  public void close() {
    close(NORMAL, "");
  }

  /**
   * Ends it in good order; waits for a moment until the client has heard of it.
   *
   * @param reason for people; at most 123 bytes of it are sent
   */
  public void close(int code, String reason) {
    farewell(code, reason);
    try {
      boolean _ = ended.await(FAREWELL.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
