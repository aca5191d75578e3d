package io.cordwood.ingest.sender;

import io.cordwood.common.tls.TlsHello;
import io.cordwood.ingest.RefusedException;
import io.cordwood.ingest.RejectReason;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/**
 * Recognizes what comes to a port for plain lines only by mistake, and would be stored as records.
 * What begins like it and goes on in another way is data.
 */
public final class ForeignStart {
  /** More is not looked at. */
  public static final int MAX_BYTES = HttpRequestLine.MAX_BYTES;

  private static final List<Packing> PACKINGS =
      List.of(
          new Packing("gzip", "1f8b08"),
          new Packing("zlib", "789c"),
          new Packing("zlib", "78da"),
          new Packing("zstd", "28b52ffd"),
          new Packing("xz", "fd377a585a00"),
          new Packing("bzip2", "425a6839314159265359"));

  /** How something packed begins. */
  private record Packing(String name, byte[] magic) {
    Packing(String name, String hex) {
      this(name, HexFormat.of().parseHex(hex));
    }
  }

  private ForeignStart() {}

  /**
   * Looks at the first bytes of a connection.
   *
   * @param start {@link #MAX_BYTES} of them if there are that many
   * @param ended whether nothing more will come
   * @return whether they are data, which is not known yet if not
   * @throws RefusedException if they are not
   */
  public static boolean isData(byte[] start, boolean ended) throws RefusedException {
    return isNoTls(start, ended)
        && HttpRequestLine.isData(text(start), ended)
        && isPlain(start, ended);
  }

  /** As {@link #isData}, of what was sent in a request of HTTP. */
  public static boolean isPlain(byte[] start, boolean ended) throws RefusedException {
    return OctetCount.isData(text(start), ended) && isText(start, ended);
  }

  /** As {@link #isData}, of what comes after a preamble, which says that it is lines. */
  public static boolean isText(byte[] start, boolean ended) throws RefusedException {
    return isUnpacked(start, ended) && Utf16Start.isOther(start, ended);
  }

  private static String text(byte[] start) {
    return new String(start, StandardCharsets.ISO_8859_1);
  }

  private static boolean isNoTls(byte[] start, boolean ended) throws RefusedException {
    if (start.length == 0 || !TlsHello.mayBe(start)) {
      return true;
    }
    if (!ended && start.length >= TlsHello.BYTES) {
      throw new RefusedException(
          RejectReason.TLS,
          "expected lines or batches, found TLS: this port speaks plain text, as the node was"
              + " started without --tls-dir");
    }
    return ended;
  }

  private static boolean isUnpacked(byte[] start, boolean ended) throws RefusedException {
    boolean isSure = true;
    for (Packing packing : PACKINGS) {
      int differs = Arrays.mismatch(start, packing.magic);
      if (differs < 0 || differs == packing.magic.length) {
        throw new RefusedException(
            RejectReason.PACKED,
            "expected lines or batches, found "
                + packing.name
                + ": have the sender pack nothing (compressionType=OFF of a GelfLayout), or unpack"
                + " it before");
      }
      isSure &= ended || differs < start.length;
    }
    return isSure;
  }
}
