package io.cordwood.common.wire;

import java.util.stream.Stream;

/**
 * The lines of text that an ingest node answers a sender with:
 *
 * <pre>
 *   ack N            N records of this connection are safe, as the port promises; cumulative
 *   wait: WHY        in bulk mode, now and then: it goes on
 *   clock MILLIS     the node's time, once, for a sender that asks for it
 *   self, node, go   {@link Hint}s, for a sender that asks for them
 *   error: WHY       nothing more is taken; the connection ends
 * </pre>
 */
public final class AnswerLine {
  private static final String ACK = "ack ";
  private static final String WAIT = "wait: ";
  private static final String CLOCK = "clock ";
  private static final String ERROR = "error:";
  private static final int MAX_DIGITS = 18;

  private AnswerLine() {}

  /** The line, with its LF. */
  public static String ack(long records) {
    return ACK + records + "\n";
  }

  /** The line, with its LF. */
  public static String waiting(String why) {
    return WAIT + why + "\n";
  }

  /** The line, with its LF. */
  public static String clock(long millis) {
    return CLOCK + millis + "\n";
  }

  /** The line, with its LF; one line, whatever the reason holds. */
  public static String error(String why) {
    return ERROR + " " + why.replaceAll("\\p{Cntrl}", "?") + "\n";
  }

  public static boolean isError(String line) {
    return line.startsWith(ERROR);
  }

  public static boolean isWaiting(String line) {
    return line.startsWith(WAIT);
  }

  /** The records that a line acknowledges; -1 if it is another line. */
  public static long acknowledged(String line) {
    return number(ACK, line);
  }

  /** The time that a line gives; -1 if it is another line. */
  public static long millis(String line) {
    return number(CLOCK, line);
  }

  private static long number(String word, String line) {
    String digits = line.startsWith(word) ? line.substring(word.length()) : "";
    boolean isNumber =
        !digits.isEmpty()
            && digits.length() <= MAX_DIGITS
            && digits.chars().allMatch(c -> c >= '0' && c <= '9');
    return isNumber ? Long.parseLong(digits) : -1;
  }

  /** Whether a text may be the start of such a line, hints excepted. */
  public static boolean mayBegin(String text) {
    return Stream.of(ACK, CLOCK, ERROR, WAIT)
        .anyMatch(begin -> text.startsWith(begin) || begin.startsWith(text));
  }
}
