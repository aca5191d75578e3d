package io.cordwood.agent.follow;

import io.cordwood.agent.pods.NodePods;
import io.cordwood.agent.pods.Pod;
import io.cordwood.common.wire.Labels;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * Which labels a file's lines have: those of all files, what the place of a container's file says
 * of it, and what a pattern finds in its path.
 */
public final class LabelRule {
  /** No labels for any file. */
  public static final LabelRule NONE = all(Labels.NONE);

  private static final String NODE = "node";

  private final Labels ofAll;
  private final @Nullable Pattern pattern;
  private final Set<String> names;
  private final boolean knowsContainers;
  private final String node;
  private final @Nullable NodePods pods;
  private final boolean onlyIncluded;

  private LabelRule(
      Labels ofAll,
      @Nullable Pattern pattern,
      Set<String> names,
      boolean knowsContainers,
      String node,
      @Nullable NodePods pods,
      boolean onlyIncluded) {
    this.ofAll = ofAll;
    this.pattern = pattern;
    this.names = names;
    this.knowsContainers = knowsContainers;
    this.node = node;
    this.pods = pods;
    this.onlyIncluded = onlyIncluded;
  }

  /** A rule that gives all files the same labels. */
  public static LabelRule all(Labels labels) {
    return new LabelRule(labels, null, Set.of(), false, "", null, false);
  }

  /**
   * The rule that finds more labels in the path; one of all files, of the same name, gives way.
   *
   * @param regex is looked for in the whole path; each of its named groups is a label
   * @throws IllegalArgumentException when it is none, or has no group with a label's name
   */
  public static LabelRule pattern(Labels ofAll, String regex) {
    try {
      Pattern pattern = Pattern.compile(regex);
      Set<String> names = new TreeSet<>(pattern.namedGroups().keySet());
      if (names.isEmpty()) {
        throw new IllegalArgumentException(
            "expected a named group, as in /pods/(?<namespace>[^_]+)_, found " + regex);
      }
      names.forEach(Labels::checkName);
      return new LabelRule(ofAll, pattern, names, false, "", null, false);
    } catch (PatternSyntaxException e) {
      throw new IllegalArgumentException(
          "expected a regular expression, found " + regex + ": " + e.getDescription(), e);
    }
  }

  /** Those of all files. */
  Labels ofAll() {
    return ofAll;
  }

  /** Whether the pattern, if there is one, is in a file's path. */
  boolean matches(Path file) {
    return pattern == null || pattern.matcher(file.toString()).find();
  }

  /**
   * The rule that gives the lines of containers also what the places of their files say of them.
   *
   * @param nodeName of the machine that runs pods; empty if it is not known
   */
  public LabelRule withContainers(String nodeName) {
    return new LabelRule(ofAll, pattern, names, true, nodeName, pods, onlyIncluded);
  }

  /** The rule that also gives the lines of pods what is known of these. */
  public LabelRule withPods(NodePods known) {
    return new LabelRule(ofAll, pattern, names, knowsContainers, node, known, onlyIncluded);
  }

  /** The rule by which files of containers are not read, but those whose settings say so. */
  public LabelRule withOnlyIncluded() {
    return new LabelRule(ofAll, pattern, names, knowsContainers, node, pods, true);
  }

  /** Whether a file is not read unless its container's settings say so. */
  boolean needsInclusion(Path file, Path home) {
    return onlyIncluded && !ContainerPlace.labels(file, home).isEmpty();
  }

  /** Grows with each change of what is known of pods. */
  long changes() {
    return pods == null ? 0 : pods.changes();
  }

  private @Nullable Pod pod(Map<String, String> container) {
    String uid = container.get("uid");
    return uid == null || pods == null ? null : pods.get(uid);
  }

  /**
   * The settings of the container that writes a file, by their whole names: those of its pod, or of
   * its labels in Docker.
   */
  Map<String, String> settings(Path file, Path home) {
    if (!knowsContainers) {
      return Map.of();
    }
    Map<String, String> settings = new TreeMap<>(ContainerPlace.known(file, home));
    Pod pod = pod(settings);
    settings.keySet().removeIf(name -> !name.startsWith(Pod.SETTING));
    if (pod != null) {
      settings.putAll(pod.settings());
    }
    return settings;
  }

  /**
   * The labels of a file's lines. Without what the pattern finds, if that is nothing.
   *
   * @param home of its bytes, to which its name leads or led
   * @throws IllegalArgumentException when what is found cannot be labels
   */
  Labels of(Path file, Path home) {
    Map<String, String> found = new TreeMap<>();
    if (knowsContainers) {
      found.putAll(ContainerPlace.labels(file, home));
      Pod pod = pod(found);
      if (pod != null) {
        pod.labels().forEach(found::putIfAbsent);
      }
      if (!found.isEmpty() && !node.isEmpty()) {
        found.put(NODE, node);
      }
    }
    Matcher matcher = pattern == null ? null : pattern.matcher(file.toString());
    if (matcher != null && matcher.find()) {
      for (String name : names) {
        String value = matcher.group(name);
        if (value != null) {
          found.put(name, value);
        }
      }
    }
    if (found.isEmpty()) {
      return ofAll;
    }
    Map<String, String> pairs = new TreeMap<>(ofAll.pairs());
    pairs.putAll(found);
    return Labels.of(pairs);
  }
}
