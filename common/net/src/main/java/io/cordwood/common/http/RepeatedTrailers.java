package io.cordwood.common.http;

import io.netty.handler.codec.http.HttpHeaders;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;

/**
 * The body of an answer whose trailers are repeated at its end, since many a proxy drops trailers.
 * A client asks for that by a mark that nobody can guess; so no record can be taken for it.
 *
 * <pre>
 *   cordwood-trailers: 0123456789abcdef                        a header of the request
 *   #0123456789abcdef cordwood-verdict=complete&amp;cordwood-…  the answer's end
 * </pre>
 *
 * Readers get the body without it, and as soon as it is here. One thread.
 */
public final class RepeatedTrailers extends BlockInput {
  /** The request's header, with the mark. */
  public static final String HEADER = "cordwood-trailers";

  private static final Pattern MARK = Pattern.compile("[0-9a-f]{16}");
  private static final byte LF = '\n';

  /** The longest of such lines; names and reasons of nodes are bounded. */
  private static final int MAX_LINE_BYTES = 64 << 10;

  private final InputStream in;
  private final byte[] begin;
  private final Map<String, String> fields;
  private final byte[] buffer = new byte[2 * MAX_LINE_BYTES];
  private int from;
  private int to;
  private int end;

  /**
   * @param mark that was asked for
   * @param fields of the answer, which get those that are missing once the body is read to its end
   */
  public RepeatedTrailers(InputStream in, String mark, Map<String, String> fields) {
    this.in = in;
    this.begin = ('#' + mark + ' ').getBytes(StandardCharsets.US_ASCII);
    this.fields = fields;
  }

  /** One that nobody can guess. */
  public static String newMark() {
    return HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
  }

  /** The line that a request asks for; empty if it asks for none. */
  public static Optional<byte[]> line(HttpHeaders request, HttpHeaders trailers) {
    String mark = request.get(HEADER, "");
    if (!MARK.matcher(mark).matches()) {
      return Optional.empty();
    }
    var line = new StringBuilder("#").append(mark).append(' ');
    for (Map.Entry<String, String> each : trailers) {
      String value = URLEncoder.encode(each.getValue(), StandardCharsets.UTF_8);
      line.append(each.getKey()).append('=').append(value).append('&');
    }
    return Optional.of(line.append('\n').toString().getBytes(StandardCharsets.US_ASCII));
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    while (from == to) {
      if (!fill()) {
        return -1;
      }
    }
    int count = Math.min(length, to - from);
    System.arraycopy(buffer, from, bytes, offset, count);
    from += count;
    return count;
  }

  /** The number of bytes that can be read without waiting for more. */
  @Override
  public int available() throws IOException {
    return from < to ? to - from : in.available();
  }

  private boolean fill() throws IOException {
    System.arraycopy(buffer, to, buffer, 0, end - to);
    end -= to;
    from = 0;
    to = 0;
    int count = in.read(buffer, end, buffer.length - end);
    if (count < 0) {
      to = end > begin.length && isLine(0) ? 0 : end;
      takeFields(end - to);
      end = to;
      return to > 0;
    }
    end += count;
    to = Math.max(lineToHold(), end - MAX_LINE_BYTES);
    return true;
  }

  /** The place of the mark in the last line, as far as it is here; else the end. */
  private int lineToHold() {
    int start = end > 0 && buffer[end - 1] == LF ? end - 1 : end;
    while (start > 0 && buffer[start - 1] != LF) {
      start--;
    }
    while (start < end && !isLine(start)) {
      start++;
    }
    return start;
  }

  /** Whether it begins like one, as far as it is here. */
  private boolean isLine(int start) {
    boolean isLine = true;
    for (int i = 0; isLine && i < Math.min(begin.length, end - start); i++) {
      isLine = buffer[start + i] == begin[i];
    }
    return isLine;
  }

  private void takeFields(int length) {
    int start = Math.min(begin.length, length);
    String line = new String(buffer, start, length - start, StandardCharsets.US_ASCII);
    for (String field : line.strip().split("&", -1)) {
      int equals = field.indexOf('=');
      if (equals > 0) {
        String value = URLDecoder.decode(field.substring(equals + 1), StandardCharsets.UTF_8);
        fields.putIfAbsent(field.substring(0, equals), value);
      }
    }
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
