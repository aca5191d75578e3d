package io.cordwood.dist.files;

import com.github.luben.zstd.ZstdInputStream;
import io.cordwood.dist.segment.SegmentReader;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A stream of lines in UTF-8, whatever it comes in, told by its first bytes: gzip and zstd are
 * unpacked, UTF-16 is written anew, and the mark of UTF-8 is left out. UTF-16 without a mark is
 * told by ASCII at its beginning.
 */
final class LineInput {
  /** As many of the first bytes as are waited for. */
  private static final int HEAD_BYTES = 6;

  /** Enough to tell UTF-16 from binary data; not waited for unless the head looks like it. */
  private static final int UNMARKED_BYTES = 16;

  private static final String TEXT_CONTROLS = "\t\r\n\f\b\u000B\u001B";

  private LineInput() {}

  /**
   * Looks at the beginning of a stream that can be reset, and reads it as what it is.
   *
   * @param name for messages
   * @param delimiter of the lines; where it is NUL, bytes that look like UTF-16 are lines
   * @throws IOException if it is packed in a way that is not read here; the message says what does
   */
  static InputStream of(String name, BufferedInputStream in, byte delimiter) throws IOException {
    byte[] head = head(in);
    refuseSegment(name, head, "a stream");
    Packing packing = Packing.of(head);
    if (packing != null && packing.isRead()) {
      InputStream content = packing == Packing.GZIP ? new GzipInput(in) : new ZstdInputStream(in);
      return unpacked(name, packing, new UnpackedInput(name, content), delimiter);
    } else if (packing != null) {
      throw notRead(name, packing.toString(), packing);
    }
    checkName(name, head, delimiter);
    if (delimiter != 0 && head.length < UNMARKED_BYTES && isUnmarked(head)) {
      in.mark(UNMARKED_BYTES);
      head = in.readNBytes(UNMARKED_BYTES);
      in.reset();
    }
    return decoded(head, in, delimiter);
  }

  private static void refuseSegment(String name, byte[] head, String within) throws IOException {
    int magic = head.length < Integer.BYTES ? 0 : ByteBuffer.wrap(head).getInt();
    if (SegmentReader.Kind.of(magic) != SegmentReader.Kind.UNKNOWN) {
      throw new IOException(
          "%s: expected a segment as a file, found it in %s".formatted(name, within));
    }
  }

  private static IOException notRead(String name, String found, Packing unpacks) {
    return new IOException(
        "%s: expected lines, plain or packed by gzip or zstd, found %s; %s"
            .formatted(name, found, unpacks.search()));
  }

  /** A name that ends as a packed file's, and bytes that are neither text nor its beginning. */
  private static void checkName(String name, byte[] head, byte delimiter) throws IOException {
    Packing packing = Packing.named(name);
    if (packing == null || (head.length > 0 && isText(head, delimiter))) {
      return;
    } else if (!packing.hasBeginning() && head.length > 0) {
      throw notRead(name, packing.toString(), packing);
    }
    throw new IOException(
        "%s: expected %s or lines, found %s"
            .formatted(name, packing, head.length == 0 ? "an empty file" : "damage at its start"));
  }

  private static boolean isText(byte[] head, byte delimiter) {
    boolean isText = true;
    for (byte each : head) {
      isText &= each < 0 || each >= ' ' || each == delimiter || TEXT_CONTROLS.indexOf(each) >= 0;
    }
    return isText || isMarked(head) || isUnmarked(head);
  }

  /** At least the first {@value #HEAD_BYTES} bytes, and more of those that are there already. */
  private static byte[] head(BufferedInputStream in) throws IOException {
    in.mark(Packing.HEAD_BYTES);
    byte[] head = in.readNBytes(HEAD_BYTES);
    int more = Math.min(in.available(), Packing.HEAD_BYTES - head.length);
    if (more > 0) {
      head = Arrays.copyOf(head, head.length + more);
      int count = in.read(head, head.length - more, more);
      head = Arrays.copyOf(head, head.length - more + Math.max(0, count));
    }
    in.reset();
    return head;
  }

  /**
   * Looks at the bytes that are unpacked at once, and not at more: those that follow may be
   * damaged, and these are read nevertheless.
   */
  private static InputStream unpacked(
      String name, Packing outer, InputStream content, byte delimiter) throws IOException {
    byte[] head = new byte[Packing.HEAD_BYTES];
    head = Arrays.copyOf(head, Math.max(0, content.read(head)));
    var in = new SequenceInputStream(new ByteArrayInputStream(head), content);
    refuseSegment(name, head, outer.toString());
    Packing inner = Packing.of(head);
    if (inner != null) {
      throw notRead(name, inner + " within " + outer, inner == Packing.TAR ? inner : outer);
    }
    return decoded(head, in, delimiter);
  }

  private static InputStream decoded(byte[] head, InputStream in, byte delimiter)
      throws IOException {
    if (begins(head, 0xEF, 0xBB, 0xBF)) {
      in.skipNBytes(3);
    } else if (isMarked(head)) {
      Charset utf16 = StandardCharsets.UTF_16; // It takes the mark, and the order from it.
      return new RewrittenInput(in, utf16);
    } else if (delimiter != 0 && isUnmarked(head)) {
      return new RewrittenInput(
          in, head[0] == 0 ? StandardCharsets.UTF_16BE : StandardCharsets.UTF_16LE);
    }
    return in;
  }

  /** Whether each unit is a character of ASCII, all of one byte order; of three at least. */
  private static boolean isUnmarked(byte[] head) {
    int zero = head.length > 0 && head[0] == 0 ? 0 : 1;
    for (int i = 0; i + 1 < Math.min(head.length, UNMARKED_BYTES); i += 2) {
      byte low = head[i + 1 - zero];
      if (head[i + zero] != 0 || low <= 0 || (low < ' ' && "\t\r\n".indexOf(low) < 0)) {
        return false;
      }
    }
    return head.length >= HEAD_BYTES;
  }

  /** As UTF-16, which the mark of UTF-32 begins like. */
  private static boolean isMarked(byte[] head) {
    return begins(head, 0xFE, 0xFF)
        || (begins(head, 0xFF, 0xFE) && !begins(head, 0xFF, 0xFE, 0, 0));
  }

  private static boolean begins(byte[] head, int... magic) {
    boolean begins = head.length >= magic.length;
    for (int i = 0; begins && i < magic.length; i++) {
      begins = (head[i] & 0xFF) == magic[i];
    }
    return begins;
  }
}
