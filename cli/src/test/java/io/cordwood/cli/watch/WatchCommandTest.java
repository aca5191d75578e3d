package io.cordwood.cli.watch;

import static io.cordwood.cli.watch.ErrorsByMinute.LOUD;
import static io.cordwood.cli.watch.ErrorsByMinute.QUIET;
import static io.cordwood.cli.watch.ErrorsByMinute.SILENT;
import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.cli.alert.HookServer;
import io.cordwood.cli.program.CommandRun;
import io.cordwood.query.SegmentFixture;
import io.cordwood.query.TestCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The command against a real node, whose records are of three minutes: 20 of two hosts, none, and
 * 5. Each run counts the window that ended half a minute before the clock's time.
 */
final class WatchCommandTest {
  @TempDir private Path folder;

  private TestCluster cluster;
  private TestCluster.Node node;
  private HookServer hook;

  @BeforeEach
  void start() throws IOException {
    hook = new HookServer();
    cluster = new TestCluster(1);
    node = ErrorsByMinute.in(cluster);
  }

  @AfterEach
  void stop() {
    cluster.close();
    hook.close();
  }

  private CommandRun watch(Instant now, String... words) {
    List<String> all = new ArrayList<>(List.of("--once", "--node", "127.0.0.1:" + node.port()));
    Collections.addAll(all, words);
    return CommandRun.of("watch", new WatchCommand(() -> now), all.toArray(String[]::new));
  }

  private String hookAt(String path) {
    return hook.address(path).toString();
  }

  @Test
  void anAlertFiresAndIsResolvedOverRuns() {
    String state = folder.resolve("state").toString();
    String[] rule = {
      "errors",
      "--where=level=error",
      "--topic=pay",
      "--above=10",
      "--webhook=" + hookAt("/hook"),
      "--state=" + state
    };
    CommandRun first = watch(LOUD, rule);
    assertThat(first.err())
        .isEqualTo("cordwood watch: errors: firing: 20 records in 1m, expected at most 10\n");
    assertThat(first.code()).isEqualTo(1);
    assertThat(watch(LOUD, rule).err()).isEmpty();
    CommandRun second = watch(SILENT, rule);
    assertThat(second.err())
        .isEqualTo("cordwood watch: errors: resolved: no record in 1m, expected at most 10\n");
    assertThat(second.code()).isZero();
    assertThat(hook.bodies()).hasSize(2);
    assertThat(hook.bodies().getFirst())
        .contains("\"generatorURL\":\"http://127.0.0.1:" + node.port())
        .contains("/?q=&where=level%3Derror&topic=pay&from=2026-11-27T10:00:00Z");
  }

  @Test
  void aWindowHasItsFirstMillisecondAndNotItsEnd() {
    assertThat(watch(LOUD, "all", "--above=19").code()).isEqualTo(1);
    assertThat(watch(LOUD, "all", "--above=20").code()).isZero();
    assertThat(watch(SILENT, "all", "--absent").code()).isEqualTo(1);
    assertThat(watch(QUIET, "all", "--absent").code()).isZero();
    assertThat(watch(QUIET, "all", "--window=3m", "--above=24").code()).isEqualTo(1);
    assertThat(watch(QUIET, "all", "--window=3m", "--above=25").code()).isZero();
  }

  @Test
  void aPatternChooses() {
    assertThat(watch(LOUD, "four", "\"n\":4}", "--below=3").code()).isEqualTo(1);
    assertThat(watch(LOUD, "four", "\"n\":4}", "--below=2").code()).isZero();
    assertThat(watch(LOUD, "four", "-E", "n\":[0-4]}", "--above=9").code()).isEqualTo(1);
  }

  @Test
  void aTextThatIsTakenForANameIsSaid() {
    String said = "ERROR: counts every record; what to look for comes after the name";
    assertThat(watch(LOUD, "--check", "ERROR", "--above=10").err()).contains(said);
    assertThat(watch(LOUD, "--check", "errors", "ERROR", "--above=10").err()).isEmpty();
    assertThat(watch(LOUD, "--check", "errors", "--topic=pay", "--above=10").err()).isEmpty();
  }

