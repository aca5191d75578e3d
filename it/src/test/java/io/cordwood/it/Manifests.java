package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBinding;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClass;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/**
 * Documents in YAML for Kubernetes, checked against its own schema, of which fabric8 generates
 * types: a field with a wrong name or type is found here, and not by whoever applies them.
 */
final class Manifests {
  static final Path FOLDER = Path.of("../deploy/kubernetes");

  private static final Map<String, Class<?>> TYPES =
      Map.ofEntries(
          Map.entry("v1 Namespace", Namespace.class),
          Map.entry("v1 Service", Service.class),
          Map.entry("v1 ServiceAccount", ServiceAccount.class),
          Map.entry("apps/v1 DaemonSet", DaemonSet.class),
          Map.entry("apps/v1 StatefulSet", StatefulSet.class),
          Map.entry("batch/v1 Job", Job.class),
          Map.entry("networking.k8s.io/v1 NetworkPolicy", NetworkPolicy.class),
          Map.entry("policy/v1 PodDisruptionBudget", PodDisruptionBudget.class),
          Map.entry("rbac.authorization.k8s.io/v1 ClusterRole", ClusterRole.class),
          Map.entry("rbac.authorization.k8s.io/v1 ClusterRoleBinding", ClusterRoleBinding.class),
          Map.entry("rbac.authorization.k8s.io/v1 Role", Role.class),
          Map.entry("rbac.authorization.k8s.io/v1 RoleBinding", RoleBinding.class),
          Map.entry("scheduling.k8s.io/v1 PriorityClass", PriorityClass.class));

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

  private Manifests() {}

  static List<Map<?, ?>> documents(String yaml) {
    var settings = LoadSettings.builder().setSchema(new CoreSchema()).build();
    List<Map<?, ?>> found = new ArrayList<>();
    for (Object document : new Load(settings).loadAllFromString(yaml)) {
      if (document != null) {
        found.add((Map<?, ?>) document);
      }
    }
    return found;
  }

  static List<Map<?, ?>> in(Path file) throws IOException {
    return documents(Files.readString(file));
  }

  /** All that {@code kubectl apply -k} sends, without what the kustomization changes. */
  static List<Map<?, ?>> ofKustomization() throws IOException {
    Map<?, ?> kustomization = in(FOLDER.resolve("kustomization.yaml")).getFirst();
    List<Map<?, ?>> found = new ArrayList<>();
    for (Object name : (List<?>) Objects.requireNonNull(kustomization.get("resources"))) {
      found.addAll(in(FOLDER.resolve(name.toString())));
    }
    return found;
  }

  static String kind(Map<?, ?> document) {
    return document.get("apiVersion") + " " + document.get("kind");
  }

  static String name(Map<?, ?> document) {
    return kind(document)
        + " "
        + Objects.requireNonNull((Map<?, ?>) document.get("metadata")).get("name");
  }

  /** The arguments of the one container of a document. */
  static List<String> args(List<Map<?, ?>> documents, String name) {
    Map<?, ?> document =
        documents.stream().filter(each -> name(each).equals(name)).findFirst().orElseThrow();
    Map<?, ?> container =
        maps(document).stream()
            .filter(map -> map.get("args") instanceof List<?>)
            .findFirst()
            .orElseThrow();
    List<?> args = (List<?>) Objects.requireNonNull(container.get("args"));
    return args.stream().map(String::valueOf).toList();
  }

  /** Fails if Kubernetes would not know it. */
  static void check(Map<?, ?> document) {
    Class<?> type = Objects.requireNonNull(TYPES.get(kind(document)), kind(document));
    assertThat(STRICT.convertValue(document, type)).isNotNull();
  }

  /** All maps in it, itself among them. */
  static List<Map<?, ?>> maps(Object part) {
    List<Map<?, ?>> found = new ArrayList<>();
    collect(part, found);
    return found;
  }

  private static void collect(Object part, List<Map<?, ?>> found) {
    if (part instanceof Map<?, ?> map) {
      found.add(map);
      map.values().forEach(each -> collect(each, found));
    } else if (part instanceof Collection<?> list) {
      list.forEach(each -> collect(each, found));
    }
  }
}
