package io.cordwood.common.tls;

/** The first bytes of a TLS connection, which come to a port of plain text only by mistake. */
public final class TlsHello {
  /** The number of bytes that tell for sure. */
  public static final int BYTES = 6;

  private static final byte HANDSHAKE = 0x16;
  private static final byte MAJOR_VERSION = 3;
  private static final byte CLIENT_HELLO = 1;

  private TlsHello() {}

  /** Whether a connection that begins with these bytes may be one of TLS. */
  public static boolean mayBe(byte[] start) {
    return (start.length < 1 || start[0] == HANDSHAKE)
        && (start.length < 2 || start[1] == MAJOR_VERSION)
        && (start.length < BYTES || start[BYTES - 1] == CLIENT_HELLO);
  }

  /** Whether one that begins with this byte cannot be. */
  static boolean isPlain(int first) {
    return first != HANDSHAKE;
  }
}
