package io.cordwood.agent.follow;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.testing.Seed;
import io.cordwood.common.wire.Labels;
import io.cordwood.common.wire.Origin;
import io.cordwood.forwarder.PreparedBatch;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RecordCutterTest {
  private static final Origin ORIGIN = new Origin("t", Labels.NONE);
  private static final List<String> MULTILINES =
      List.of("", "dotnet", "go", "java", "node", "php", "python", "ruby", "rust", "^\\d");

  /** What becomes of a text: records between bars, and behind them what waits for more. */
  private static String cut(String multiline, String text) {
    var cutter = new RecordCutter(Multiline.parse(multiline));
    int at = PreparedBatch.payloadAt(ORIGIN);
    byte[] bytes = new byte[at + text.length() + 1];
    System.arraycopy(text.getBytes(ISO_8859_1), 0, bytes, at, text.length());
    int whole = cutter.wholeRecords(bytes, at, at + text.length());
    return (whole == 0 ? "" : taken(cutter, text.substring(0, whole)))
        + "|"
        + text.substring(whole);
  }

  private static String taken(RecordCutter cutter, String text) {
    int at = PreparedBatch.payloadAt(ORIGIN);
    byte[] bytes = new byte[at + text.length() + 1];
    System.arraycopy(text.getBytes(ISO_8859_1), 0, bytes, at, text.length());
    bytes[bytes.length - 1] = '~';
    var batch = new PreparedBatch(ORIGIN, bytes, () -> {});
    int blank = cutter.take(batch, at, text.length());
    String payload = new String(bytes, at, bytes.length - at, ISO_8859_1);
    char end = payload.indexOf('\0') >= 0 ? '\0' : '\n';
    var records = new StringBuilder();
    int from = 0;
    for (int i = 0; i < batch.records(); i++) {
      int to = payload.indexOf(end, from);
      records.append('|').append(payload, from, to);
      from = to + 1;
    }
    return records + (blank > 0 ? " less " + blank : "");
  }

  @ParameterizedTest
  @CsvSource({
    "'a\nb\n',             '|a|b|'",
    "'a\nb',               '|a|b'",
    "'a',                  '|a'",
    "'',                   '|'",
    "'\n\na\n\nb\n\n',     '|a|b less 4|'",
    "'\n',                 ' less 1|'",
    "'a\r\n\r\n',          '|a\r|\r|'",
  })
  void linesAreRecordsAndBlankOnesAreNone(String text, String expected) {
    assertThat(cut("", text)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "java,   'a\nb\n',                                '|a|b\n'",
    "java,   'a\n\tat x\nb\n',                        '|a\n\tat x|b\n'",
    "java,   'a\n\n\tat x\n\n\nb\nc\n',               '|a\n\n\tat x|b|c\n'",
    "java,   '\n\na\n x\nb\n',                        '|a\n x less 2|b\n'",
    "java,   'E\norg.x.YException: z\n\tat q\nnext\n', '|E\norg.x.YException: z\n\tat q|next\n'",
    "java,   'E\njava.lang.Error\n\tat q\nnext\n', '|E\njava.lang.Error\n\tat q|next\n'",
    "'^\\d', '1\nx\ny\n2\nz\n',                       '|1\nx\ny|2\nz\n'",
    "'^\\d', 'x\n1\n2\n',                             '|x|1|2\n'",
    "'^\\d', '1\nx',                                  '|1\nx'",
    "python, 'E x\nTraceback (most recent call last):\n  File\nMyFault: no\nI y\nI z\n', "
        + "'|E x\nTraceback (most recent call last):\n  File\nMyFault: no|I y|I z\n'",
    "node,   'a\nTypeError: no\n  at x\nb\nc\n',    '|a\nTypeError: no\n  at x|b|c\n'",
    "go,     'main()\nx\npanic: no\n\ngoroutine 1 [running]:\nmain.f(0x1)\n\t/a.go:3\nx\n', "
        + "'|main()|x|panic: no\n\ngoroutine 1 [running]:\nmain.f(0x1)\n\t/a.go:3|x\n'",
  })
  void linesThatBelongTogetherAreOneRecord(String multiline, String text, String expected) {
    assertThat(cut(multiline, text)).isEqualTo(expected);
  }

  /** A record that holds line feeds is ended by NUL, so that it can hold none. */
  @Test
  void linesWithNulsStayApart() {
    assertThat(taken(new RecordCutter(Multiline.parse("java")), "a\n b\n")).isEqualTo("|a\n b");
    var batch = new PreparedBatch(ORIGIN, new byte[100], () -> {});
    byte[] text = "x\0\n y\n".getBytes(ISO_8859_1);
    int at = PreparedBatch.payloadAt(ORIGIN);
    System.arraycopy(text, 0, batch.bytes(), at, text.length);
    new RecordCutter(Multiline.parse("java")).take(batch, at, text.length);
    assertThat(batch.records()).isEqualTo(2);
    assertThat(new String(batch.bytes(), at, text.length, ISO_8859_1)).isEqualTo("x\0\n y\n");
  }

  /** So that a batch can be made again from its bytes alone. */
  @Test
  void whatIsCutOnceIsCutTheSameWayAgain() {
    List<String> lines =
        List.of(
            "a\n",
            "\n",
            "\tat x\n",
            "org.ZException\n",
            "Caused by: TypeError: x\n",
            "1 b\n",
            "2026-11-26 10:00:00 ERROR x\n",
            "Traceback (most recent call last):\n",
            "panic: x\n",
            "goroutine 1 [r]:\n");
    long seed = Seed.of(RecordCutterTest.class);
    var random = new Random(seed);
    for (String multiline : MULTILINES) {
      for (int round = 0; round < 200; round++) {
        var text = new StringBuilder();
        for (int i = random.nextInt(30); i >= 0; i--) {
          text.append(lines.get(random.nextInt(lines.size())));
        }
        String first = cut(multiline, text.toString());
        String taken = text.substring(0, text.length() - rest(first, text.toString()));
        String again =
            taken.isEmpty() ? "" : taken(new RecordCutter(Multiline.parse(multiline)), taken);
        assertThat(first).as("seed %d", seed).startsWith(again + "|");
      }
    }
  }

  private static int rest(String cut, String text) {
    int longest = 0;
    for (int i = 0; i <= text.length(); i++) {
      if (cut.endsWith("|" + text.substring(i))) {
        longest = Math.max(longest, text.length() - i);
      }
    }
    return longest;
  }
}
