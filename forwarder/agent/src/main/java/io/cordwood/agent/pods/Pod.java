package io.cordwood.agent.pods;

import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * A pod, as far as its records are concerned.
 *
 * @param uid as it stands in the paths of its logs
 * @param labels of records: the pod's own, by names that labels of records can have, and {@code
 *     owner_kind} and {@code owner_name}; at most {@value #MOST_LABELS}
 * @param settings its labels and annotations of {@code cordwood.io/}, with their whole names
 */
public record Pod(String uid, Map<String, String> labels, Map<String, String> settings) {
  /** The beginning of the names of settings. */
  public static final String SETTING = "cordwood.io/";

  static final int MOST_LABELS = 32;
  static final int MOST_SETTINGS = 16;

  /** Kubernetes allows 63 characters for a label; an annotation can have more. */
  static final int MOST_CHARS = 256;

  private static final Pattern NO_NAME = Pattern.compile("[^A-Za-z0-9_.-]");
  private static final Set<String> RESERVED = Set.of("topic", "time");

  /** Labels that controllers count by, and people do not ask for. */
  private static final Set<String> LEFT_OUT =
      Set.of("pod-template-hash", "controller-revision-hash", "pod-template-generation");

  private static final String HASH = "pod-template-hash";
  private static final String REPLICA_SET = "ReplicaSet";

  public Pod {
    labels = Map.copyOf(labels);
    settings = Map.copyOf(settings);
  }

  /** Makes a pod of what an API server says; what is beyond a limit is left out. */
  static Pod of(
      String uid,
      SortedMap<String, String> labels,
      Map<String, String> settings,
      String ownerKind,
      String ownerName) {
    Map<String, String> found = new TreeMap<>();
    labels.forEach((name, value) -> {
      boolean fits = value.length() <= MOST_CHARS && found.size() < MOST_LABELS - 2;
      if (fits && !LEFT_OUT.contains(name) && !name.startsWith(SETTING)) {
        found.putIfAbsent(name(name), value);
      }
    });
    String end = "-" + labels.getOrDefault(HASH, "");
    boolean isOfDeployment =
        ownerKind.equals(REPLICA_SET) && end.length() > 1 && ownerName.endsWith(end);
    String name =
        isOfDeployment ? ownerName.substring(0, ownerName.length() - end.length()) : ownerName;
    if (!name.isEmpty() && name.length() <= MOST_CHARS && ownerKind.length() <= MOST_CHARS) {
      found.put("owner_kind", isOfDeployment ? "Deployment" : ownerKind);
      found.put("owner_name", name);
    }
    return new Pod(uid, found, settings);
  }

  private static String name(String label) {
    String name = NO_NAME.matcher(label).replaceAll("_");
    boolean isName = Character.isLetter(name.charAt(0)) || name.charAt(0) == '_';
    return isName && !RESERVED.contains(name) ? name : "_" + name;
  }
}
