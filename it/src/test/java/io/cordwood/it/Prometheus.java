package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.net.FreePorts;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** A Prometheus server as a process, that scrapes nodes each second; needs it on the PATH. */
final class Prometheus implements AutoCloseable {
  private static final Pattern EVALUATION = Pattern.compile("\"lastEvaluation\":\"([^\"]*)\"");

  private final Process process;
  private final Path log;
  private final URI uri;
  private final HttpClient client = HttpClient.newHttpClient();

  private Prometheus(Process process, Path log, URI uri) {
    this.process = process;
    this.log = log;
    this.uri = uri;
  }

  /** Whether it can be started here; if not, says that something is not tested. */
  static boolean isHere(String whatFor) throws IOException {
    try {
      Tool.run("prometheus", "--version");
      Tool.run("promtool", "--version");
      return true;
    } catch (IOException e) {
      Skipped.say(whatFor, "no prometheus and promtool on the PATH: " + e.getMessage());
      return false;
    }
  }

  /** Starts one in a folder, and waits until it has scraped the node. */
  static Prometheus start(Path folder, Path rules, int apiPort) throws IOException {
    return start(folder, rules, "scheme: http", List.of(apiPort));
  }

  /**
   * The same for some nodes.
   *
   * @param access a line of its configuration: how nodes are spoken to
   */
  static Prometheus start(Path folder, Path rules, String access, List<Integer> apiPorts)
      throws IOException {
    String targets =
        apiPorts.stream().map(port -> "'127.0.0.1:" + port + "'").collect(Collectors.joining(", "));
    Path config =
        Files.writeString(
            folder.resolve("prometheus.yml"),
            """
            global: {scrape_interval: 1s, evaluation_interval: 1s}
            rule_files: ['%s']
            scrape_configs:
              - job_name: cordwood
                %s
                static_configs: [{targets: [%s]}]
            """
                .formatted(rules.toAbsolutePath().normalize(), access, targets));
    int port = FreePorts.next();
    Path log = folder.resolve("prometheus.log");
    Process process =
        new ProcessBuilder(
                "prometheus",
                "--config.file=" + config,
                "--storage.tsdb.path=" + folder.resolve("tsdb"),
                "--web.listen-address=127.0.0.1:" + port)
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    var server = new Prometheus(process, log, URI.create("http://127.0.0.1:" + port));
    try {
      await()
          .ignoreExceptions()
          .until(() -> server.query("count(up == 1) == " + apiPorts.size()).contains("\"value\""));
    } catch (RuntimeException e) {
      server.close();
      throw new AssertionError("expected a scrape of each node, found " + server.log(), e);
    }
    return server;
  }

  String log() throws IOException {
    return Files.readString(log);
  }

  /** The answer to an expression, whatever it is. */
  String query(String expression) throws IOException {
    return get("/api/v1/query?query=" + URLEncoder.encode(expression, StandardCharsets.UTF_8));
  }

  /** Waits until each rule has been evaluated, from now on and without an error. */
  void awaitRules(int rules) {
    Instant now = Instant.now();
    await()
        .untilAsserted(() -> {
          String found = get("/api/v1/rules");
          assertThat(found.split("\"health\":\"ok\"", -1)).hasSize(rules + 1);
          assertThat(EVALUATION.matcher(found).results())
              .allMatch(at -> OffsetDateTime.parse(at.group(1)).toInstant().isAfter(now));
        });
  }

  String get(String path) throws IOException {
    try {
      var request = HttpRequest.newBuilder(uri.resolve(path)).build();
      return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  /** What a file of YAML or JSON holds, as maps and lists. */
  static Object parse(Path file) throws IOException {
    var settings = LoadSettings.builder().setLabel(file.toString()).build();
    return new Load(settings).loadFromString(Files.readString(file));
  }

  @Override
  public void close() {
    process.destroyForcibly();
    process.onExit().join();
    client.close();
  }
}
