package io.cordwood.ingest.push;

import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import io.cordwood.common.http.server.HttpError;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;

/** How senders pack what they send, by the names that HTTP has for it. */
public final class ContentCodings {
  private static final int BUFFER_BYTES = 16 << 10;

  /** 8 MiB: what a decoder must be able to hold (RFC 8878, 3.1.1.1.2). */
  private static final int MAX_ZSTD_WINDOW_LOG = 23;

  private static final int ZLIB_METHOD = 8;

  private ContentCodings() {}

  /**
   * The bytes that others are packed from.
   *
   * @param coding in small letters
   * @throws HttpError 415 if it is not known
   * @throws IOException if what is packed does not begin as it should
   */
  public static InputStream unpacked(String coding, InputStream body) throws IOException {
    return switch (coding) {
      case "identity", "" -> body;
      case "gzip", "x-gzip" -> new GZIPInputStream(body, BUFFER_BYTES);
      case "deflate" -> inflated(body);
      case "gzip,deflate", "gzip, deflate" -> gzipOrInflated(body);
      case "zstd" -> new ZstdInputStreamNoFinalizer(body).setLongMax(MAX_ZSTD_WINDOW_LOG);
      default ->
          throw new HttpError(
              415,
              "content-encoding: expected gzip, zstd, deflate or none, found \"" + coding + "\"");
    };
  }

  /** Python's clients for GELF name both, and pack with one: pygelf and graypy. */
  private static InputStream gzipOrInflated(InputStream body) throws IOException {
    var start = new PushbackInputStream(body, 1);
    return first(start) == (GZIPInputStream.GZIP_MAGIC & 0xff)
        ? new GZIPInputStream(start, BUFFER_BYTES)
        : inflated(start);
  }

  /** With zlib's head, as RFC 9110 has it, or without, as many send it. */
  private static InputStream inflated(InputStream body) throws IOException {
    var start = new PushbackInputStream(body, 1);
    boolean isZlib = (first(start) & 0x0f) == ZLIB_METHOD;
    return new InflaterInputStream(start, new Inflater(!isZlib), BUFFER_BYTES) {
      @Override
      public void close() throws IOException {
        inf.end();
        super.close();
      }
    };
  }

  /** The next byte, which stays the next one; -1 at the end. */
  private static int first(PushbackInputStream body) throws IOException {
    int first = body.read();
    if (first >= 0) {
      body.unread(first);
    }
    return first;
  }
}
