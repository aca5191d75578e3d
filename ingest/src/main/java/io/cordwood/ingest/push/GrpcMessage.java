package io.cordwood.ingest.push;

import io.cordwood.common.http.server.HttpError;
import io.cordwood.common.http.server.Request;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Locale;

/**
 * The one message of a call of gRPC that asks once and is answered once.
 *
 * <pre>
 *   body = flag (0: plain, 1: packed as grpc-encoding says) length (4 bytes, big-endian) message
 * </pre>
 */
final class GrpcMessage extends InputStream {
  private static final int HEAD_BYTES = 5;

  private final InputStream body;
  private final long length;
  private long left;

  private GrpcMessage(InputStream body, long length) {
    this.body = body;
    this.length = length;
    this.left = length;
  }

  /** Whether a request is a call of gRPC. */
  static boolean isIn(Request request) {
    return request.header("content-type").orElse("").startsWith("application/grpc");
  }

  /** How the messages of a call are packed that say that they are. */
  static String coding(Request request) {
    return request.header("grpc-encoding").orElse("identity").strip().toLowerCase(Locale.ROOT);
  }

  /** A message, and how it is packed. */
  record Begun(String coding, GrpcMessage message) {}

  /**
   * Reads the head of the message.
   *
   * @throws HttpError 400 if it is not as it must be, 413 if it is too long
   */
  static Begun begin(Request request, long maxBytes) throws IOException {
    byte[] head = request.body().readNBytes(HEAD_BYTES);
    if (head.length < HEAD_BYTES) {
      throw bad("%d bytes before the message".formatted(HEAD_BYTES), head.length + " bytes");
    }
    long length = ByteBuffer.wrap(head).getInt(1) & 0xffff_ffffL;
    if (length > maxBytes) {
      throw new HttpError(
          413, "gRPC message: expected at most %d bytes, found %d".formatted(maxBytes, length));
    }
    if (head[0] < 0 || head[0] > 1) {
      throw bad("the flag 0 or 1", Integer.toString(head[0]));
    }
    String coding = head[0] == 0 ? "identity" : coding(request);
    return new Begun(coding, new GrpcMessage(request.body(), length));
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] into, int at, int size) throws IOException {
    if (left == 0) {
      return -1;
    }
    int count = body.read(into, at, (int) Math.min(size, left));
    if (count < 0) {
      throw bad("a message of %d bytes".formatted(length), length - left + " bytes");
    }
    left -= count;
    return count;
  }

  /**
   * Looks whether the body ends where the message does.
   *
   * @throws HttpError 400 if it does not
   */
  void end() throws IOException {
    if (left > 0) {
      throw bad("the end of the packed message", left + " more bytes");
    }
    if (body.read() >= 0) {
      throw bad("one message", "more after it");
    }
  }

  private static HttpError bad(String expected, String found) {
    return new HttpError(400, "gRPC: expected %s, found %s".formatted(expected, found));
  }
}
