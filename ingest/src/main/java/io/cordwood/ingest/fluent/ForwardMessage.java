package io.cordwood.ingest.fluent;

import io.cordwood.ingest.RefusedException;
import io.cordwood.ingest.RejectReason;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A message of Fluent Forward, taken apart.
 *
 * <pre>
 *   Message        [tag, time, record, option]
 *   Forward        [tag, [[time, record], …], option]
 *   PackedForward  [tag, "[time, record] …", option]      a string or binary, packed or not
 * </pre>
 *
 * The option may be left out, or nil.
 *
 * @param entries at the time of the only one, at the array, or at the first of those that are
 *     packed
 * @param compressed how those are packed: text for not at all
 * @param chunk the value that the acknowledgement has to repeat, as it came; null if none is asked
 */
record ForwardMessage(
    String tag, Mode mode, Packed entries, String compressed, byte @Nullable [] chunk) {
  private static final byte[] NO_OPTION = {(byte) 0x80};

  /** How its events stand in it. */
  enum Mode {
    MESSAGE,
    FORWARD,
    PACKED
  }

  /**
   * Reads one.
   *
   * @param in at the message
   * @throws RefusedException if it is none
   */
  static ForwardMessage of(Packed in) throws RefusedException {
    Packed.Kind kind = in.next();
    int length = in.length();
    if (kind != Packed.Kind.ARRAY || length < 2 || length > 4) {
      throw malformed("an array of 2 to 4 values", kind);
    }
    kind = in.next();
    if (!kind.isText()) {
      throw malformed("a tag", kind);
    }
    String tag = in.text();
    Packed entries = in.copy();
    kind = in.copy().next();
    in.skip();
    Mode mode =
        kind == Packed.Kind.ARRAY && !isMessage(entries, length)
            ? Mode.FORWARD
            : kind.isText() ? Mode.PACKED : Mode.MESSAGE;
    int before = mode == Mode.MESSAGE ? 3 : 2;
    if (length < before || length > before + 1) {
      throw malformed(
          "an array of %d or %d values".formatted(before, before + 1), "one of " + length);
    }
    if (mode == Mode.MESSAGE) {
      in.skip();
    }
    if (mode == Mode.PACKED) {
      var _ = entries.next();
      entries = new Packed().over(entries.array(), entries.from(), entries.to());
    }
    Packed option = length > before ? in : new Packed().over(NO_OPTION, 0, NO_OPTION.length);
    Packed.Kind found = option.copy().next();
    if (found != Packed.Kind.MAP && found != Packed.Kind.NIL) {
      throw malformed("a map as option", found);
    }
    return new ForwardMessage(tag, mode, entries, compressed(option), chunk(option));
  }

  /** Whether an array is a time with metadata, and not one of entries. */
  private static boolean isMessage(Packed at, int length) throws RefusedException {
    Packed in = at.copy();
    var _ = in.next();
    return length > 2 && in.length() == 2 && in.next() != Packed.Kind.ARRAY;
  }

  private static String compressed(Packed option) throws RefusedException {
    Packed signal = option.find("fluent_signal");
    if (signal != null && signal.next() == Packed.Kind.SIGNED && signal.number() != 0) {
      throw malformed("logs", "metrics or traces, fluent_signal " + signal.number());
    }
    Packed found = option.find("compressed");
    return found != null && found.next().isText() ? found.text() : "text";
  }

  private static byte @Nullable [] chunk(Packed option) throws RefusedException {
    Packed found = option.find("chunk");
    if (found == null || found.copy().next() == Packed.Kind.NIL) {
      return null;
    }
    int from = found.at();
    found.skip();
    return Arrays.copyOfRange(found.array(), from, found.at());
  }

  private static RefusedException malformed(String expected, Object found) {
    return new RefusedException(
        RejectReason.CORRUPT,
        "expected a message of Fluent Forward: " + expected + ", found " + found);
  }
}
