package io.cordwood.cli.plan;

import java.util.HashMap;
import java.util.Map;

/**
 * The metrics of nodes at one moment, each summed over its labels and over nodes.
 *
 * @param sums by name
 */
record Counters(Map<String, Double> sums) {
  /** Those of one answer, in the text form of Prometheus. Lines of another form are left out. */
  static Counters parse(String text) {
    Map<String, Double> sums = new HashMap<>();
    text.lines().filter(line -> !line.startsWith("#")).forEach(line -> add(line, sums));
    return new Counters(sums);
  }

  private static void add(String line, Map<String, Double> sums) {
    int labels = line.indexOf('{');
    int space = line.indexOf(' ', Math.max(0, line.lastIndexOf('}')));
    if (space < 0) {
      return;
    }
    try {
      String name = line.substring(0, labels < 0 ? space : labels);
      sums.merge(name, Double.parseDouble(line.substring(space).strip()), Double::sum);
    } catch (NumberFormatException e) {
      // No metric that anything is read of.
    }
  }

  boolean has(String name) {
    return sums.containsKey(name);
  }

  /** 0 for one that no node has. */
  double of(String name) {
    return sums.getOrDefault(name, 0.0);
  }

  /** These and those of other nodes. */
  Counters plus(Counters others) {
    Map<String, Double> both = new HashMap<>(sums);
    others.sums.forEach((name, value) -> both.merge(name, value, Double::sum));
    return new Counters(both);
  }

  /** By how much each has grown. */
  Counters since(Counters before) {
    Map<String, Double> grown = new HashMap<>();
    sums.forEach((name, value) -> grown.put(name, value - before.of(name)));
    return new Counters(grown);
  }
}
