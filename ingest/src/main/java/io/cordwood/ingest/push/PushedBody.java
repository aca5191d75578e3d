package io.cordwood.ingest.push;

import com.github.luben.zstd.ZstdIOException;
import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import io.cordwood.common.http.server.HttpError;
import io.cordwood.common.http.server.Request;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.util.Locale;
import java.util.zip.GZIPInputStream;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;
import java.util.zip.ZipException;

/** A request's body, unpacked while it comes. For the request's thread; to be closed. */
final class PushedBody implements AutoCloseable {
  private static final int BUFFER_BYTES = 16 << 10;

  /** 8 MiB: what a decoder must be able to hold (RFC 8878, 3.1.1.1.2). */
  private static final int MAX_ZSTD_WINDOW_LOG = 23;

  private static final int ZLIB_METHOD = 8;

  private final String coding;
  private final long maxBytes;
  private final InputStream bytes;
  private long read;

  private PushedBody(String coding, InputStream bytes, long maxBytes) {
    this.coding = coding;
    this.bytes = bytes;
    this.maxBytes = maxBytes;
  }

  /**
   * The body of a request.
   *
   * @param maxBytes of it, unpacked
   * @throws HttpError 415 if it is packed in a way that is not known, 413 if it is too long
   */
  static PushedBody of(Request request, long maxBytes) throws IOException {
    if (request.contentLength() > maxBytes) {
      throw tooLong(maxBytes);
    }
    String coding =
        request.header("content-encoding").orElse("identity").strip().toLowerCase(Locale.ROOT);
    try {
      return new PushedBody(coding, unpacked(coding, request.body()), maxBytes);
    } catch (ZipException | EOFException e) {
      throw damaged(coding, e);
    }
  }

  private static InputStream unpacked(String coding, InputStream body) throws IOException {
    return switch (coding) {
      case "identity", "" -> body;
      case "gzip", "x-gzip" -> new GZIPInputStream(body, BUFFER_BYTES);
      case "deflate" -> inflated(body);
      case "zstd" -> new ZstdInputStreamNoFinalizer(body).setLongMax(MAX_ZSTD_WINDOW_LOG);
      default ->
          throw new HttpError(
              415,
              "content-encoding: expected gzip, zstd, deflate or none, found \"" + coding + "\"");
    };
  }

  /** With zlib's head, as RFC 9110 has it, or without, as many send it. */
  private static InputStream inflated(InputStream body) throws IOException {
    var start = new PushbackInputStream(body, 1);
    int first = start.read();
    if (first >= 0) {
      start.unread(first);
    }
    boolean isZlib = (first & 0x0f) == ZLIB_METHOD;
    return new InflaterInputStream(start, new Inflater(!isZlib), BUFFER_BYTES) {
      @Override
      public void close() throws IOException {
        inf.end();
        super.close();
      }
    };
  }

  /** Reads until there are as many as wanted, or the body ends; returns how many there are. */
  int readFirst(byte[] into, int wanted) throws IOException {
    int have = 0;
    for (int count = 0; count >= 0 && have < wanted; have += Math.max(count, 0)) {
      count = read(into, have);
    }
    return have;
  }

  /**
   * Reads some bytes.
   *
   * @param at where they begin
   * @return how many; -1 at the end
   * @throws HttpError 400 if the body is not packed as it says, 413 if it is too long
   */
  int read(byte[] into, int at) throws IOException {
    try {
      int count = bytes.read(into, at, into.length - at);
      read += Math.max(count, 0);
      if (read > maxBytes) {
        throw tooLong(maxBytes);
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
