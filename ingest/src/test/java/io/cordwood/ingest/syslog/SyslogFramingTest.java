package io.cordwood.ingest.syslog;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.ingest.message.Frame;
import io.cordwood.ingest.message.Framing;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Where messages end, in what senders were seen to send, however it is cut into reads. */
class SyslogFramingTest {
  private static final InstantSource CLOCK =
      InstantSource.fixed(Instant.parse("2026-11-26T20:00:00Z"));

  private static List<String> messages(byte[] sent, int... cuts) {
    return cutMessages(sent, Framing.MAX_BYTES, cuts);
  }

  /** The messages of bytes that come in as many reads as there are cuts, and one more. */
  private static List<String> cutMessages(byte[] sent, int longest, int... cuts) {
    var framing = new SyslogFraming(new SyslogTime(CLOCK, ZoneOffset.UTC));
    var found = new ArrayList<String>();
    int from = 0;
    for (int read = 0; read <= cuts.length; read++) {
      boolean ended = read == cuts.length;
      int to = ended ? sent.length : cuts[read];
      // As in a buffer that moves: nothing after what has come, nothing before what is left.
      byte[] come = Arrays.copyOfRange(sent, from, to);
      int at = 0;
      while (at < come.length) {
        Frame frame = framing.next(come, at, come.length, ended, longest);
        if (frame == null) {
          break;
        }
        assertThat(frame.next()).isGreaterThan(at);
        if (frame.end() > frame.start()) {
          String text =
              new String(
                  come, frame.start(), frame.end() - frame.start(), StandardCharsets.ISO_8859_1);
          found.add(frame.continued() ? "+" + text : text);
        }
        at = frame.next();
      }
      from += at;
    }
    assertThat(from).isEqualTo(sent.length);
    return found;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  /** The same, whether it comes at once, byte by byte, or cut once anywhere. */
  private static void assertMessages(String sent, String... expected) {
    byte[] all = bytes(sent);
    assertThat(messages(all)).containsExactly(expected);
    int[] everywhere = new int[all.length];
    Arrays.setAll(everywhere, i -> i + 1);
    assertThat(messages(all, everywhere)).as("byte by byte").containsExactly(expected);
    for (int cut = 0; cut <= all.length; cut++) {
      assertThat(messages(all, cut)).as("cut after %d", cut).containsExactly(expected);
    }
  }

  @Test
  void linesEndWithLineFeedsOrNuls() {
    assertMessages(
        "<13>Nov 26 19:34:58 vm tcp3164: msg\n<14>app: sysl 1\0plain\n\n\0\r\n<13>last",
        "<13>Nov 26 19:34:58 vm tcp3164: msg",
        "<14>app: sysl 1",
        "plain",
        "<13>last");
  }

  @Test
  void countedMessagesMayHaveLineFeedsInThemAndAtTheirEnds() {
    String rsyslog = "<13>1 2026-11-26T19:54:59Z vm a - - - one\n";
    String telegraf = "<13>1 2026-11-26T19:57:30Z vm Telegraf - app [d@1 v=\"tg\"]";
    String lines = "<11>1 - - - - - - two\n\tat three\n<13>no message of its own";
    assertMessages(
        rsyslog.length()
            + " "
            + rsyslog
            + telegraf.length()
            + " "
            + telegraf
            + lines.length()
            + " "
            + lines
            + telegraf.length()
            + " "
            + telegraf,
        rsyslog.strip(),
        telegraf,
        lines,
        telegraf);
  }

  @Test
  void eachMessageIsFramedInItsOwnWay() {
    assertMessages(
        "{\"@timestamp\":\"2026\",\"message\":\"hello\"}\n"
            + "<134>1 2026-11-26T19:46:08.210Z localhost app 42 Audit [mdc@18060 r=\"1\"] hello\n"
            + "{\"version\":\"1.1\",\"short_message\":\"boom\"}\0"
            + "15 <13>counted one"
            + "<134>Nov 26 19:50:28 localhost app: x\n"
            + "14 <13>counted 2\n"
            + "12 apostles\n200 OK\n",
        "{\"@timestamp\":\"2026\",\"message\":\"hello\"}",
        "<134>1 2026-11-26T19:46:08.210Z localhost app 42 Audit [mdc@18060 r=\"1\"] hello",
        "{\"version\":\"1.1\",\"short_message\":\"boom\"}",
        "<13>counted one",
        "<134>Nov 26 19:50:28 localhost app: x",
        "<13>counted 2",
        "12 apostles",
        "200 OK");
  }

  @Test
  void messagesWithoutFramingEndWhereTheSameProgramBeginsAnother() {
    String one = "<134>Nov 26 19:50:28 localhost app[27118]: {\"message\":\"a <12> b\"}";
    String two = "<11>Nov 26 19:50:30 localhost app[27118]: <b>bold</b> <12>";
    String three = "<134>Nov 26 19:51:30 localhost app[27118]: 3";
    assertMessages(one + two + three, one, two, three);
    String newer = "<134>1 2026-11-26T19:50:29.207Z localhost app 27118 - - x <1> y";
    String later = "<134>1 2026-11-26T19:50:29.3Z localhost app 27118 - - z";
    assertMessages(newer + later + "\n" + newer, newer, later, newer);
  }

  @Test
  void aTextThatQuotesMessagesOfOthersIsNotCut() {
    for (String text :
        List.of(
            "<13>Nov 26 19:50:28 h app[1]: got <13>Nov 26 19:50:28 h other[1]: x",
            "<13>Nov 26 19:50:28 h app[1]: got <13>Nov 26 19:50:28 h app[2]: x",
            "<13>Nov 26 19:50:28 h app[1]: got <13>Nov 26 19:50:28 g app[1]: x",
            "<13>Nov 26 19:50:28 h app[1]: got <999>Nov 26 19:50:28 h app[1]: x",
            "<13>Nov 26 19:50:28 h app[1]: got <13>1 2026-11-26T19:50:29.207Z h app 1 - - x",
            "<13>app: <13>app: <12>",
            "no header <13>Nov 26 19:50:28 h app[1]: x",
            "<13>Nov 26 19:50:28 h app[1]: <1",
            "<13>Nov 26 19:50:28 h app[1]: <")) {
      assertMessages(text + "\n", text);
      assertMessages(text, text);
    }
  }

  @Test
  void aNulMayEndSeveralLinesThatComeTogether() {
    String trace = "<11>app: boom\nTraceback:\n  File \"x\"\n3 errors";
    assertThat(messages(bytes(trace + "\0<11>app: next\0")))
        .containsExactly(trace, "<11>app: next");
    assertThat(messages(bytes("<11>app: boom\n\tat a\n{\"a\":1}\0")))
        .containsExactly("<11>app: boom", "\tat a", "{\"a\":1}");
  }

  @Test
  void countsThatAreWrongLoseNothing() {
    assertMessages("5 <13>abc<13>d\n", "<13>a", "bc<13>d");
    assertMessages("99 <13>abc\n<13>d\n", "<13>abc\n<13>d");
    assertMessages("99999999 <13>abc\n<13>d\n", "99999999 <13>abc", "<13>d");
    assertMessages("2 <13>abc\n", "2 <13>abc");
    assertMessages("012 <13>abc\n", "012 <13>abc");
  }

  @Test
  void whatIsTooLongIsCutAndItsRestIsKnownAsSuch() {
    String first = "<13>Nov 26 19:50:28 h app[1]: ";
    byte[] all = bytes(first + "x".repeat(100) + "\n<13>next\n");
    assertThat(cutMessages(all, 50, 60, 100))
        .containsExactly(
            first + "x".repeat(50 - first.length()),
            "+" + "x".repeat(50),
            "+" + "x".repeat(first.length()),
            "<13>next");
    byte[] counted = bytes("130 " + first + "x".repeat(100) + "<13>next\n");
    assertThat(String.join("", cutMessages(counted, 60, 70, 120)).replace("+", ""))
        .isEqualTo(first + "x".repeat(100) + "<13>next");
  }

  @Test
  void aMessageThatIsCutAnywhereIsWhatHasCome() {
    String message = "<13>1 2026-11-26T19:54:59Z vm a 42 ID [a@1 k=\"v\"] one";
    for (String end : List.of("\n", "\0")) {
      for (int length = 1; length <= message.length(); length++) {
        String cut = message.substring(0, length);
        assertThat(messages(bytes("<13>first" + end + cut))).containsExactly("<13>first", cut);
      }
    }
    String counted = message.length() + " " + message;
    int begin = counted.indexOf('<');
    int known = counted.indexOf('>'); // a number without a priority after it is text
    for (int length = 1; length <= counted.length(); length++) {
      assertThat(messages(bytes(counted.substring(0, length))))
          .containsExactly(counted.substring(length > known ? begin : 0, length));
    }
  }

  @Test
  void anyBytesAreAllInSomeMessage() {
    var random = new Random(7);
    String[] parts = {
      "<13>", "<13>Nov 26 19:50:28 h a[1]: ", "<1", "12 ", "9 <13>", "\n", "\0", "\r", "x", "{", "é"
    };
    for (int run = 0; run < 3000; run++) {
      var text = new StringBuilder();
      for (int n = random.nextInt(12); n > 0; n--) {
        text.append(parts[random.nextInt(parts.length)]);
      }
      byte[] all = bytes(text.toString());
      int[] cuts = random.ints(3, 0, all.length + 1).sorted().toArray();
      // Counts are no part of messages, and line ends are none.
      String ends = "[\\n\\x00\\r+0-9 ]";
      assertThat(String.join("", messages(all, cuts)).replaceAll(ends, ""))
          .isEqualTo(text.toString().replaceAll(ends, ""));
    }
  }
}
