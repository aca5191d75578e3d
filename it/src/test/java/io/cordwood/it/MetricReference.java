package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * {@code docs/metrics.md}, made of what nodes answer to {@code /metrics}. A metric of no known part
 * is an error.
 */
final class MetricReference {
  private static final Pattern COMMENT = Pattern.compile("# (HELP|TYPE) (cordwood_\\w+) (.*)");
  private static final Pattern SAMPLE = Pattern.compile("(cordwood_\\w+)(?:\\{(.*)})? \\S+");
  private static final Pattern LABEL = Pattern.compile("(\\w+)=\"");

  /** Titles by what names begin with, in alternatives. */
  private static final Map<String, String> PARTS = new LinkedHashMap<>();

  /** The same, of nodes with certain flags. */
  private static final Map<String, String> PARTS_BY_FLAGS = new LinkedHashMap<>();

  static {
    PARTS.put("ingest", "Ingest nodes");
    PARTS.put("store", "Stores");
    PARTS.put("query", "Queries, on all nodes");
    PARTS.put("stream", "Live streams, on all nodes");
    PARTS.put("http", "HTTP, on all nodes");
    PARTS.put("peer", "Calls to other nodes, on all nodes");
    PARTS.put("access", "Access, on all nodes");
    PARTS.put("cluster", "The cluster, on all nodes");
    PARTS.put("deletions", "Deletions, on all nodes");
    PARTS.put("task", "Tasks, on all nodes");
    PARTS.put("build", "The build, on all nodes");
    PARTS_BY_FLAGS.put("tokens|ingest_token", "Tokens, on nodes with `--tokens`");
    PARTS_BY_FLAGS.put("audit", "The audit log, on nodes with `--tokens` or `--audit-file`");
    PARTS_BY_FLAGS.put("tls", "TLS, on nodes with `--tls-dir`");
    PARTS_BY_FLAGS.put("rules", "Rules, on nodes with `--rules`");
    PARTS_BY_FLAGS.put(
        "cold", "The bucket, on stores with `--cold`; other nodes have what concerns queries");
  }

  private final TreeMap<String, String> help = new TreeMap<>();
  private final Map<String, String> types = new LinkedHashMap<>();
  private final Map<String, TreeSet<String>> labels = new LinkedHashMap<>();

  private MetricReference(String metrics) {
    for (String line : metrics.lines().toList()) {
      Matcher comment = COMMENT.matcher(line);
      Matcher sample = SAMPLE.matcher(line);
      if (comment.matches()) {
        (comment.group(1).equals("HELP") ? help : types).put(comment.group(2), comment.group(3));
      } else if (sample.matches() && sample.group(2) != null) {
        String name = sample.group(1).replaceFirst("_bucket$", "");
        LABEL
            .matcher(sample.group(2))
            .results()
            .map(label -> label.group(1))
            .filter(label -> !label.equals("le"))
            .forEach(label -> labels.computeIfAbsent(name, _ -> new TreeSet<>()).add(label));
      }
    }
    assertThat(help.keySet()).as("metrics of a known part").allMatch(MetricReference::isOfAPart);
  }

  private static boolean isOfAPart(String name) {
    return Stream.of(PARTS, PARTS_BY_FLAGS)
        .flatMap(parts -> parts.keySet().stream())
        .anyMatch(part -> isOf(part, name));
  }

  private static boolean isOf(String part, String name) {
    return name.matches("cordwood_(" + part + ")(_.*)?");
  }

  static String of(String metrics) {
    return new MetricReference(metrics).text();
  }

  /** The reference's last parts, of a node with tokens, TLS, rules and a bucket. */
  static String byFlags(String metrics) {
    var made = new MetricReference(metrics);
    var text = new StringBuilder();
    PARTS_BY_FLAGS.forEach((part, title) -> made.part(part, title, text));
    return text.toString();
  }

  private String text() {
    var text = new StringBuilder();
    text.append(
        """
        # Metrics

        What a node answers to `GET /metrics`, for Prometheus. This page is made from a running \
        node; the build fails when it is stale. \
        [Operations](operations.md#metrics) says which to look at first; \
        `deploy/grafana/cordwood.json` is a dashboard and `deploy/prometheus/alerts.yml` the \
        alarms.
        <!-- checked by MetricsIT.referenceIsWhatANodeShows -->

        A histogram has `_bucket`, `_sum` and `_count`; its bounds go from 50 µs to 13 s, each \
        1.41 times the one before. What ends in `_max` is the largest of the last minutes. \
        Besides these there are `jvm_…`, `process_…` and `system_…`, of the JVM and the machine.
        """);
    PARTS.forEach((part, title) -> part(part, title, text));
    return text.toString();
  }

  private void part(String part, String title, StringBuilder text) {
    text.append("\n## ")
        .append(title)
        .append("\n\n| metric | type | labels | is |\n|---|---|---|---|\n");
    help.forEach((name, meaning) -> {
      if (isOf(part, name) && !isMaximum(name)) {
        text.append(
            "| `%s` | %s | %s | %s |%n".formatted(name, types.get(name), labels(name), meaning));
      }
    });
  }

  private boolean isMaximum(String name) {
    return name.endsWith("_max") && help.containsKey(name.replaceFirst("_max$", ""));
  }

  private String labels(String name) {
    return labels.getOrDefault(name, new TreeSet<>()).stream()
        .map(label -> "`" + label + "`")
        .collect(Collectors.joining(", "));
  }
}
