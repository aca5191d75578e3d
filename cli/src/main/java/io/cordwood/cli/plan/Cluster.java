package io.cordwood.cli.plan;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** All figures of a number of nodes under a load. Immutable. */
final class Cluster {
  private final Map<String, Double> values;
  private final List<Map<String, Double>> questions;

  private Cluster(Map<String, Double> values, List<Map<String, Double>> questions) {
    this.values = values;
    this.questions = questions;
  }

  /**
   * Computes them.
   *
   * @param ingestNodes 1 or more
   * @param stores 1 or more
   */
  public static Cluster of(
      Load load, Machine machine, Parameters parameters, int ingestNodes, int stores) {
    Map<String, Double> values = new LinkedHashMap<>();
    values.put("load", load.bytesPerSecond());
    values.put("peak", load.peak());
    values.put("retention", load.retentionSeconds());
    values.put("copies", (double) load.copies());
    values.put("growth", load.growth());
    values.put("outage", load.outageSeconds());
    values.put("cores", machine.cores());
    values.put("disk", machine.diskBytes());
    values.put("disk_rate", machine.diskRate());
    values.put("net_rate", machine.netRate());
    values.put("ingest_nodes", (double) ingestNodes);
    values.put("stores", (double) stores);
    for (Parameter each : Parameter.values()) {
      values.put(each.symbol(), parameters.of(each));
    }
    List<Map<String, Double>> questions = new ArrayList<>();
    for (Question each : load.questions()) {
      Map<String, Double> own = new HashMap<>(values);
      own.put("range", each.rangeSeconds());
      own.put("rate", each.perSecond());
      own.put("share", each.share(parameters));
      compute(Figure.Scope.BEFORE, own);
      questions.add(own);
    }
    values.put(
        "question_cores", questions.stream().mapToDouble(q -> of(Figure.ASKED_CORES, q)).sum());
    compute(Figure.Scope.CLUSTER, values);
    for (Map<String, Double> own : questions) {
      own.putAll(values);
      compute(Figure.Scope.AFTER, own);
    }
    return new Cluster(values, questions);
  }

  private static void compute(Figure.Scope scope, Map<String, Double> values) {
    for (Figure each : Figure.values()) {
      if (each.scope() == scope) {
        values.put(each.symbol(), each.of(values));
      }
    }
  }

  private static double of(Figure figure, Map<String, Double> values) {
    return Objects.requireNonNull(values.get(figure.symbol()), figure::symbol);
  }

  /** A figure of the cluster. */
  public double of(Figure figure) {
    return of(figure, values);
  }

  /**
   * A figure of a question.
   *
   * @param index of the question in the load
   */
  public double of(Figure figure, int index) {
    return of(figure, questions.get(index));
  }

  /** Processor time of all questions, in cores of all stores. */
  public double questionCores() {
    return Objects.requireNonNull(values.get("question_cores"));
  }

  /** All by name: load, machine, parameters and figures. */
  public Map<String, Double> values() {
    return Collections.unmodifiableMap(values);
  }
}
