package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The metrics of a node, their reference, and the dashboard and alarms made of them. */
final class MetricsIT {
  private static final Path ROOT = Path.of("..");
  static final Path DASHBOARD = ROOT.resolve("deploy/grafana/cordwood.json");
  static final Path ALERTS = ROOT.resolve("deploy/prometheus/alerts.yml");
  private static final Path REFERENCE = ROOT.resolve("docs/metrics.md");

  /** From here on it is checked by a test of a node with tokens and TLS: OperationsIT. */
  private static final String PARTS_BY_FLAGS = "\n## Tokens";

  /** What metrics mean, of all those that do not say it themselves. */
  private static final Path HELP =
      Path.of("../dist/src/main/resources/io/cordwood/dist/server/metrics.properties");

  private static final Pattern NAME =
      Pattern.compile("\\b(?:cordwood|jvm|process|system)_\\w+|\\bup\\b");

  @TempDir private static Path folder;
  private static NodeProcess node;

  @BeforeAll
  static void startNodeWithARecord() throws IOException {
    node = NodeProcess.start(folder);
    node.send("one\n");
    node.awaitRecords(1);
    node.metrics(); // Requests are counted once they are answered.
  }

  @AfterAll
  static void stopNode() {
    node.close();
  }

  @Test
  void metricsFollowTheConventionsOfPrometheus() throws IOException {
    if (Prometheus.isHere("the metrics by 'promtool check metrics'")) {
      Path file = Files.writeString(folder.resolve("metrics"), node.metrics());
      assertThat(Tool.run("sh", "-c", "promtool check metrics < '" + file + "' 2>&1")).isEmpty();
    }
  }

  @Test
  void referenceIsWhatANodeShows() throws IOException {
    await().until(() -> node.metrics().contains("cordwood_http_requests"));
    String made = MetricReference.of(node.metrics());
    Path copy = Files.writeString(Path.of("target", "metrics.md"), made);
    String reference = Files.readString(REFERENCE);
    assertThat(reference.substring(0, reference.indexOf(PARTS_BY_FLAGS)))
        .as("a reference that is what a node shows; %s is", copy.toAbsolutePath().normalize())
        .isEqualTo(made);
  }

  /** Those too that come with what happens to a node. */
  @Test
  void referenceHasAllThatHaveAHelp() throws IOException {
    Set<String> named = new TreeSet<>();
    NAME.matcher(Files.readString(REFERENCE))
        .results()
        .forEach(name -> named.add(name.group().replaceFirst("_total$", "")));
    var helped = new Properties();
    try (Reader file = Files.newBufferedReader(HELP)) {
      helped.load(file);
    }
    assertThat(helped.stringPropertyNames()).hasSizeGreaterThan(20);
    assertThat(named).containsAll(helped.stringPropertyNames());
  }

  @Test
  void versionIsToldOverHttpAndInAMetric() throws IOException {
    String[] told = node.get("/version").strip().split(" ", -1);
    assertThat(told).hasSize(3).startsWith("cordwood");
    assertThat(Program.run("--version").text())
        .startsWith("cordwood %s (commit %s)".formatted(told[1], told[2]));
    String json =
        "{\"name\":\"cordwood\",\"version\":\"%s\",\"commit\":\"%s\"}%n"
            .formatted(told[1], told[2]);
    assertThat(node.get("/version?format=json")).isEqualTo(json);
    String url = "http://localhost:" + node.apiPort() + "/version";
    assertThat(Tool.run("curl", "-sS", "-H", "accept: application/json", url)).isEqualTo(json);
    assertThat(node.metrics())
        .contains(
            "cordwood_build_info{commit=\"%s\",version=\"%s\"} 1".formatted(told[2], told[1]));
  }

  /** All values of {@code expr} in a file, wherever they stand. */
  static List<String> expressions(Path file) throws IOException {
    List<String> found = new ArrayList<>();
    collect(Prometheus.parse(file), found);
    return found;
  }

  private static void collect(Object part, List<String> found) {
    if (part instanceof Map<?, ?> map) {
      if (map.get("expr") instanceof String expression) {
        found.add(expression);
      }
      map.values().forEach(each -> collect(each, found));
    } else if (part instanceof Collection<?> list) {
      list.forEach(each -> collect(each, found));
    }
  }

  @Test
  void dashboardAndAlarmsNameMetricsThatExist() throws IOException {
    Set<String> there = new TreeSet<>(Set.of("up"));
    for (String line : node.metrics().lines().toList()) {
      there.add(line.replaceFirst("^# \\w+ ", "").replaceFirst("[ {].*", ""));
    }
    String reference = Files.readString(REFERENCE);
    NAME.matcher(reference.substring(reference.indexOf(PARTS_BY_FLAGS)))
        .results()
        .forEach(name -> there.add(name.group()));
    for (Path file : List.of(DASHBOARD, ALERTS)) {
      List<String> expressions = expressions(file);
      assertThat(expressions).hasSizeGreaterThan(10);
      for (String expression : expressions) {
        Set<String> named =
            NAME.matcher(expression)
                .results()
                .map(name -> name.group())
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(named).as(expression).isNotEmpty();
        assertThat(there).as(expression).containsAll(named);
      }
    }
  }

  @Test
  void prometheusTakesEveryExpressionAndRule() throws IOException {
    if (!Prometheus.isHere("dashboard and alarms in a Prometheus server")) {
      return;
    }
    assertThat(Tool.run("promtool", "check", "rules", ALERTS.toString())).contains("SUCCESS");
    try (Prometheus server = Prometheus.start(folder, ALERTS, node.apiPort())) {
      for (Path file : List.of(DASHBOARD, ALERTS)) {
        for (String expression : expressions(file)) {
          String asked = expression.replace("$__rate_interval", "1m").replace("$instance", ".*");
          assertThat(server.query(asked)).as(expression).startsWith("{\"status\":\"success\"");
        }
      }
      assertThat(server.query("cordwood_ingest_records_stored_total{topic=\"default\"}"))
          .contains(",\"1\"]");
      server.awaitRules(expressions(ALERTS).size());
    }
  }
}
