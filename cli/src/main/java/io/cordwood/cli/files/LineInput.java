package io.cordwood.cli.files;

import com.github.luben.zstd.ZstdInputStream;
import io.cordwood.cli.encoding.TextEncoding;
import io.cordwood.cli.segment.SegmentReader;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A stream of lines in UTF-8, whatever it comes in, told by its first bytes: gzip and zstd are
 * unpacked, UTF-16 is written anew, and the mark of UTF-8 is left out. UTF-16 without a mark is
 * told by ASCII at its beginning.
 */
final class LineInput {
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
    if (delimiter != 0
        && head.length < TextEncoding.MOST_HEAD_BYTES
        && encoding(head).isGuessed()) {
      in.mark(TextEncoding.MOST_HEAD_BYTES);
      head = in.readNBytes(TextEncoding.MOST_HEAD_BYTES);
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
    return isText || encoding(head).utf16().isPresent();
  }

  /**
   * At least the first {@link TextEncoding#HEAD_BYTES}, and more of those that are there already.
   */
  private static byte[] head(BufferedInputStream in) throws IOException {
    in.mark(Packing.HEAD_BYTES);
    byte[] head = in.readNBytes(TextEncoding.HEAD_BYTES);
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

  private static TextEncoding encoding(byte[] head) {
    return TextEncoding.of(head, head.length);
  }

  private static InputStream decoded(byte[] head, InputStream in, byte delimiter)
      throws IOException {
    TextEncoding encoding = encoding(head);
    if (delimiter == 0 && encoding.isGuessed()) {
      return in;
    }
    in.skipNBytes(encoding.markBytes());
    return encoding.utf8(in);
  }
}