  @Test
  void eachHostIsAnAlert() {
    CommandRun run = watch(LOUD, "hosts", "--by=host", "--above=4", "--webhook=" + hookAt("/hook"));
    assertThat(run.err())
        .isEqualTo(
            """
            cordwood watch: hosts: firing {host="a"}: 15 records in 1m, expected at most 4
            cordwood watch: hosts: firing {host="b"}: 5 records in 1m, expected at most 4
            """);
    assertThat(hook.bodies())
        .singleElement()
        .asString()
        .contains("\"labels\":{\"alertname\":\"hosts\",\"host\":\"a\"}")
        .contains("\"labels\":{\"alertname\":\"hosts\",\"host\":\"b\"}");
  }

  @Test
  void aHostThatFallsSilentIsAnAlert() {
    String[] rule = {"hosts", "--by=host", "--absent", "--state=" + folder.resolve("state")};
    assertThat(watch(LOUD, rule).err()).isEmpty();
    assertThat(watch(QUIET, rule).err())
        .isEqualTo(
            """
            cordwood watch: hosts: firing {host="a"}: no record in 1m, expected one at least
            cordwood watch: hosts: firing {host="b"}: no record in 1m, expected one at least
            cordwood watch: hosts: resolved {host="a"}: 5 records in 1m, expected one at least
            """);
  }

  @Test
  void anAnswerThatLacksAStoreFiresWhatIsSureAndDecidesNothingElse() throws IOException {
    TestCluster.Node lost = cluster.store("store-2", new SegmentFixture(1, 1, List.of()));
    cluster.forget(lost);
    CommandRun sure = watch(LOUD, "errors", "--above=10");
    assertThat(sure.code()).isEqualTo(1);
    assertThat(sure.err())
        .contains("errors: firing: at least 20 records in 1m, expected at most 10");
    for (String open : List.of("--absent", "--below=9", "--above=30")) {
      CommandRun run = watch(SILENT, "errors", open);
      assertThat(run.code()).isEqualTo(2);
      assertThat(run.err()).startsWith("cordwood watch: errors: cannot tell: ").contains("store-2");
      assertThat(run.err().lines()).hasSize(1);
    }
    assertThat(watch(LOUD, "errors", "--absent").code()).isZero();
  }

  @Test
  void aNodeThatDoesNotAnswerDecidesNothing() {
    cluster.close();
    CommandRun run = watch(LOUD, "errors", "--absent");
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err())
        .startsWith("cordwood watch: errors: cannot tell: 127.0.0.1:" + node.port())
        .contains("cannot connect");
    cluster = new TestCluster(1);
  }

  @Test
  void aFileOfRulesIsCheckedAndWatched() throws IOException {
    Path rules = folder.resolve("rules");
    Files.writeString(
        rules, "topic = pay\n[loud]\nabove = 10\n[silent]\nabsent = true\nwindow = 2m\n");
    assertThat(watch(LOUD, "--check", "--rules=" + rules).code()).isZero();
    CommandRun run = watch(LOUD, "--rules=" + rules);
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err()).contains("loud: firing: 20 records").doesNotContain("silent");
    Files.writeString(rules, "[loud]\nabov = 10\n");
    CommandRun wrong = watch(LOUD, "--check", "--rules=" + rules);
    assertThat(wrong.code()).isEqualTo(2);
    assertThat(wrong.err()).contains(rules + " line 2: expected a flag of 'cordwood watch'");
  }

  @Test
  void flagsThatGoNotTogetherAreRefused() {
    assertThat(watch(LOUD, "x", "--above=1", "--absent").err())
        .contains("expected --above or --absent, found both");
    assertThat(watch(LOUD, "--rules=x", "--above=1").err())
        .contains("expected --rules or --above, found both: the file says that of each rule");
    assertThat(watch(LOUD, "x").err())
        .contains("expected --above, --below or --absent, found none");
    assertThat(watch(LOUD, "x", "y", "z", "--absent").err())
        .contains("expected one PATTERN, more with -e, found \"z\"");
    assertThat(watch(LOUD).err()).contains("expected the NAME of a rule, or --rules FILE");
  }
}
