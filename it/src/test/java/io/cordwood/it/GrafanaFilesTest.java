package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.cordwood.common.net.HostPort;
import io.cordwood.common.segment.Records;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.wire.Labels;
import io.cordwood.query.SegmentFixture;
import io.cordwood.query.TestCluster;
import io.cordwood.query.logql.Logql;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What Grafana is provisioned with from {@code deploy/grafana}. */
final class GrafanaFilesTest {
  private static final Path FOLDER = Path.of("../deploy/grafana");
  private static final Path PROVISIONING = FOLDER.resolve("provisioning");
  private static final long FIRST = 1_700_000_000_000L;

  /** A query of a panel or a rule. */
  private record Asked(String expr, boolean instant) {}

  private static Map<?, ?> json(String name) throws IOException {
    return new ObjectMapper().readValue(FOLDER.resolve(name).toFile(), Map.class);
  }

  private static Map<?, ?> yaml(String name) throws IOException {
    return Manifests.in(PROVISIONING.resolve(name)).getFirst();
  }

  private static List<Asked> asked(Object part) {
    List<Asked> found = new ArrayList<>();
    for (Map<?, ?> map : Manifests.maps(part)) {
      if (map.get("expr") instanceof String expr) {
        found.add(new Asked(filledIn(expr), "instant".equals(map.get("queryType"))));
      }
    }
    return found;
  }

  /** As Grafana does with all topics chosen, and no text. */
  private static String filledIn(String expr) {
    String filled =
        expr.replace("$topic", ".+")
            .replace("$search", "")
            .replace("$__auto", "1m")
            .replace("$__range", "1h");
    assertThat(filled).doesNotContain("$");
    return filled;
  }

  private static List<Asked> all() throws IOException {
    List<Asked> dashboard = asked(json("logs.json"));
    List<Asked> rules = asked(yaml("alerting/cordwood.yaml"));
    assertThat(dashboard).hasSize(7);
    assertThat(rules).hasSize(3).allMatch(Asked::instant);
    return Stream.concat(dashboard.stream(), rules.stream()).toList();
  }

  @Test
  void eachQueryIsOneThatNodesRead() throws IOException {
    for (Asked asked : all()) {
      assertThat(Logql.parse(asked.expr)).as(asked.expr).isNotNull();
    }
  }

  @Test
  void eachQueryFindsWhatItIsFor() throws IOException {
    try (var cluster = new TestCluster(1)) {
      cluster.store(
          "store",
          new SegmentFixture(
              1,
              1,
              List.of(
                  Records.lines(
                          new Topic("shop"),
                          Ulid.firstOf(FIRST),
                          "level=error msg=\"java.lang.OutOfMemoryError: Java heap space\"")
                      .labelled(Labels.of(Map.of("namespace", "shop", "pod", "shop-1"))))));
      var node = new NodeApi(HostPort.parse("127.0.0.1:" + cluster.query("asked").port(), 0));
      for (Asked asked : all()) {
        HttpResponse<String> answer = node.request("GET", path(asked));
        assertThat(answer.statusCode()).as(asked.expr + answer.body()).isEqualTo(200);
        Map<?, ?> data =
            Objects.requireNonNull(
                (Map<?, ?>) new ObjectMapper().readValue(answer.body(), Map.class).get("data"));
        assertThat((List<?>) data.get("result")).as(asked.expr).isNotEmpty();
      }
    }
  }

  private static String path(Asked asked) {
    String query = URLEncoder.encode(asked.expr, StandardCharsets.UTF_8);
    long end = (FIRST + 60_000) * 1_000_000;
    return asked.instant
        ? "/loki/api/v1/query?query=%s&time=%d".formatted(query, end)
        : "/loki/api/v1/query_range?query=%s&start=%d&end=%d&step=60s"
            .formatted(query, (FIRST - 60_000) * 1_000_000, end);
  }

  @Test
  void rulesAskTheDataSourceThatIsProvisionedAndDecideByWhatTheyAskFor() throws IOException {
    Map<?, ?> source = first(yaml("datasources/cordwood.yaml"), "datasources");
    assertThat(source.get("type")).isEqualTo("loki");
    Set<Object> names = new TreeSet<>();
    for (Object each :
        (List<?>)
            Objects.requireNonNull(first(yaml("alerting/cordwood.yaml"), "groups").get("rules"))) {
      Map<?, ?> rule = (Map<?, ?>) each;
      assertThat(names.add(rule.get("uid"))).isTrue();
      List<Object> asked = new ArrayList<>();
      for (Object part : (List<?>) Objects.requireNonNull(rule.get("data"))) {
        Map<?, ?> query = (Map<?, ?>) part;
        Map<?, ?> model = (Map<?, ?>) Objects.requireNonNull(query.get("model"));
        assertThat(model.get("refId")).isEqualTo(query.get("refId"));
        if (model.containsKey("expr")) {
          assertThat(query.get("datasourceUid")).isEqualTo(source.get("uid"));
        } else {
          assertThat(query.get("datasourceUid")).isEqualTo("__expr__");
          assertThat(asked).contains(model.get("expression"));
        }
        asked.add(query.get("refId"));
      }
      assertThat(asked).contains(rule.get("condition"));
    }
  }

