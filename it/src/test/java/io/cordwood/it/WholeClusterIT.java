package io.cordwood.it;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.net.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * All that {@code docs/operations.md} has for a new cluster, at once: three nodes of each role with
 * certificates, tokens and a key, every way in and out, the dashboard, a node that dies, a backup.
 */
final class WholeClusterIT {
  private static final int OF_EACH = 3;
  private static final Pattern SAMPLE = Pattern.compile("(?m)^(\\w+)(?:\\{.*})? (\\S+)$");

  @TempDir private Path folder;
  private final List<NodeProcess> ingest = new ArrayList<>();
  private final List<NodeProcess> stores = new ArrayList<>();
  private final Set<String> sent = new TreeSet<>();

  @AfterEach
  void stop() {
    ingest.forEach(NodeProcess::close);
    stores.forEach(NodeProcess::close);
  }

  @Test
  void isSetUpFilledAskedWatchedLosesANodeAndIsRestored() throws Exception {
    makeCertificatesTokensAndKey();
    startNodes();
    forward();
    curl();
    append();
    assertAllIsFound(stores.getFirst());
    assertThat(grep(stores.getFirst(), "app.token").errors()).contains("scope query");
    watch();
    awaitStored();
    stores.getFirst().kill();
    assertAllIsFound(ingest.getFirst());
    assertRestored();
  }

  private String file(String name) {
    return folder.resolve(name).toString();
  }

  private static String run(String... arguments) throws IOException {
    Program.Result result = Program.run(arguments);
    assertThat(result.exitCode()).as(result.errors()).isZero();
    return result.text();
  }

  private void makeCertificatesTokensAndKey() throws IOException {
    run("ca", "init", "--dir", file("ca"));
    run("ca", "node", "--dir", file("ca"), "--out", file("tls"), "localhost", "127.0.0.1");
    token("app", "--scope", "ingest", "--topic", "shop*");
    token("ann", "--scope", "query");
    token("prometheus", "--scope", "admin");
    Tool.run(
        "sh", "-c", "openssl rand -hex 32 > '%1$s' && chmod 400 '%1$s'".formatted(file("key")));
  }

  private void token(String name, String... flags) throws IOException {
    List<String> all = new ArrayList<>(List.of("token", "add", name, "--file", file("tokens")));
    all.addAll(List.of(flags));
    Files.writeString(folder.resolve(name + ".token"), run(all.toArray(String[]::new)));
  }

  private void startNodes() throws IOException {
    List<Integer> gossip = IntStream.range(0, 2 * OF_EACH).mapToObj(_ -> FreePorts.next()).toList();
    for (int i = 0; i < 2 * OF_EACH; i++) {
      List<String> flags = new ArrayList<>(List.of("--bind=0.0.0.0", "--advertise=127.0.0.1"));
      flags.addAll(List.of("--tls-dir=" + file("tls"), "--tokens=" + file("tokens")));
      flags.addAll(List.of("--cluster-key-file=" + file("key")));
      flags.addAll(List.of("--gossip-port", gossip.get(i).toString()));
      gossip.forEach(port -> flags.add("--peer=127.0.0.1:" + port));
      String role = i < OF_EACH ? "ingest" : "store";
      Path home = folder.resolve(role + i % OF_EACH);
      NodeProcess node = NodeProcess.start(role, home, flags.toArray(String[]::new));
      (i < OF_EACH ? ingest : stores).add(node);
    }
  }

  private String[] targets() {
    return ingest.stream()
        .map(node -> "tls://127.0.0.1:" + node.durablePort())
        .toArray(String[]::new);
  }

  private String lines(String how) {
    List<String> lines = IntStream.range(0, 10).mapToObj(i -> how + " " + i).toList();
    sent.addAll(lines);
    return String.join("\n", lines) + "\n";
  }

  private void forward() throws IOException {
    List<String> command =
        new ArrayList<>(List.of("forward", "--durable", "--topic=shop-1", "--quiet"));
    command.addAll(List.of("--tls-ca=" + file("tls/ca.pem"), "--token-file=" + file("app.token")));
    command.addAll(List.of(targets()));
    try (Program forward = Program.start(command.toArray(String[]::new))) {
      forward.in().write(lines("forwarded").getBytes(US_ASCII));
      forward.in().close();
      Program.Result end = forward.end();
      assertThat(end.exitCode()).as(end.errors()).isZero();
    }
  }

