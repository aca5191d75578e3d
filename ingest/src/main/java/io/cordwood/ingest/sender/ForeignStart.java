package io.cordwood.ingest.sender;

import io.cordwood.common.tls.TlsHello;
import io.cordwood.common.wire.ForeignBytes;
import io.cordwood.common.wire.ForeignBytesException;
import io.cordwood.ingest.RefusedException;
import io.cordwood.ingest.RejectReason;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Recognizes what comes to a port for plain lines only by mistake, and would be stored as records.
 * What begins like it and goes on in another way is data.
 */
public final class ForeignStart {
  /** More is not looked at. */
  public static final int MAX_BYTES = ForeignBytes.MAX_BYTES;

  private static final byte[] PREAMBLE = "CORDWOOD/1".getBytes(StandardCharsets.US_ASCII);

  private ForeignStart() {}

  /** Those of some bytes that are looked at. */
  public static byte[] of(byte[] bytes, int from, int to) {
    return Arrays.copyOfRange(bytes, from, Math.min(to, from + MAX_BYTES));
  }

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
        && is(ForeignBytes::areNoRequest, start, ended)
        && isPlain(start, ended);
  }

  /** As {@link #isData}, of messages that may have their lengths in front. */
  public static boolean isMessages(byte[] start, boolean ended) throws RefusedException {
    return isNoPreamble(start, ended)
        && isNoTls(start, ended)
        && is(ForeignBytes::areNoRequest, start, ended)
        && is(ForeignBytes::areUnpacked, start, ended);
  }

  /** As {@link #isData}, of what was sent in a request of HTTP. */
  public static boolean isPlain(byte[] start, boolean ended) throws RefusedException {
    return is(ForeignBytes::areUncounted, start, ended) && isText(start, ended);
  }

  /** As {@link #isData}, of what comes after a preamble, which says that it is lines. */
  public static boolean isText(byte[] start, boolean ended) throws RefusedException {
    return is(ForeignBytes::areUnpacked, start, ended) && Utf16Start.isOther(start, ended);
  }

  /**
   * As {@link #isData}, of what is no text: Cordwood's own senders would wait there for
   * acknowledgements that nobody sends.
   */
  public static boolean isNoPreamble(byte[] start, boolean ended) throws RefusedException {
    int same = Arrays.mismatch(start, PREAMBLE);
    if (same < 0 || same == PREAMBLE.length) {
      throw new RefusedException(
          RejectReason.BAD_PREAMBLE,
          "expected messages of another protocol, found a preamble, which is for the fast, durable"
              + " or bulk port");
    }
    return ended || same < start.length;
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

  private static boolean is(ForeignBytes.Check check, byte[] start, boolean ended)
      throws RefusedException {
    try {
      return check.areLines(start, ended);
    } catch (ForeignBytesException e) {
      RejectReason reason =
          switch (e.kind()) {
            case TLS -> RejectReason.TLS;
            case HTTP -> RejectReason.HTTP;
            case PACKED -> RejectReason.PACKED;
            case PICKLED -> RejectReason.PICKLED;
            case OCTET_COUNTED -> RejectReason.OCTET_COUNTED;
          };
      throw new RefusedException(reason, String.valueOf(e.getMessage()));
    }
  }
}
