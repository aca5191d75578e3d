package io.cordwood.ingest.push;

import com.github.luben.zstd.ZstdIOException;
import io.cordwood.common.http.server.HttpError;
import io.cordwood.common.http.server.Request;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import java.util.function.BooleanSupplier;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * A request's body, unpacked, counted and paced while it is read; a read throws {@link HttpError}:
 * 400 if the body is not packed as it says, 413 if it is too long. For the request's thread.
 */
final class PushedBody extends InputStream {
  private final String coding;
  private final long maxBytes;
  private final InputStream bytes;
  private final PushSession session;
  private final BooleanSupplier gone;
  private @Nullable GrpcMessage message;
  private long read;

  private PushedBody(
      String coding, InputStream bytes, long maxBytes, PushSession session, BooleanSupplier gone) {
    this.coding = coding;
    this.bytes = bytes;
    this.maxBytes = maxBytes;
    this.session = session;
    this.gone = gone;
  }

  /**
   * The body of a request.
   *
   * @param maxBytes of it, unpacked
   * @param gone whether its client has left
   * @throws HttpError 415 if it is packed in a way that is not known, 413 if it is too long
   */
  static PushedBody of(Request request, long maxBytes, PushSession session, BooleanSupplier gone)
      throws IOException {
    if (request.contentLength() > maxBytes) {
      throw tooLong(maxBytes);
    }
    if (GrpcMessage.isIn(request)) {
      return ofGrpc(request, maxBytes, session, gone);
    }
    String coding = coding(request);
    try {
      return new PushedBody(
          coding, ContentCodings.unpacked(coding, request.body()), maxBytes, session, gone);
    } catch (ZipException | EOFException e) {
      throw damaged(coding, e);
    }
  }

  /** A body of protocol buffers may say that it is Snappy, whose blocks its reader unpacks. */
  private static String coding(Request request) {
    String coding =
        request.header("content-encoding").orElse("identity").strip().toLowerCase(Locale.ROOT);
    boolean isBlock =
        coding.equals("snappy") && request.header("content-type").orElse("").contains("protobuf");
    return isBlock ? "identity" : coding;
  }

  private static PushedBody ofGrpc(
      Request request, long maxBytes, PushSession session, BooleanSupplier gone)
      throws IOException {
    GrpcMessage.Begun begun = GrpcMessage.begin(request, maxBytes);
    String coding = begun.coding();
    try {
      InputStream bytes = ContentCodings.unpacked(coding, begun.message());
      var body = new PushedBody(coding, bytes, maxBytes, session, gone);
      body.message = begun.message();
      return body;
    } catch (ZipException | EOFException e) {
      throw damaged(coding, e);
    }
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] into, int at, int length) throws IOException {
    try {
      int count = bytes.read(into, at, length);
      if (count > 0) {
        read += count;
        if (read > maxBytes) {
          throw tooLong(maxBytes);
        }
        session.read(count, gone);
      } else if (count < 0 && message != null) {
        message.end();
      }
      return count;
    } catch (ZipException | EOFException | ZstdIOException e) {
      throw damaged(coding, e);
    }
  }

  private static HttpError tooLong(long maxBytes) {
    return new HttpError(
        413, "body: expected at most " + maxBytes + " bytes, unpacked, found more");
  }

  private static HttpError damaged(String coding, Exception cause) {
    return new HttpError(
        400,
        "body: expected %s, as content-encoding says, found something else: %s"
            .formatted(coding, cause.getMessage()));
  }

  @Override
  public void close() throws IOException {
    bytes.close();
  }
}
