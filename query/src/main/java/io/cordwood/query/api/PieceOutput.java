package io.cordwood.query.api;

import io.cordwood.query.http.JsonLines;
import io.cordwood.query.result.SearchProgress;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * An answer in pieces, between which it can be said how far the search has come. Each begins with a
 * line in JSON:
 *
 * <pre>
 *   {"bytes":N} LF        and N bytes of the answer as it would be in one
 *   {"progress":{…}} LF   nothing of it
 * </pre>
 *
 * Pieces end where lines do, so an answer of JSON objects, one a line, remains that. Holds a piece,
 * and the longest line. For one thread.
 */
final class PieceOutput extends OutputStream {
  /** The media type of the whole. */
  static final String TYPE = "application/x-cordwood-pieces";

  private static final int PIECE_BYTES = 32 << 10;
  private static final byte LF = '\n';

  private final OutputStream out;
  private byte[] buffer = new byte[1 << 10];
  private int filled;

  PieceOutput(OutputStream out) {
    this.out = out;
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    boolean whole = length >= PIECE_BYTES && bytes[offset + length - 1] == LF;
    if (whole) {
      begin(filled + length);
      out.write(buffer, 0, filled);
      out.write(bytes, offset, length);
      filled = 0;
    } else {
      hold(bytes, offset, length);
      if (filled >= PIECE_BYTES) {
        give(lastLineEnd());
      }
    }
  }

  private void hold(byte[] bytes, int offset, int length) {
    if (filled + length > buffer.length) {
      buffer = Arrays.copyOf(buffer, Math.max(filled + length, 2 * buffer.length));
    }
    System.arraycopy(bytes, offset, buffer, filled, length);
    filled += length;
  }

  private int lastLineEnd() {
    int end = filled;
    while (end > 0 && buffer[end - 1] != LF) {
      end--;
    }
    return end;
  }

  private void give(int length) throws IOException {
    if (length > 0) {
      begin(length);
      out.write(buffer, 0, length);
      filled -= length;
      System.arraycopy(buffer, length, buffer, 0, filled);
    }
  }

  private void begin(int length) throws IOException {
    out.write(("{\"bytes\":" + length + "}\n").getBytes(StandardCharsets.US_ASCII));
  }

  /** To be called where a line ends: ends the piece, and sends all. */
  @Override
  public void flush() throws IOException {
    give(filled);
    out.flush();
  }

  /**
   * The same, and says how far the search has come.
   *
   * @param nodes that were asked
   * @param matches that were found
   */
  void progress(SearchProgress progress, int nodes, long matches) throws IOException {
    give(filled);
    JsonLines.write(
        out,
        json -> {
          json.writeObjectPropertyStart("progress");
          json.writeNumberProperty("nodes", nodes);
          json.writeNumberProperty("blocks", progress.blocks());
          json.writeNumberProperty("blocks_done", progress.blocksDone());
          json.writeNumberProperty("bytes", progress.bytes());
          json.writeNumberProperty("bytes_done", progress.bytesDone());
          json.writeNumberProperty("matches", matches);
          json.writeEndObject();
        });
    out.flush();
  }
}
