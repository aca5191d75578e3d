package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The manifests in {@code deploy/kubernetes}: what Kubernetes knows, and no more than is needed.
 */
final class KubernetesTest {
  /** Those of {@code cordwood secrets} that a pod may see. */
  private static final Map<String, String> SECRETS =
      Map.of(
          "StatefulSet ingest", "cordwood-nodes",
          "StatefulSet store", "cordwood-nodes",
          "DaemonSet forwarder", "cordwood-forwarder");

  @Test
  void manifestsHaveNoFieldThatKubernetesDoesNotKnow() throws IOException {
    List<Map<?, ?>> documents = Manifests.ofKustomization();
    assertThat(documents).extracting(Manifests::name).doesNotHaveDuplicates().hasSize(21);
    documents.forEach(Manifests::check);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "store: readOnlyRootFilesystem: true -> readOnlyRootFileSystem: true",
        "store: replicas: 3 -> replicas: many",
        "store: periodSeconds: 2 -> period: 2",
        "forwarder: priorityClassName: -> priorityClass:",
        "forwarder: verbs: [get -> verb: [get",
        "access: backoffLimit: 10 -> backoff: 10",
        "network: policyTypes: -> policyType:"
      })
  void aSlipIsFound(String slip) throws IOException {
    String[] words = slip.split(": | -> ", 2);
    String[] change = words[1].split(" -> ", -1);
    String yaml = Files.readString(Manifests.FOLDER.resolve(words[0] + ".yaml"));
    assertThat(yaml).contains(change[0]);
    List<Map<?, ?>> documents = Manifests.documents(yaml.replace(change[0], change[1]));
    assertThatThrownBy(() -> documents.forEach(Manifests::check))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void allManifestsAreNamedByTheKustomization() throws IOException {
    Map<?, ?> kustomization =
        Manifests.in(Manifests.FOLDER.resolve("kustomization.yaml")).getFirst();
    Set<String> named = new TreeSet<>(Set.of("kustomization.yaml"));
    ((List<?>) Objects.requireNonNull(kustomization.get("resources")))
        .forEach(name -> named.add(name.toString()));
    try (var files = Files.list(Manifests.FOLDER)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrderElementsOf(named);
    }
  }

  @Test
  void containersMayDoNothingButTheirWork() throws IOException {
    List<Map<?, ?>> containers = new ArrayList<>();
    for (Map<?, ?> map : Manifests.maps(Manifests.ofKustomization())) {
      if (map.get("containers") instanceof List<?> list) {
        list.forEach(each -> containers.add((Map<?, ?>) each));
      }
    }
    assertThat(containers).hasSize(4);
    for (Map<?, ?> container : containers) {
      assertThat(container.get("securityContext"))
          .as("%s", container.get("name"))
          .isEqualTo(
              Map.of(
                  "allowPrivilegeEscalation", false,
                  "readOnlyRootFilesystem", true,
                  "capabilities", Map.of("drop", List.of("ALL"))));
      assertThat(container.get("resources")).extracting("limits.memory").isNotNull();
    }
  }

  @Test
  void accountsMayDoNothingButTheirWork() throws IOException {
    List<Object> rules = new ArrayList<>();
    for (Map<?, ?> document : Manifests.ofKustomization()) {
      if (document.get("rules") instanceof List<?> list) {
        rules.addAll(list);
      }
    }
    assertThat(rules)
        .containsExactlyInAnyOrder(
            rule("secrets", "create"),
            Map.of(
                "apiGroups", List.of(""),
                "resources", List.of("secrets"),
                "resourceNames", List.of("cordwood-authority"),
                "verbs", List.of("get")),
            rule("pods", "get", "list", "watch"));
  }

  private static Map<String, Object> rule(String resource, String... verbs) {
    return Map.of(
        "apiGroups", List.of(""), "resources", List.of(resource), "verbs", List.of(verbs));
  }

  @Test
  void filesOfTheHostAreReadAndOnlyTheCheckpointIsWritten() throws IOException {
    Map<?, ?> forwarder = document("DaemonSet forwarder");
    Set<Object> ofTheHost = new TreeSet<>();
    Set<Object> written = new TreeSet<>();
    for (Map<?, ?> map : Manifests.maps(forwarder)) {
      if (map.containsKey("hostPath")) {
        ofTheHost.add(map.get("name"));
      }
      if (map.containsKey("mountPath") && !Boolean.TRUE.equals(map.get("readOnly"))) {
        written.add(map.get("name"));
      }
    }
    assertThat(ofTheHost).containsExactly("checkpoint", "journal", "journal-until-boot", "logs");
    assertThat(written).containsExactly("checkpoint", "tmp");
  }

  @Test
  void podsSeeTheSecretsThatAreMadeForThemAlone() throws IOException {
    for (Map<?, ?> document : Manifests.ofKustomization()) {
      Set<Object> seen = new TreeSet<>();
      for (Map<?, ?> map : Manifests.maps(document)) {
        if (map.containsKey("secretName")) {
          seen.add(map.get("secretName"));
        }
      }
      String secret = SECRETS.get(shortName(document));
      assertThat(seen)
          .as(shortName(document))
          .isEqualTo(secret == null ? Set.of() : Set.of(secret));
    }
  }

  private static String shortName(Map<?, ?> document) {
    return Manifests.name(document).replaceFirst(".* (.* .*)", "$1");
  }

  private static Map<?, ?> document(String name) throws IOException {
    return Manifests.ofKustomization().stream()
        .filter(document -> shortName(document).equals(name))
        .findFirst()
        .orElseThrow();
  }
}
