package io.cordwood.query.loki;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.DoubleBinaryOperator;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** Evaluates queries for numbers one point after the other, from all records. */
final class NaiveNumbers {
  private NaiveNumbers() {}

  /** A record, with all its labels and fields. */
  record Sample(long millis, Map<String, String> stream, Map<String, String> fields) {
    String value(String name) {
      return fields.getOrDefault(name, stream.getOrDefault(name, ""));
    }
  }

  /** Values by labels, at one time. */
  interface Vector extends Function<Long, Map<Map<String, String>, Double>> {}

  /** A query is refused at some time. */
  static final class Several extends RuntimeException {}

  static Map<String, String> only(Map<String, String> labels, List<String> names, boolean by) {
    Map<String, String> left = new TreeMap<>(labels);
    left.keySet().removeIf(name -> names.contains(name) != by);
    left.values().removeIf(String::isEmpty);
    return left;
  }

  /** A function of the numbers, in their order, in the time before a point. */
  static Vector overTime(
      List<Sample> all,
      Predicate<Sample> selects,
      long rangeMillis,
      Function<Sample, Map<String, String>> labels,
      Function<Sample, Double> number,
      Function<double[], Double> function) {
    return at -> {
      Map<Map<String, String>, List<Double>> groups = new HashMap<>();
      all.stream()
          .filter(selects)
          .filter(s -> s.millis > at - rangeMillis && s.millis <= at)
          .sorted(Comparator.comparingLong(Sample::millis))
          .filter(s -> !number.apply(s).isNaN())
          .forEach(s ->
              groups.computeIfAbsent(labels.apply(s), _ -> new ArrayList<>()).add(number.apply(s)));
      Map<Map<String, String>, Double> values = new HashMap<>();
      groups.forEach((key, numbers) ->
          values.put(
              key, function.apply(numbers.stream().mapToDouble(Double::doubleValue).toArray())));
      return values;
    };
  }

  /** What there was some time ago. */
  static Vector before(Vector of, long offsetMillis) {
    return at -> of.apply(at - offsetMillis);
  }

  /** One, with some labels, where there is nothing. */
  static Vector absent(Vector of, Map<String, String> labels) {
    return at -> of.apply(at).isEmpty() ? Map.of(labels, 1.0) : Map.of();
  }

  /** With other labels; a query is refused if they are those of several. */
  static Vector relabelled(Vector of, UnaryOperator<Map<String, String>> change) {
    return at -> {
      Map<Map<String, String>, Double> values = new HashMap<>();
      of.apply(at)
          .forEach((labels, value) -> {
            if (values.put(change.apply(labels), value) != null) {
              throw new Several();
            }
          });
      return values;
    };
  }

  static Vector aggregate(
      Vector of, List<String> names, boolean by, Function<double[], Double> function) {
    return at -> {
      Map<Map<String, String>, List<Double>> groups = new HashMap<>();
      of.apply(at)
          .forEach((labels, value) ->
              groups.computeIfAbsent(only(labels, names, by), _ -> new ArrayList<>()).add(value));
      Map<Map<String, String>, Double> values = new HashMap<>();
      groups.forEach((key, numbers) ->
          values.put(
              key, function.apply(numbers.stream().mapToDouble(Double::doubleValue).toArray())));
      return values;
    };
  }

  static Vector each(Vector of, Function<Double, Double> function) {
    return at -> {
      Map<Map<String, String>, Double> values = new HashMap<>();
      of.apply(at).forEach((labels, value) -> values.put(labels, function.apply(value)));
      values.values().removeIf(value -> value.isNaN());
      return values;
    };
  }

  /** Series of the same labels; not a number where they are left out. */
  static Vector matched(
      Vector left, Vector right, List<String> names, boolean on, DoubleBinaryOperator operator) {
    return at -> {
      Map<Map<String, String>, Double> ones = new HashMap<>();
      right
          .apply(at)
          .forEach((labels, value) -> {
            if (ones.put(only(labels, names, on), value) != null) {
              throw new Several();
            }
          });
      Map<Map<String, String>, Double> values = new HashMap<>();
      left.apply(at)
          .forEach((labels, value) -> {
            Map<String, String> key = only(labels, names, on);
            if (ones.containsKey(key)) {
              double together = operator.applyAsDouble(value, ones.get(key));
              if (!Double.isNaN(together) && values.put(key, together) != null) {
                throw new Several();
              }
            }
          });
      return values;
    };
  }

  static Vector sets(Vector left, Vector right, List<String> names, boolean on, String operation) {
    return at -> {
      Map<Map<String, String>, Double> ofLeft = left.apply(at);
      Map<Map<String, String>, Double> ofRight = right.apply(at);
      List<Map<String, String>> keysOfLeft =
          ofLeft.keySet().stream().map(labels -> only(labels, names, on)).toList();
      List<Map<String, String>> keysOfRight =
          ofRight.keySet().stream().map(labels -> only(labels, names, on)).toList();
      Map<Map<String, String>, Double> values = new HashMap<>(ofLeft);
      if (operation.equals("or")) {
        ofRight.forEach((labels, value) -> {
          if (!keysOfLeft.contains(only(labels, names, on))) {
            values.put(labels, value);
          }
        });
      } else {
        values
            .keySet()
            .removeIf(l -> keysOfRight.contains(only(l, names, on)) != operation.equals("and"));
      }
      return values;
    };
  }

  static double sum(double[] values) {
    return Arrays.stream(values).sum();
  }

  static double average(double[] values) {
    return sum(values) / values.length;
  }

  static double deviation(double[] values) {
    double average = average(values);
    return Math.sqrt(
        Arrays.stream(values).map(v -> (v - average) * (v - average)).sum() / values.length);
  }

  static double quantile(double quantile, double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    double rank = quantile * (sorted.length - 1);
    int below = (int) rank;
    double above = sorted[Math.min(below + 1, sorted.length - 1)];
    return sorted[below] + (above - sorted[below]) * (rank - below);
  }
}
