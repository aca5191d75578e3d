package io.cordwood.cli.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.cli.program.ReadFlags;
import io.cordwood.cli.question.ZoneFlag;
import io.cordwood.query.fields.Extract;
import io.cordwood.query.match.PatternSpec;
import io.cordwood.query.match.SubMatches;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class RecordOutputTest {
  private static final String CONTEXT =
      """
      {"ulid":"A","time":"2026-11-01T23:30:00Z","topic":"a","record":"x 1","group":1,"context":true}
      {"ulid":"B","time":"2026-11-01T23:30:01.120Z","topic":"a","record":"x 2\\nx","group":1}
      {"ulid":"C","time":"2026-11-01T23:30:02Z","topic":"b","record":"x 3","group":2}
      {"verdict":"complete","matches":2}
      """;

  private static String printed(String answer, RecordForm form, ZoneFlag zone) throws IOException {
    var out = new ByteArrayOutputStream();
    var style = new RecordPrinter.Style(SubMatches.of(PatternSpec.literal("x")), false, "1");
    try (var printer = new RecordPrinter(out, true, style)) {
      var output = new RecordOutput("cordwood grep", printer, form, zone, Extract.NONE);
      output.printAll(new ByteArrayInputStream(answer.getBytes(StandardCharsets.UTF_8)));
    }
    return out.toString(StandardCharsets.UTF_8).replace("\033[1m", "<").replace("\033[m", ">");
  }

  private static RecordForm form(String template) {
    var form = new RecordForm();
    form.template = new Template(template);
    return form;
  }

  @Test
  void groupsArePartedAndContextIsNotColoured() throws IOException {
    assertThat(printed(CONTEXT, form("{topic}:{line}"), new ZoneFlag()))
        .isEqualTo("a:x 1\na:<x> 2\n<x>\n--\nb:<x> 3\n");
    assertThat(printed(CONTEXT, new RecordForm(), new ZoneFlag()))
        .isEqualTo("x 1\n<x> 2\n<x>\n--\n<x> 3\n");
    var ulid = new RecordForm();
    ulid.ulid = true;
    assertThat(printed(CONTEXT, ulid, new ZoneFlag()))
        .isEqualTo("A-x 1\nB <x> 2\nB <x>\n--\nC <x> 3\n");
  }

  @Test
  void templatesHaveFields() throws IOException {
    String answer =
        """
        {"ulid":"A","time":"2026-11-01T23:30:00Z","topic":"a","record":"10:00:00 ERROR n=1 a\\tb"}
        """;
    assertThat(printed(answer, form("{TOPIC} {level} {n} {none} {message}"), new ZoneFlag()))
        .isEqualTo("a error 1 - n=1 a\\tb\n");
  }

  @Test
  void jsonPassesAsItIs() throws IOException {
    var json = new RecordForm();
    json.json = true;
    assertThat(printed(CONTEXT.replace("x", "y"), json, new ZoneFlag()))
        .isEqualTo(CONTEXT.replace("x", "y").replaceFirst("\\{\"verdict.*\n", ""));
  }

  private static final String LABELLED =
      """
      {"ulid":"A","labels":{"pod":"web-1","host":"b\\u202e\\u001b\\t|"},"record":"1\\nx"}
      {"ulid":"B","topic":"a","record":"2"}
      """;

  @Test
  void labelsStandInTemplatesHarmlessly() throws IOException {
    assertThat(printed(LABELLED, form("{@pod} {@host}: {line}"), new ZoneFlag()))
        .isEqualTo("web-1 b\\u202e\\u001b\\t|: 1\n<x>\n- -: 2\n");
    assertThatThrownBy(() -> form("{@a b}")).hasMessageContaining("expected a label's name");
    assertThatThrownBy(() -> form("{@topic}")).hasMessageContaining("each record has a topic");
  }

  @Test
  void labelsStandBeforeEachLine() throws IOException {
    var form = new RecordForm();
    form.prefix = new LabelPrefix("@pod,host");
    assertThat(printed(LABELLED, form, new ZoneFlag()))
        .isEqualTo("web-1 b\\u202e\\u001b\\t| | 1\nweb-1 b\\u202e\\u001b\\t| | <x>\n- - | 2\n");
  }

  @Test
  void prefixesAreColouredByTheirText() throws IOException {
    var out = new ByteArrayOutputStream();
    var style = new RecordPrinter.Style(null, false, null, true, (byte) '\n', null, false);
    try (var printer = new RecordPrinter(out, false, style)) {
      printer.tagged("web-1");
      printer.print("", new byte[] {'x'}, 0, 1);
    }
    String colour = LabelPrefix.colour("web-1");
    assertThat(out.toString(StandardCharsets.UTF_8))
        .isEqualTo("\033[" + colour + "mweb-1\033[m | x\n");
    assertThat(LabelPrefix.colour("web-2")).matches("[39][2-6]");
  }

  @Test
  void timesArePrintedInTheZoneThatIsAskedFor() throws IOException {
    ZoneFlag zone = ReadFlags.into(new ZoneFlag(), "--tz", "Europe/Berlin");
    assertThat(printed(CONTEXT, form("{time}"), zone))
        .isEqualTo(
            """
            2026-11-02T00:30:00+01:00
            2026-11-02T00:30:01.120+01:00
            --
            2026-11-02T00:30:02+01:00
            """);
  }
}
