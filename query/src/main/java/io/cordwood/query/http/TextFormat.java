package io.cordwood.query.http;

import io.cordwood.query.result.BlockHits;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Each record as it was received, ended by LF; if asked for, its ULID and a space before each of
 * its lines, so that lines with the same ULID are one record. With context, {@code --} on a line of
 * its own stands between groups, and {@code -} instead of the space in records of context.
 *
 * @param hasVerdict whether the last line says how complete the answer is
 */
public record TextFormat(boolean needsUlids, boolean hasVerdict) implements RecordFormat {
  /** The media type. */
  static final String TYPE = "text/plain; charset=utf-8";

  private static final int LF = '\n';
  private static final byte[] SEPARATOR = {'-', '-', LF};

  /** Nothing but records. */
  public TextFormat(boolean needsUlids) {
    this(needsUlids, false);
  }

  @Override
  public void end(AnswerEnd end, OutputStream out) throws IOException {
    if (hasVerdict) {
      JsonLines.writeVerdictToText(end.verdict(), end.matches(), out);
    }
  }

  @Override
  public String contentType() {
    return TYPE;
  }

  @Override
  public void write(BlockHits hits, BlockHits.Group group, OutputStream out) throws IOException {
    write(hits, group, ' ', out);
  }

  @Override
  public void writeContext(BlockHits hits, BlockHits.Group group, OutputStream out)
      throws IOException {
    write(hits, group, '-', out);
  }

  @Override
  public void beginGroup(int number, OutputStream out) throws IOException {
    if (number > 1) {
      out.write(SEPARATOR);
    }
  }

  private void write(BlockHits hits, BlockHits.Group group, char behindUlid, OutputStream out)
      throws IOException {
    if (!needsUlids) {
      hits.write(group.from(), group.to(), out);
      return;
    }
    for (int hit = group.from(); hit < group.to(); hit++) {
      byte[] ulid =
          (hits.ulid(group, hit).toString() + behindUlid).getBytes(StandardCharsets.US_ASCII);
      writeLines(ulid, hits.record(hit), out);
    }
  }

  private static void writeLines(byte[] ulid, ByteBuffer record, OutputStream out)
      throws IOException {
    byte[] bytes = record.array();
    int end = record.arrayOffset() + record.limit();
    int from = record.arrayOffset() + record.position();
    for (int at = from; at < end; at++) {
      if (bytes[at] == LF) {
        out.write(ulid);
        out.write(bytes, from, at + 1 - from);
        from = at + 1;
      }
    }
    out.write(ulid);
    out.write(bytes, from, end - from);
    out.write(LF);
  }
}
