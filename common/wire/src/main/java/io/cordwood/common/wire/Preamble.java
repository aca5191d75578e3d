package io.cordwood.common.wire;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.TreeMap;

/**
 * The first line of a connection that says how what follows is to be taken, and what the sender
 * wants to know.
 *
 * <pre>
 *   preamble = "CORDWOOD/" version *( 1*SP word ) *SP [CR] LF   32,768 bytes at most
 *   version  = 1*3 digits                                        only 1 is known
 *   word     = "topic=" name / "token=" text / "hints=1" / "clock=1" / "labels=1"
 *            / "times=kept" / "label." name "=" value, of which all but visible ASCII, and "%", is
 *                             percent-encoded UTF-8
 * </pre>
 *
 * A first line is a preamble if a space, CR or the line's end follows the version; then it is never
 * data, whatever else is wrong with it. Any other first line is data. The topic is named at most
 * once; a preamble without one leaves the node's default. After a preamble all is lines, also what
 * would be a preamble or a batch at the start; but after one with another word than a topic, and
 * without one, batches are batches, since they have topics of their own.
 *
 * @param topic empty for the node's default
 * @param token empty if none is shown
 * @param hints whether the sender wants {@link Hint}s
 * @param clock whether the sender wants the node's time, before it stamps anything
 * @param labelled whether the sender may send batches with {@link Labels}
 * @param labels of all lines
 * @param timesKept whether batches keep their ULIDs however long ago their time is
 */
public record Preamble(
    Optional<String> topic,
    Optional<String> token,
    boolean hints,
    boolean clock,
    boolean labelled,
    Labels labels,
    boolean timesKept) {
  /** The most that one can have, with its LF: labels of 8 KiB, each byte of them encoded. */
  public static final int MAX_BYTES = 32 << 10;

  /** The word that asks for hints; a node that does not know it names it in its refusal. */
  public static final String HINTS = "hints=1";

  /** The word that asks for the node's time; a node that does not know it names it likewise. */
  public static final String CLOCK = "clock=1";

  /** The word that announces labels; a node that does not know it names it likewise. */
  public static final String LABELS = "labels=1";

  static final String START = "CORDWOOD/";
  static final int MAX_DIGITS = 3;
  private static final String VERSION = "1";
  private static final String TOPIC = "topic=";
  private static final String TOKEN = "token=";
  private static final String LABEL = "label.";
  private static final String TIMES_KEPT = "times=kept";

  /** The line, with its LF. */
  public String line() {
    StringJoiner words = new StringJoiner(" ", START + VERSION + " ", "\n");
    token.ifPresent(text -> words.add(TOKEN + text));
    topic.ifPresent(name -> words.add(TOPIC + name));
    labels.pairs().forEach((name, value) -> words.add(LABEL + name + "=" + encoded(value)));
    if (hints) {
      words.add(HINTS);
    }
    if (clock) {
      words.add(CLOCK);
    }
    if (labelled) {
      words.add(LABELS);
    }
    if (timesKept) {
      words.add(TIMES_KEPT);
    }
    return words.toString();
  }

  /** Whether it says anything. */
  public boolean isEmpty() {
    return topic.isEmpty()
        && token.isEmpty()
        && !hints
        && !clock
        && !labelled
        && labels.isEmpty()
        && !timesKept;
  }

  /**
   * Whether batches keep their ULIDs however long ago their time is; so do those of a sender that
   * is told the time.
   */
  public boolean keepsTimes() {
    return timesKept || clock;
  }

  /** Whether what follows it may be batches. */
  public boolean leavesForm() {
    return (token.isPresent() || hints || labelled || keepsTimes())
        && topic.isEmpty()
        && labels.isEmpty();
  }

  /** Reads its line, without the line feed. */
  static Preamble parse(String line) throws BadPreambleException {
    String[] words = line.stripTrailing().split(" +", -1);
    if (!words[0].equals(START + VERSION)) {
      throw bad(START + VERSION, words[0]);
    }
    Optional<String> topic = Optional.empty();
    Optional<String> token = Optional.empty();
    boolean hints = false;
    boolean clock = false;
    boolean labelled = false;
    Map<String, String> labels = new TreeMap<>();
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
      } else if (word.equals(LABELS)) {
        labelled = true;
      } else if (word.startsWith(LABEL)) {
        addLabel(labels, word.substring(LABEL.length()));
      } else if (word.startsWith(TOPIC)) {
        refuseSecond(topic.isPresent(), "topic");
        topic = Optional.of(topic(word.substring(TOPIC.length())));
      } else {
        throw bad("topic=NAME", '"' + hidden(word) + '"');
      }
    }
    if (kept && topic.isPresent()) {
      throw bad(TIMES_KEPT + " without a topic, for batches", "both");
    }
    if (kept && !labels.isEmpty()) {
      throw bad(TIMES_KEPT + " without labels, for batches", "both");
    }
    return new Preamble(topic, token, hints, clock, labelled, labels(labels), kept);
  }

  private static void addLabel(Map<String, String> labels, String word)
      throws BadPreambleException {
    int equals = word.indexOf('=');
    if (equals < 0) {
      throw bad("label.NAME=VALUE", '"' + LABEL + hidden(word) + '"');
    }
    String name = word.substring(0, equals);
    String value = decoded(name, word.substring(equals + 1));
    try {
      Labels.add(labels, name, value);
    } catch (IllegalArgumentException e) {
      throw new BadPreambleException(String.valueOf(e.getMessage()));
    }
  }

  private static Labels labels(Map<String, String> pairs) throws BadPreambleException {
    try {
      return Labels.of(pairs);
    } catch (IllegalArgumentException e) {
      throw new BadPreambleException(String.valueOf(e.getMessage()));
    }
  }

  private static String encoded(String value) {
    StringBuilder text = new StringBuilder();
    for (byte each : value.getBytes(StandardCharsets.UTF_8)) {
      if (each <= ' ' || each == '%' || each == 0x7F) {
        text.append(String.format("%%%02X", each & 0xFF));
      } else {
        text.append((char) each);
      }
    }
    return text.toString();
  }

  private static String decoded(String name, String value) throws BadPreambleException {
    var bytes = new ByteArrayOutputStream(value.length());
    for (int at = 0; at < value.length(); at++) {
      int next = value.charAt(at);
      if (next == '%') {
        int high = at + 2 < value.length() ? Character.digit(value.charAt(at + 1), 16) : -1;
        int low = high < 0 ? -1 : Character.digit(value.charAt(at + 2), 16);
        if (low < 0) {
          throw bad("%XX in the value of label " + name, "a % without two hexadecimal digits");
        }
        next = high << 4 | low;
        at += 2;
      }
      bytes.write(next);
    }
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(bytes.toByteArray()))
          .toString();
    } catch (CharacterCodingException e) {
      throw bad("UTF-8 in the value of label " + name, "other bytes");
    }
  }

  private static void refuseSecond(boolean second, String what) throws BadPreambleException {
    if (second) {
      throw bad("one " + what, "two");
    }
  }

  /** A token at a wrong place stays one. */
  private static String hidden(String word) {
    return word.replaceAll("cw_.*", "cw_…");
  }

  private static String topic(String name) throws BadPreambleException {
    try {
      return TopicName.check(name);
    } catch (IllegalArgumentException e) {
      throw new BadPreambleException(String.valueOf(e.getMessage()));
    }
  }

  static BadPreambleException bad(String expected, String found) {
    return new BadPreambleException("expected " + expected + ", found " + found);
  }

  /** Without the token. */
  @Override
  public String toString() {
    return "preamble, topic " + topic.orElse("-");
  }
}
