package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/**
 * The manifests in {@code deploy/kubernetes} are checked against Kubernetes' own schema, of which
 * fabric8 generates types: a field with a wrong name or type is found here, and not by whoever
 * applies them.
 */
final class KubernetesTest {
  private static final Path FOLDER = Path.of("../deploy/kubernetes");

  private static final Map<String, Class<?>> TYPES =
      Map.of(
          "v1 Service", Service.class,
          "apps/v1 StatefulSet", StatefulSet.class,
          "policy/v1 PodDisruptionBudget", PodDisruptionBudget.class);

  /** The types would keep fields that they do not know. */
  private static final ObjectMapper STRICT =
      new ObjectMapper()
          .setAnnotationIntrospector(
              new JacksonAnnotationIntrospector() {
                private static final long serialVersionUID = 1;

                @Override
                public Boolean hasAnySetter(Annotated annotated) {
                  return false;
                }
              });

  private static List<Map<?, ?>> documents(String yaml) {
    var settings = LoadSettings.builder().setSchema(new CoreSchema()).build();
    List<Map<?, ?>> found = new ArrayList<>();
    for (Object document : new Load(settings).loadAllFromString(yaml)) {
      found.add((Map<?, ?>) document);
    }
    return found;
  }

  private static void check(Map<?, ?> document) {
    String kind = document.get("apiVersion") + " " + document.get("kind");
    Class<?> type = Objects.requireNonNull(TYPES.get(kind), kind);
    assertThat(STRICT.convertValue(document, type)).isNotNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"ingest", "store"})
  void manifestsHaveNoFieldThatKubernetesDoesNotKnow(String name) throws IOException {
    List<Map<?, ?>> documents = documents(Files.readString(FOLDER.resolve(name + ".yaml")));
    assertThat(documents).hasSize(TYPES.size());
    documents.forEach(KubernetesTest::check);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "readOnlyRootFilesystem: true -> readOnlyRootFileSystem: true",
        "replicas: 3 -> replicas: many",
        "periodSeconds: 2 -> period: 2"
      })
  void aSlipIsFound(String slip) throws IOException {
    String[] words = slip.split(" -> ", -1);
    String yaml = Files.readString(FOLDER.resolve("store.yaml"));
    assertThat(yaml).contains(words[0]);
    List<Map<?, ?>> documents = documents(yaml.replace(words[0], words[1]));
    assertThatThrownBy(() -> documents.forEach(KubernetesTest::check))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void allManifestsAreNamedByTheKustomization() throws IOException {
    Map<?, ?> kustomization =
        documents(Files.readString(FOLDER.resolve("kustomization.yaml"))).getFirst();
    assertThat(kustomization.get("resources")).isEqualTo(List.of("ingest.yaml", "store.yaml"));
    try (var files = Files.list(FOLDER)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder("ingest.yaml", "store.yaml", "kustomization.yaml");
    }
  }
}
