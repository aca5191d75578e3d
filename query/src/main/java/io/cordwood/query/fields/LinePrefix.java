package io.cordwood.query.fields;

/**
 * The text that programs which collect lines write before each of them:
 *
 * <pre>
 *   web-1  | x                        Compose, and {@code docker service logs}
 *   2026-11-26T10:00:00Z stdout F x   containerd and CRI-O
 *   [pod/web-0/app] x                 {@code kubectl logs --prefix}
 * </pre>
 */
final class LinePrefix {
  private static final int MAX_BYTES = 128;
  private static final byte ESCAPE = 0x1b;

  private LinePrefix() {}

  /** The index at which the line itself begins; from if nothing stands before it. */
  static int behind(byte[] bytes, int from, int to) {
    if (from == to) {
      return from;
    }
    int end = Math.min(to, from + MAX_BYTES);
    byte first = bytes[from];
    if (Letters.isDigit(first)) {
      return behindStream(bytes, from, end);
    } else if (first == '[') {
      return behindPod(bytes, from, end);
    }
    int name = behindColours(bytes, from, end);
    return name < end && isOfName(bytes[name]) ? behindBar(bytes, from, name, end) : from;
  }

  private static int behindBar(byte[] bytes, int from, int name, int end) {
    int at = name;
    while (at < end && isOfName(bytes[at])) {
      at++;
    }
    int bar = at;
    while (bar < end && bytes[bar] == ' ') {
      bar++;
    }
    boolean isOne = bar > at && bar + 1 < end && bytes[bar] == '|' && bytes[bar + 1] == ' ';
    return isOne && Level.ofWord(bytes, name, at) == Level.NONE
        ? behindColours(bytes, bar + 2, end)
        : from;
  }

  private static int behindStream(byte[] bytes, int from, int end) {
    int space = Swar.space(bytes, from, end);
    boolean isOne =
        LevelForms.has(bytes, space, end, " stdout ")
            || LevelForms.has(bytes, space, end, " stderr ");
    int tag = space + " stdout ".length();
    return isOne && tag + 1 < end && bytes[tag + 1] == ' ' ? tag + 2 : from;
  }

  private static int behindPod(byte[] bytes, int from, int end) {
    if (!LevelForms.has(bytes, from, end, "[pod/")) {
      return from;
    }
    int at = from;
    while (at < end && bytes[at] != ']') {
      at++;
    }
    return LevelForms.has(bytes, at, end, "] ") ? at + 2 : from;
  }

  private static int behindColours(byte[] bytes, int from, int end) {
    int at = from;
    while (at < end && bytes[at] == ESCAPE) {
      int next = Letters.behindColour(bytes, at, end);
      if (next == at + 1) {
        return at;
      }
      at = next;
    }
    return at;
  }

  private static boolean isOfName(byte b) {
    return Letters.isOfWord(b) || b == '-' || b == '.' || b == '@';
  }
}
