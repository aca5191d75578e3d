package io.cordwood.ingest.elastic;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Keys of documents that describe who sent them, and those of their time: dotted, as objects in
 * objects, or both. {@link #ROOT} is a tree of what may stand in an object.
 *
 * <pre>
 *   {"host.name":"a"}   {"host":{"name":"a"}}   {"kubernetes.pod":{"name":"p"}}
 * </pre>
 */
final class SenderKeys {
  /** Those that become labels, of the same names; docs/format/foreign.md lists them. */
  static final List<String> LABELS =
      List.of(
          "service.name",
          "service",
          "app",
          "program",
          "host.name",
          "host",
          "hostname",
          "agent.type",
          "container.name",
          "container.id",
          "kubernetes.namespace",
          "kubernetes.namespace_name",
          "kubernetes.pod.name",
          "kubernetes.pod_name",
          "kubernetes.container.name",
          "kubernetes.container_name",
          "kubernetes.node.name",
          "kubernetes.host");

  /** Those of the time, the first of which that there is counts. */
  static final List<String> TIMES = List.of("@timestamp", "timestamp", "time");

  static final Node ROOT = tree();

  private SenderKeys() {}

  /** A place in a document. */
  static final class Node {
    // Keys that count of an object here.
    final Map<String, Node> below = new HashMap<>();

    // The number of the label whose value is here, or -1.
    int label = -1;

    // The number of the time that is here, or -1.
    int time = -1;
  }

  private static Node tree() {
    var root = new Node();
    for (int i = 0; i < LABELS.size(); i++) {
      add(root, LABELS.get(i), i);
    }
    for (int i = 0; i < TIMES.size(); i++) {
      root.below.computeIfAbsent(TIMES.get(i), _ -> new Node()).time = i;
    }
    return root;
  }

  private static void add(Node node, String name, int label) {
    node.below.computeIfAbsent(name, _ -> new Node()).label = label;
    for (int dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
      Node within = node.below.computeIfAbsent(name.substring(0, dot), _ -> new Node());
      add(within, name.substring(dot + 1), label);
    }
  }
}
