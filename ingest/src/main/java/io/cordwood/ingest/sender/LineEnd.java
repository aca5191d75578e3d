package io.cordwood.ingest.sender;

/** By what the lines of a connection end. */
public enum LineEnd {
  LF,
  /** A NUL, or LF and NUL, as layouts of Log4j write it, and GELF over TCP. */
  NUL,
  /** Neither has come. */
  UNKNOWN;

  private static final byte NUL_BYTE = 0;
  private static final byte LF_BYTE = '\n';

  /**
   * Looks at the first line. One that ends with a LF may hold NULs.
   *
   * @param start of a connection
   * @param isAll whether no more of it will be looked at
   */
  public static LineEnd of(byte[] start, boolean isAll) {
    int nul = indexOf(start, NUL_BYTE);
    int lf = indexOf(start, LF_BYTE);
    if (lf < start.length) {
      return nul < start.length && nul == lf + 1 ? NUL : LF;
    }
    boolean endsWithNul = nul < start.length && start[start.length - 1] == NUL_BYTE;
    if (endsWithNul || (isAll && nul < start.length)) {
      return NUL;
    }
    return isAll ? LF : UNKNOWN;
  }

  /** The length if it is not there. */
  private static int indexOf(byte[] bytes, byte value) {
    int at = 0;
    while (at < bytes.length && bytes[at] != value) {
      at++;
    }
    return at;
  }
}
