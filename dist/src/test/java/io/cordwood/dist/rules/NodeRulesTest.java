package io.cordwood.dist.rules;

import static io.cordwood.cli.watch.ErrorsByMinute.LOUD;
import static io.cordwood.cli.watch.ErrorsByMinute.SILENT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.watch.ErrorsByMinute;
import io.cordwood.common.access.AuditLog;
import io.cordwood.common.segment.SegmentSource;
import io.cordwood.query.LocalRecords;
import io.cordwood.query.SegmentFixture;
import io.cordwood.query.TestCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Rules of a real node, whose records are of three minutes: 20 of two hosts, none, and 5. A test
 * moves its clock.
 */
final class NodeRulesTest {
  private static final String ERRORS =
      """
      [errors]
      topic = pay
      where = level=error
      above = 10
      exec = echo "$ALERT_NAME $ALERT_STATUS" >> %s
      """;

  @TempDir private Path folder;

  private final TestCluster cluster = new TestCluster(1);
  private TestCluster.Node node;
  private volatile Instant now = LOUD;

  @BeforeEach
  void start() throws IOException {
    node = ErrorsByMinute.in(cluster);
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  private Path sent() {
    return folder.resolve("sent");
  }

  private void write(String rules) throws IOException {
    Path fresh = Files.writeString(folder.resolve("fresh"), rules);
    Files.move(fresh, folder.resolve("rules"), java.nio.file.StandardCopyOption.REPLACE_EXISTING);
  }

  private NodeRules rules(String text) throws IOException {
    write(text);
    return rules();
  }

  private NodeRules rules() throws IOException {
    InstantSource clock = () -> now;
    var setting =
        new NodeRules.Setting(
            folder.resolve("rules"),
            folder.resolve("rules.state"),
            node.own(),
            "http://node:7650/",
            AuditLog.NONE,
            clock);
    NodeRules rules = NodeRules.start(setting, node.meters);
    return rules;
  }

  private String alerts() throws IOException {
    return node.get("/alerts").text();
  }

  private void awaitSent(String lines) {
    await().untilAsserted(() -> assertThat(sent()).hasContent(lines));
  }

  @Test
  void whatFiresAndIsResolvedIsSentOverRestartsOnce() throws IOException {
    String text = ERRORS.formatted(sent());
    try (NodeRules _ = rules(text)) {
      awaitSent("errors firing\n");
    }
    try (NodeRules rules = rules()) {
      assertThat(rules.status()).singleElement().asString().contains("state=firing");
      now = SILENT;
      awaitSent("errors firing\nerrors resolved\n");
    }
    assertThat(node.meters.counter("cordwood.query.refused").count()).isZero();
    assertThat(node.meters.timer("cordwood.rules.query.duration").count()).isPositive();
  }

  @Test
  void aChangedFileIsReadAndOneWithAnErrorChangesNothing() throws IOException {
    try (NodeRules rules = rules(ERRORS.formatted(sent()))) {
      node.answer(routes -> AlertsRoute.addTo(routes, rules));
      awaitSent("errors firing\n");
      write("[errors]\nabove = many\n");
      await().until(() -> alerts().contains("\"trouble\":"));
      assertThat(alerts()).contains("line 2", "\"state\":\"firing\"");
      write(ERRORS.formatted(sent()) + "[hosts]\nby = host\nabove = 3\n");
      await().until(() -> alerts().contains("\"labels\":{\"host\":\"a\"}"));
      assertThat(alerts()).doesNotContain("trouble").contains("\"name\":\"hosts\"");
    }
    assertThat(sent()).hasContent("errors firing\n");
  }

  @Test
  void aRuleThatCannotBeDecidedSaysWhy() throws IOException {
    TestCluster.Node other = cluster.store("store-2", new SegmentFixture(1, 1, List.of()));
    other.close();
    try (NodeRules rules = rules("[silence]\ntopic = other\nabsent = true\n")) {
      node.answer(routes -> AlertsRoute.addTo(routes, rules));
      await().until(() -> alerts().contains("\"state\":\"cannot-tell\""));
      assertThat(alerts()).contains("\"doubt\":", "store-2", "\"last_error\":{");
    }
  }

  @Test
  void aRuleOverRecordsThatADiskDoesNotGiveIsUndecided() throws IOException {
    SegmentSource ill =
        _ -> {
          throw new IOException("expected: Input/output error");
        };
    cluster.add("ill", new LocalRecords(Optional.empty(), Optional.of(ill)));
    try (NodeRules rules = rules(ERRORS.formatted(sent()).replace("above = 10", "above = 1000"))) {
      node.answer(routes -> AlertsRoute.addTo(routes, rules));
      await().untilAsserted(() -> assertThat(alerts()).contains("\"doubt\":", "store ill "));
    }
    assertThat(sent()).doesNotExist();
  }

  @Test
  void aNodeWithoutRulesSaysSo() throws IOException {
    node.answer(routes -> AlertsRoute.addTo(routes, null));
    assertThat(alerts()).isEqualTo("{\"watches\":false,\"rules\":[]}\n");
  }

  @Test
  void aFileWithAnErrorStartsNothing() {
    assertThatThrownBy(() -> rules("[errors]\nabove = many\n"))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("line 2");
    assertThat(folder.resolve("rules.state")).doesNotExist();
  }
}
