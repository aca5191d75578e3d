package io.cordwood.common.wire;

import java.nio.charset.StandardCharsets;

/** The first bytes of a connection that does not begin with a batch. */
public sealed interface Opening {
  /** Too few to tell. */
  enum Unfinished implements Opening {
    OPENING
  }

  /** Data, from the first byte on. */
  enum Data implements Opening {
    OPENING
  }

  /**
   * A preamble.
   *
   * @param bytes of its line, with the LF
   */
  record Begun(Preamble preamble, int bytes) implements Opening {}

  /**
   * Looks at the first bytes of a connection.
   *
   * @param start {@link Preamble#MAX_BYTES} if there are that many
   * @param ended whether nothing more will come
   * @throws BadPreambleException if they are a preamble, and a bad one
   */
  static Opening look(byte[] start, boolean ended) throws BadPreambleException {
    int bytes = start.length;
    String text = new String(start, StandardCharsets.ISO_8859_1);
    if (!text.startsWith(Preamble.START)) {
      return Preamble.START.startsWith(text) && !ended ? Unfinished.OPENING : Data.OPENING;
    }
    int versionEnd = Preamble.START.length();
    while (versionEnd < bytes && Character.digit(text.charAt(versionEnd), 10) >= 0) {
      versionEnd++;
    }
    int digits = versionEnd - Preamble.START.length();
    if (digits > Preamble.MAX_DIGITS
        || (versionEnd < bytes && !isPreamble(digits, text.charAt(versionEnd)))) {
      return Data.OPENING;
    }
    if (versionEnd == bytes && digits == 0 && ended) {
      return Data.OPENING;
    }
    return begun(text, ended);
  }

  private static boolean isPreamble(int digits, char next) {
    return digits > 0 && (next == ' ' || next == '\r' || next == '\n');
  }

  private static Opening begun(String text, boolean ended) throws BadPreambleException {
    int lf = text.indexOf('\n');
    if (lf >= 0) {
      String line = text.substring(0, lf);
      return new Begun(
          Preamble.parse(line.endsWith("\r") ? line.substring(0, lf - 1) : line), lf + 1);
    }
    if (ended) {
      throw Preamble.bad("the preamble's line feed", "the connection's end");
    }
    if (text.length() == Preamble.MAX_BYTES) {
      throw Preamble.bad(
          "a preamble of at most " + Preamble.MAX_BYTES + " bytes", "no line feed in them");
    }
    return Unfinished.OPENING;
  }
}