  private static Map<?, ?> first(Map<?, ?> map, String list) {
    return (Map<?, ?>) ((List<?>) Objects.requireNonNull(map.get(list))).getFirst();
  }

  @Test
  void dashboardsHaveNamesAndPanelsOfTheirOwn() throws IOException {
    Set<Object> names = new TreeSet<>();
    try (Stream<Path> files = Files.list(FOLDER)) {
      List<Path> dashboards = files.filter(file -> file.toString().endsWith(".json")).toList();
      assertThat(dashboards).hasSize(2);
      for (Path file : dashboards) {
        Map<?, ?> dashboard = json(file.getFileName().toString());
        assertThat(names.add(dashboard.get("uid"))).as("%s", file).isTrue();
        List<Object> panels = new ArrayList<>();
        for (Object panel : (List<?>) Objects.requireNonNull(dashboard.get("panels"))) {
          panels.add(((Map<?, ?>) panel).get("id"));
        }
        assertThat(panels).as("%s", file).doesNotHaveDuplicates();
      }
    }
  }

  /** Grafana passes over some fields that it does not know, and fails to start for others. */
  @Test
  void filesHaveFieldsThatGrafanaKnows() throws IOException {
    Map<?, ?> source = first(yaml("datasources/cordwood.yaml"), "datasources");
    assertKeys(source, "name uid type access url orgId isDefault editable jsonData secureJsonData");
    Map<?, ?> settings = (Map<?, ?>) Objects.requireNonNull(source.get("jsonData"));
    assertKeys(settings, "maxLines timeout httpHeaderName1 tlsAuthWithCACert");
    assertKeys(source.get("secureJsonData"), "httpHeaderValue1 tlsCACert");
    assertThat(settings.get("httpHeaderName1")).isEqualTo("Authorization");
    Map<?, ?> provider = first(yaml("dashboards/cordwood.yaml"), "providers");
    assertKeys(provider, "name orgId folder folderUid type disableDeletion allowUiUpdates options");
    assertKeys(provider.get("options"), "path foldersFromFilesStructure");
    Map<?, ?> group = first(yaml("alerting/cordwood.yaml"), "groups");
    assertKeys(group, "orgId name folder interval rules");
    for (Object each : (List<?>) Objects.requireNonNull(group.get("rules"))) {
      Map<?, ?> rule = (Map<?, ?>) each;
      assertKeys(
          rule,
          "uid title condition data for keepFiringFor noDataState execErrState labels annotations"
              + " isPaused");
      assertThat(rule.get("noDataState")).isIn("Alerting", "NoData", "OK", "KeepLast");
      assertThat(rule.get("execErrState")).isIn("Alerting", "Error", "OK", "KeepLast");
      for (Object part : (List<?>) Objects.requireNonNull(rule.get("data"))) {
        assertKeys(part, "refId queryType relativeTimeRange datasourceUid model");
      }
    }
  }

  private static void assertKeys(@Nullable Object map, String known) {
    List<String> names = List.of(known.split(" ", -1));
    assertThat(((Map<?, ?>) Objects.requireNonNull(map)).keySet())
        .allMatch(key -> names.contains(key.toString()), "one of " + known);
  }

  @Test
  void theCommandOfTheDocumentsGivesWhatTheFilesName() throws IOException {
    String command =
        DocBlock.all().stream()
            .map(DocBlock::text)
            .filter(text -> text.contains("grafana/grafana"))
            .findFirst()
            .orElseThrow();
    Matcher mount = Pattern.compile("/deploy/grafana:([^:]+):ro").matcher(command);
    assertThat(mount.find()).isTrue();
    assertThat(command).contains("GF_PATHS_PROVISIONING=" + mount.group(1) + "/provisioning ");
    Map<?, ?> provider = first(yaml("dashboards/cordwood.yaml"), "providers");
    assertThat(provider.get("options")).isEqualTo(Map.of("path", mount.group(1)));
    String source = yaml("datasources/cordwood.yaml").toString();
    List<String> variables =
        Pattern.compile("\\$([A-Z_]+)").matcher(source).results().map(m -> m.group(1)).toList();
    assertThat(variables).hasSize(2).allMatch(name -> command.contains("-e " + name + "="));
    try (Stream<Path> folders = Files.list(PROVISIONING)) {
      assertThat(folders.map(folder -> folder.getFileName().toString()))
          .containsExactlyInAnyOrder("alerting", "dashboards", "datasources");
    }
  }
}
