package io.cordwood.ingest.sender;

import io.cordwood.common.segment.Topic;
import io.cordwood.ingest.RefusedException;
import io.cordwood.ingest.RejectReason;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * The first line of a connection that says how the lines after it are to be taken.
 *
 * <pre>
 *   preamble = "CORDWOOD/" version *( 1*SP word ) *SP [CR] LF   256 bytes at most
 *   version  = 1*3 digits                                        only 1 is known
 *   word     = "topic=" name / "token=" text / "hints=1" / "clock=1" / "times=kept"
 * </pre>
 *
 * A first line is a preamble if a space, CR or the line's end follows the version; then it is never
 * data, whatever else is wrong with it. Any other first line is data. The topic is named at most
 * once; a preamble without one leaves the node's default. After a preamble all is lines, also what
 * would be a preamble or a batch at the start; but after one with another word than a topic, and
 * without one, batches are batches, since they have topics of their own. What is said of a bad one
 * never shows its token.
 *
 * @param bytes of the line, with its LF
 * @param topic empty for the node's default
 * @param token empty if none is shown
 * @param hints whether the sender wants to be told of the cluster's nodes: see {@link HintLines}
 * @param clock whether the sender wants to be told this node's time, before it stamps anything
 * @param keepsTimes whether batches keep their ULIDs however long ago their time is; so do those of
 *     a sender that is told the time
 */
public record Preamble(
    int bytes,
    Optional<Topic> topic,
    Optional<String> token,
    boolean hints,
    boolean clock,
    boolean keepsTimes)
    implements Opening {
  /** The most that one can have, with its LF. */
  public static final int MAX_BYTES = 256;

  private static final String START = "CORDWOOD/";
  private static final int MAX_DIGITS = 3;
  private static final String VERSION = "1";
  private static final String TOPIC = "topic=";
  private static final String TOKEN = "token=";
  private static final String HINTS = "hints=1";
  private static final String CLOCK = "clock=1";
  private static final String TIMES_KEPT = "times=kept";

  /**
   * Looks at the first bytes of a connection.
   *
   * @param ended whether nothing more will come
   * @throws RefusedException if they are a preamble, and a bad one
   */
  static Opening look(ReceivedBytes received, boolean ended) throws RefusedException {
    int bytes = Math.min(received.size(), MAX_BYTES);
    return look(received.copy(0, bytes).array(), ended);
  }

  /** Looks at the first bytes in an array: {@link #MAX_BYTES} if there are that many. */
  public static Opening look(byte[] start, boolean ended) throws RefusedException {
    int bytes = start.length;
    String text = new String(start, StandardCharsets.ISO_8859_1);
    if (!text.startsWith(START)) {
      return START.startsWith(text) && !ended ? Unfinished.OPENING : Data.OPENING;
    }
    int versionEnd = START.length();
    while (versionEnd < bytes && Character.digit(text.charAt(versionEnd), 10) >= 0) {
      versionEnd++;
    }
    int digits = versionEnd - START.length();
    if (digits > MAX_DIGITS
        || (versionEnd < bytes && !isPreamble(digits, text.charAt(versionEnd)))) {
      return Data.OPENING;
    }
    if (versionEnd == bytes && digits == 0 && ended) {
      return Data.OPENING;
    }
    return parse(text, ended);
  }

  private static boolean isPreamble(int digits, char behind) {
    return digits > 0 && (behind == ' ' || behind == '\r' || behind == '\n');
  }

  private static Opening parse(String text, boolean ended) throws RefusedException {
    int lf = text.indexOf('\n');
    if (lf >= 0) {
      String line = text.substring(0, lf);
      return parse(line.endsWith("\r") ? line.substring(0, lf - 1) : line, lf + 1);
    }
    if (ended) {
      throw refusal("the preamble's line feed", "the connection's end");
    }
    if (text.length() == MAX_BYTES) {
      throw refusal("a preamble of at most " + MAX_BYTES + " bytes", "no line feed in them");
    }
    return Unfinished.OPENING;
  }

  private static Preamble parse(String line, int bytes) throws RefusedException {
    String[] words = line.stripTrailing().split(" +", -1);
    if (!words[0].equals(START + VERSION)) {
      throw refusal(START + VERSION, words[0]);
    }
    Optional<Topic> topic = Optional.empty();
    Optional<String> token = Optional.empty();
    boolean hints = false;
    boolean clock = false;
    boolean kept = false;
    for (String word : List.of(words).subList(1, words.length)) {
      if (word.startsWith(TOKEN)) {
        refuseSecond(token.isPresent(), "token");
        token = Optional.of(word.substring(TOKEN.length()));
      } else if (word.equals(TIMES_KEPT)) {
        refuseSecond(kept, TIMES_KEPT);
        kept = true;
      } else if (word.equals(HINTS)) {
        hints = true;
      } else if (word.equals(CLOCK)) {
        clock = true;
      } else if (word.startsWith(TOPIC)) {
        refuseSecond(topic.isPresent(), "topic");
        topic = Optional.of(topic(word.substring(TOPIC.length())));
      } else {
        throw refusal("topic=NAME", '"' + hidden(word) + '"');
      }
    }
    if (kept && topic.isPresent()) {
      throw refusal(TIMES_KEPT + " without a topic, for batches", "both");
    }
    return new Preamble(bytes, topic, token, hints, clock, kept || clock);
  }

  private static void refuseSecond(boolean second, String what) throws RefusedException {
    if (second) {
      throw refusal("one " + what, "two");
    }
  }

  /** A token at a wrong place stays one. */
  private static String hidden(String word) {
    return word.replaceAll("cw_.*", "cw_…");
  }

  /** Whether what follows it may be batches. */
  public boolean leavesForm() {
    return (token.isPresent() || hints || keepsTimes) && topic.isEmpty();
  }

  /** Without the token. */
  @Override
  public String toString() {
    return "preamble of " + bytes + " bytes, topic " + topic.map(Topic::name).orElse("-");
  }

  private static Topic topic(String name) throws RefusedException {
    try {
      return new Topic(name);
    } catch (IllegalArgumentException e) {
      throw new RefusedException(RejectReason.BAD_PREAMBLE, "in the preamble: " + e.getMessage());
    }
  }

  private static RefusedException refusal(String expected, String found) {
    return new RefusedException(
        RejectReason.BAD_PREAMBLE, "in the preamble: expected " + expected + ", found " + found);
  }
}
