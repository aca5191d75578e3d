package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.marcnuri.helm.Helm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The chart in {@code deploy/helm}, rendered by Helm's own library. */
final class HelmChartTest {
  private static final Path CHART = Path.of("../deploy/helm/cordwood");

  @TempDir private Path folder;

  private List<Map<?, ?>> rendered(String namespace, String values) throws IOException {
    Path file = Files.writeString(folder.resolve("values.yaml"), values);
    String yaml =
        new Helm(CHART.toAbsolutePath().normalize())
            .template()
            .withName("logs")
            .withNamespace(namespace)
            .withValuesFile(file)
            .call();
    return Manifests.documents(yaml);
  }

  @Test
  void itMakesWhatTheManifestsHave() throws IOException {
    Map<String, Object> expected = byName(Manifests.ofKustomization());
    expected.remove("v1 Namespace cordwood"); // Helm's option --create-namespace makes it.
    Map<String, Object> found = byName(rendered("cordwood", ""));
    assertThat(found.keySet()).isEqualTo(expected.keySet());
    for (Map.Entry<String, Object> document : expected.entrySet()) {
      assertThat(found.get(document.getKey())).as(document.getKey()).isEqualTo(document.getValue());
    }
  }

  /** With the image that the kustomization puts in place of the short name. */
  private static Map<String, Object> byName(List<Map<?, ?>> documents) {
    Map<String, Object> named = new TreeMap<>();
    for (Map<?, ?> document : documents) {
      named.put(Manifests.name(document), withTag(document));
    }
    assertThat(named).hasSameSizeAs(documents);
    return named;
  }

  private static Object withTag(Object part) {
    if (part instanceof Map<?, ?> map) {
      Map<Object, Object> changed = new TreeMap<>();
      map.forEach((key, value) ->
          changed.put(
              key,
              key.equals("image") && value.equals("cordwood")
                  ? value + ":latest"
                  : withTag(value)));
      return changed;
    }
    return part instanceof List<?> list ? list.stream().map(HelmChartTest::withTag).toList() : part;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ingest: {replicas: 5}",
        "store: {replicas: 1, flags: [--retention=30d, '--label=a b'], storage: {class: fast}}",
        "image: {repository: registry.example.com/logs/cordwood, tag: '1.0', pullPolicy: Always}",
        "forwarder: {topic: '{namespace}', multiline: '', flags: [--label=cluster=west]}",
        "forwarder: {journal: false}",
        "forwarder: {tolerations: [], priority: 10000000, resources: {limits: {memory: 1Gi}}}",
        "secrets: {names: [logs.example.com, 10.0.0.1]}",
        "{forwarder: {enabled: false}, secrets: {enabled: false}, network: {enabled: false}}"
      })
  void withOtherValuesTooKubernetesKnowsAllFields(String values) throws IOException {
    List<Map<?, ?>> documents = rendered("logs", values);
    assertThat(documents).hasSizeGreaterThan(6);
    documents.forEach(Manifests::check);
  }

  @Test
  void valuesAreWhereTheyBelong() throws IOException {
    List<Map<?, ?>> documents =
        rendered(
            "west",
            """
            image: {repository: registry.example.com/cordwood, tag: "1.0"}
            ingest: {replicas: 2, flags: [--max-topics=1000]}
            store: {replicas: 1, storage: {size: 1Ti, class: fast}}
            forwarder: {multiline: "^[0-9]{4}-", flags: ["--label=cluster=a \\"b\\""]}
            secrets: {names: [logs.example.com]}
            """);
    String peers = "--peer=ingest-0.ingest,ingest-1.ingest,store-0.store";
    assertThat(Manifests.args(documents, "apps/v1 StatefulSet ingest"))
        .contains(peers, "--max-topics=1000");
    assertThat(Manifests.args(documents, "apps/v1 StatefulSet store"))
        .contains(peers)
        .doesNotContain("--max-topics=1000");
    assertThat(Manifests.args(documents, "apps/v1 DaemonSet forwarder"))
        .contains("--multiline=^[0-9]{4}-", "--label=cluster=a \"b\"")
        .endsWith("tls://ingest-0.ingest", "tls://ingest-1.ingest");
    assertThat(Manifests.args(documents, "batch/v1 Job secrets"))
        .endsWith("localhost", "logs.example.com");
    assertThat(documents.toString())
        .contains("storage=1Ti", "storageClassName=fast", "name=west-forwarder")
        .contains("image=registry.example.com/cordwood:1.0")
        .contains("name=forwarder, namespace=west")
        .doesNotContain("namespace=cordwood", "image=cordwood");
  }

  @Test
  void withoutTheJournalNothingOfItIsMountedOrRead() throws IOException {
    String forwarder = "apps/v1 DaemonSet forwarder";
    assertThat(Manifests.args(rendered("logs", ""), forwarder))
        .contains("--journal", "--journal-command=journalctl --root=/host");
    List<Map<?, ?>> without = rendered("logs", "forwarder: {journal: false}");
    assertThat(Manifests.args(without, forwarder)).noneMatch(each -> each.contains("journal"));
    assertThat(without.toString()).doesNotContain("/host/", "path=/run/log", "path=/var/log}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ingest: {replica: 5}",
        "store: {replicas: many}",
        "store: {flags: [retention=30d]}",
        "image: {tag: 1.0}",
        "forwarder: {enabled: maybe}",
        "tokens: {enabled: true}"
      })
  void aSlipInTheValuesIsAnError(String values) {
    assertThatThrownBy(() -> rendered("logs", values))
        .hasMessageContaining("values don't meet the specifications");
  }

  @Test
  void helmFindsNothingWrong() {
    var result = new Helm(CHART.toAbsolutePath().normalize()).lint().strict().call();
    assertThat(result.isFailed()).as("%s", result.getMessages()).isFalse();
  }
}