  private String curl(NodeProcess node, String token, String path, String... more)
      throws IOException {
    String bearer = "authorization: Bearer " + Files.readString(folder.resolve(token)).strip();
    List<String> command = new ArrayList<>(List.of("curl", "-sS", "--cacert", file("tls/ca.pem")));
    command.addAll(List.of("--header", bearer, "https://localhost:" + node.apiPort() + path));
    command.addAll(List.of(more));
    return Tool.run(command.toArray(String[]::new));
  }

  private void curl() throws IOException {
    Path body = Files.writeString(folder.resolve("app.log"), lines("uploaded"));
    String answer =
        curl(ingest.get(1), "app.token", "/ingest/bulk?topic=shop-2", "--data-binary", "@" + body);
    assertThat(answer).contains("10");
  }

  private void append() throws IOException {
    String access =
        " topic=\"shop-3\" tlsCa=\"%s\" tokenFile=\"%s\""
            .formatted(file("tls/ca.pem"), file("app.token"));
    LoggingApplication application =
        LoggingApplication.log4jWith(String.join(",", targets()), access);
    application.log(0, 10);
    application.awaitAcknowledged(10);
    application.stop().run();
    sent.addAll(application.events(10));
  }

  private Program.Result grep(NodeProcess node, String token) throws IOException {
    String at = "--node=https://localhost:" + node.apiPort();
    String trust = "--tls-ca=" + file("tls/ca.pem");
    return Program.run("grep", at, trust, "--token-file=" + file(token), "");
  }

  private void assertAllIsFound(NodeProcess node) {
    await()
        .untilAsserted(() -> {
          Program.Result found = grep(node, "ann.token");
          assertThat(found.exitCode()).as(found.errors()).isZero();
          assertThat(found.text().lines()).containsExactlyInAnyOrderElementsOf(sent);
        });
  }

  /** The dashboard's queries and the alarms' are answered, and no alarm is given. */
  private void watch() throws IOException {
    if (!Prometheus.isHere("dashboard and alarms of a cluster with TLS and tokens")) {
      return;
    }
    String access =
        """
        scheme: https
            tls_config: {ca_file: '%s'}
            authorization: {credentials_file: '%s'}\
        """
            .formatted(file("tls/ca.pem"), file("prometheus.token"));
    List<Integer> ports = new ArrayList<>();
    ingest.forEach(node -> ports.add(node.apiPort()));
    stores.forEach(node -> ports.add(node.apiPort()));
    try (Prometheus server = Prometheus.start(folder, MetricsIT.ALERTS, access, ports)) {
      for (String expression : MetricsIT.expressions(MetricsIT.DASHBOARD)) {
        String asked = expression.replace("$__rate_interval", "1m").replace("$instance", ".*");
        assertThat(server.query(asked)).as(expression).startsWith("{\"status\":\"success\"");
      }
      await().until(() -> server.query("sum(up)").contains("\"6\""));
      server.awaitRules(MetricsIT.expressions(MetricsIT.ALERTS).size());
      assertThat(server.get("/api/v1/alerts"))
          .startsWith("{\"status\":\"success\"")
          .doesNotContain("\"state\":\"firing\"");
    }
  }

  private double sum(NodeProcess node, String metric) throws IOException {
    Matcher samples = SAMPLE.matcher(curl(node, "prometheus.token", "/metrics"));
    double sum = 0;
    while (samples.find()) {
      sum += samples.group(1).equals(metric) ? Double.parseDouble(samples.group(2)) : 0;
    }
    return sum;
  }

  private void awaitStored() {
    await()
        .alias("stores have all")
        .until(() -> {
          for (NodeProcess node : ingest) {
            if (sum(node, "cordwood_ingest_backlog_bytes") > 0) {
              return false;
            }
          }
          return true;
        });
  }

  /** Of two copies each, what is left of three stores without one has all. */
  private void assertRestored() throws IOException {
    Set<String> found = new TreeSet<>();
    for (int i = 1; i < OF_EACH; i++) {
      Path home = Files.createDirectory(folder.resolve("restored" + i));
      run("backup", "--data", file("store" + i + "/data"), file("backup" + i));
      run("restore", file("backup" + i), "--new-id", "--data", home.resolve("data").toString());
      try (NodeProcess node = NodeProcess.start(home)) {
        found.addAll(node.find(""));
      }
    }
    assertThat(found).isEqualTo(sent);
  }
}
