package io.cordwood.common.wire;

import io.cordwood.common.wire.ForeignBytesException.Kind;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Recognizes what comes as lines only by mistake, and would be stored as records. What begins like
 * it and goes on in another way is data. Each method looks at the first bytes, which are {@link
 * #MAX_BYTES} if there are that many, and says whether they are data, which is not known yet if
 * not.
 */
public final class ForeignBytes {
  /** More is not looked at. */
  public static final int MAX_BYTES = HttpRequestLine.MAX_BYTES;

  private static final List<Packing> PACKINGS =
      List.of(
          Packing.of("gzip", 0x1f, 0x8b, 0x08),
          Packing.of("zlib", 0x78, 0x9c),
          Packing.of("zlib", 0x78, 0xda),
          Packing.of("zstd", 0x28, 0xb5, 0x2f, 0xfd),
          Packing.of("xz", 0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00),
          Packing.of("bzip2", 0x42, 0x5a, 0x68, 0x39, 0x31, 0x41, 0x59, 0x26, 0x53, 0x59),
          Packing.of("lz4", 0x04, 0x22, 0x4d, 0x18),
          Packing.of("compress", 0x1f, 0x9d, 0x90),
          Packing.of("zip", 0x50, 0x4b, 0x03, 0x04));

  private ForeignBytes() {}

  /** One of the methods that look at first bytes. */
  public interface Check {
    /**
     * Whether they are lines, which is not known yet if not.
     *
     * @param ended whether nothing more will come
     */
    boolean areLines(byte[] start, boolean ended) throws ForeignBytesException;
  }

  /** How something packed begins. */
  private record Packing(String word, byte[] magic) {
    static Packing of(String word, int... magic) {
      byte[] bytes = new byte[magic.length];
      for (int i = 0; i < magic.length; i++) {
        bytes[i] = (byte) magic[i];
      }
      return new Packing(word, bytes);
    }
  }

  /** How they are packed; empty if they are not, as far as there are any. */
  public static Optional<String> packing(byte[] start) {
    return PACKINGS.stream()
        .filter(each -> differs(start, each) == each.magic.length)
        .map(each -> each.word)
        .findFirst();
  }

  /** The first byte that differs from what is packed so; the length of its magic if none does. */
  private static int differs(byte[] start, Packing packing) {
    int differs = Arrays.mismatch(start, packing.magic);
    return differs < 0 ? packing.magic.length : differs;
  }

  /** Whether they are neither packed nor pickled. */
  public static boolean areUnpacked(byte[] start, boolean ended) throws ForeignBytesException {
    Optional<String> packing = packing(start);
    if (packing.isPresent()) {
      throw new ForeignBytesException(
          Kind.PACKED,
          packing.get()
              + ": have the sender pack nothing (compressionType=OFF of a GelfLayout), or unpack"
              + " it before");
    }
    return Pickles.isData(start, ended)
        && (ended || PACKINGS.stream().allMatch(each -> differs(start, each) < start.length));
  }

  /** Whether they are not syslog that has the length in front of each message. */
  public static boolean areUncounted(byte[] start, boolean ended) throws ForeignBytesException {
    return OctetCount.isData(text(start), ended);
  }

  /** Whether they are not an HTTP request. */
  public static boolean areNoRequest(byte[] start, boolean ended) throws ForeignBytesException {
    return HttpRequestLine.isData(text(start), ended);
  }

  private static String text(byte[] start) {
    return new String(start, StandardCharsets.ISO_8859_1);
  }
}
