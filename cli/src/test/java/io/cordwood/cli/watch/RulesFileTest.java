package io.cordwood.cli.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.cordwood.cli.alert.Condition;
import io.cordwood.cli.alert.Condition.Kind;
import io.cordwood.cli.alert.Rule;
import io.cordwood.cli.alert.Target;
import io.cordwood.cli.alert.Watch;
import io.cordwood.cli.client.AskedNodes;
import io.cordwood.cli.program.CommandException;
import io.cordwood.common.http.client.JsonClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Files of rules, good ones and others. */
final class RulesFileTest {
  @TempDir private Path folder;

  private final JsonClient client = new JsonClient();

  @AfterEach
  void stop() {
    client.close();
  }

  private Path file() {
    return folder.resolve("rules");
  }

  private List<Watch.Entry> read(String text) throws IOException {
    Files.writeString(file(), text);
    return RulesFile.read(
        file(),
        WatchContext.of(
            new HttpNodeApi(new AskedNodes()),
            "http://localhost:7650/",
            client,
            InstantSource.system()));
  }

  @Test
  void eachSectionIsARule() throws IOException {
    List<Watch.Entry> rules =
        read(
            """
            # for all of them
            webhook = http://chat:8080/hook
            every = 5m

            [payment errors]     # a comment
            topic = pay
            where = level=error and status>=500
            window = 15m
            above = 10
            label = severity=page
            label = team=pay
            annotation = runbook=https://wiki/pay
            by = host, http.status

            [silence]
            pattern = -x = "odd"
            ignore-case = true
            absent = true
            for = 2m
            every = 1m
            exec = mail ops
            alertmanager = https://alerts/prefix/
            """);
    Rule first = rules.get(0).rule();
    assertThat(first.name()).isEqualTo("payment errors");
    assertThat(first.condition()).isEqualTo(new Condition(Kind.ABOVE, 10));
    assertThat(first.labels()).isEqualTo(Map.of("severity", "page", "team", "pay"));
    assertThat(first.annotations()).isEqualTo(Map.of("runbook", "https://wiki/pay"));
    assertThat(first.by()).containsExactly("host", "http.status");
    assertThat(first.timing().every()).isEqualTo(Duration.ofMinutes(5));
    assertThat(first.timing().window()).isEqualTo(Duration.ofMinutes(15));
    assertThat(first.search())
        .isEqualTo("http://localhost:7650/?q=&where=level%3Derror+and+status%3E%3D500&topic=pay&");
    assertThat(rules.get(0).targets()).extracting(Target::name).containsExactly("webhook");
    Rule second = rules.get(1).rule();
    assertThat(second.condition()).isEqualTo(Condition.ABSENT);
    assertThat(second.timing().every()).isEqualTo(Duration.ofMinutes(1));
    assertThat(second.timing().hold()).isEqualTo(Duration.ofMinutes(2));
    assertThat(second.search()).contains("q=-x+%3D+%22odd%22&ignore_case=true");
    assertThat(rules.get(1).targets())
        .extracting(Target::name)
        .containsExactly("webhook", "alertmanager", "exec");
    assertThat(rules.get(1).targets().get(1).toString())
        .contains("https://alerts/prefix/api/v2/alerts");
  }

  @Test
  void aFileOfAnotherSystemsEditorIsRead() throws IOException {
    List<Watch.Entry> rules = read("\uFEFF[a]\r\npattern = x\r\nabove = 1\r\n");
    assertThat(rules).hasSize(1);
    assertThat(rules.getFirst().rule().search()).contains("q=x&");
  }

  private static final String UNKNOWN_FLAG =
      "expected a flag of 'cordwood watch' for a rule, or pattern, found ";

  private static final String NO_LABEL =
      "--by: expected fields that are labels of their own, found ";

  /** Lines of a file, a semicolon after each; the line that is wrong, and why. */
  static List<Arguments> wrongFiles() {
    return List.of(
        arguments(
            "[a];above = 1;[a];absent = true",
            "3: expected a name of its own, found 'a', the name of the rule in line 1"),
        arguments("[a];abov = 1", "2: " + UNKNOWN_FLAG + "'abov'; did you mean above?"),
        arguments("[a];node = log1", "2: " + UNKNOWN_FLAG + "'node'"),
        arguments("[a];above = many", "2: --above: expected a whole number, found \"many\""),
        arguments("[a];above = 1;every = soon", "3: --every: expected a duration such as"),
        arguments("[a];absent = yes", "2: absent: expected true or false, found 'yes'"),
        arguments("[a];above", "2: expected 'flag = value', found 'above'"),
        arguments("[a", "1: expected [name], found '[a'"),
        arguments("[]", "1: expected a name of 1 to 100 letters, digits, blanks and _.:/()-"),
        arguments("[a];pattern = x", "1: expected --above, --below or --absent, found none"),
        arguments("[a];above = 1;absent = true", "1: expected --above or --absent, found both"),
        arguments("[a];above = 1;where = level>", "3: --where: character 7: expected a value"),
        arguments(
            "[a];above = 1;extended-regexp = true;pattern = (x",
            "4: pattern, character 3: expected \")\""),
        arguments("[a];above = 1;every = 1ms", "3: --every: expected 1s to 8784h, found 1ms"),
        arguments("[a];above = 1;window = 30s", "3: --window: expected 1m to 8784h, found 30s"),
        arguments("[a];below = 0", "2: --below: expected 1 or more, found 0, which never fires"),
        arguments("[a];above = 1;webhook = chat", "3: --webhook: expected a URL such as"),
        arguments("[a];above = 1;webhook = http://u:p@h/", "3: --webhook: expected a URL"),
        arguments(
            "[a];above = 1;label = 1x=2",
            "3: --label: expected NAME=TEXT, the name of letters, digits and _, and not alertname,"
                + " found \"1x=2\""),
        arguments("[a];above = 1;by = a.b,a_b", "3: " + NO_LABEL + "a_b, which would be"),
        arguments("[a];above = 1;by = alertname", "3: " + NO_LABEL + "alertname"),
        arguments("[a];above = 1;by = @pod,pod", "3: " + NO_LABEL + "pod, which would be"),
        arguments("[a];above = 1;by = a,,b", "3: --by: "),
        arguments("[a];above = 1;pattern = x;pattern = y", "4: 'pattern' is set by line 3 already"),
        arguments("[a];above = 1;above = 2", "3: 'above' is set by line 2 already"),
        arguments(
            "[a];above = 1;regexp = x;pattern = y",
            "1: expected no PATTERN beside -e or -f, found \"y\""),
        arguments("webhook = http://h/", ": expected a rule, such as [name], found none"));
  }

  @ParameterizedTest
  @MethodSource("wrongFiles")
  void errorsSayTheLineAndWhatWasExpected(String lines, String expected) {
    String[] parts = expected.split(": ", 2);
    String place = file() + (parts[0].isEmpty() ? "" : " line " + parts[0]) + ": ";
    assertThatThrownBy(() -> read(lines.replace(";", "\n")))
        .isInstanceOf(CommandException.class)
        .hasMessageStartingWith(place + parts[1]);
  }

  @Test
  void moreRulesThanThereMayBeAreRefused() {
    StringBuilder many = new StringBuilder("above = 1\n");
    for (int i = 0; i <= Watch.MAX_RULES; i++) {
      many.append('[').append(i).append("]\n");
    }
    assertThatThrownBy(() -> read(many.toString()))
        .hasMessageContaining(" line 1002: expected at most 1000 rules, found more");
  }
}
