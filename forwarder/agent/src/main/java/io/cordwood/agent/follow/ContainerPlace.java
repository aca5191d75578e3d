package io.cordwood.agent.follow;

import io.cordwood.agent.pods.Pod;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Labels that the place of a container's file gives: its kubelet's path, or what Docker keeps. */
final class ContainerPlace {
  private static final Pattern POD =
      Pattern.compile(
          "/pods/(?<namespace>[^/_]+)_(?<pod>[^/_]+)_(?<uid>[^/_]+)"
              + "/(?<container>[^/]+)/(?<restart>\\d+)\\.log[^/]*$");

  private static final Pattern DOCKER =
      Pattern.compile(
          "^(?<folder>.*/(?<id>[0-9a-f]{64}))/(?:\\k<id>-json|local-logs/container)\\.log");
  private static final String[] NAMES = {"namespace", "pod", "uid", "container", "restart"};
  private static final int MOST_LINKS = 40;

  private ContainerPlace() {}

  /** Labels of the container; none if the file is not one of a container. */
  static Map<String, String> labels(Path name, Path home) {
    Map<String, String> labels = new TreeMap<>(known(name, home));
    labels.keySet().removeIf(label -> label.startsWith(Pod.SETTING));
    return labels;
  }

  /**
   * Labels of the container, and its settings, by their whole names; none if the file is not one of
   * a container.
   *
   * @param name by which the file was found; it may be a link, or one of several
   * @param home of its bytes, for a link that is gone
   */
  static Map<String, String> known(Path name, Path home) {
    Path path = name.toAbsolutePath();
    for (int i = 0; i < MOST_LINKS; i++) {
      Map<String, String> labels = of(path);
      if (!labels.isEmpty()) {
        return labels;
      }
      try {
        if (!Files.isSymbolicLink(path)) {
          break;
        }
        path = path.resolveSibling(Files.readSymbolicLink(path)).normalize();
      } catch (IOException e) {
        break; // it was a link a moment ago
      }
    }
    return of(home.toAbsolutePath());
  }

  private static Map<String, String> of(Path path) {
    Matcher pod = POD.matcher(path.toString());
    if (pod.find()) {
      Map<String, String> labels = new TreeMap<>();
      for (String name : NAMES) {
        labels.put(name, pod.group(name));
      }
      return labels;
    }
    Matcher docker = DOCKER.matcher(path.toString());
    return docker.find()
        ? DockerConfig.labels(Path.of(docker.group("folder"), "config.v2.json"))
        : Map.of();
  }
}
