package io.cordwood.query.loki;

import io.cordwood.query.logql.Expr;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** Makes series of a query. For the query's own thread. */
record Evaluation(Counting counting, Grid grid) {
  List<Series> of(Expr expr) throws IOException {
    return switch (expr) {
      case Expr.Constant number -> List.of(constant(number.value()));
      case Expr.Range range -> counting.count(range, Set.of(), true);
      case Expr.Aggregate aggregate -> aggregated(aggregate);
      case Expr.Binary both -> combined(both);
      case Expr.Logs _ -> throw new IllegalStateException("records are no series");
    };
  }

  private Series constant(double value) {
    double[] values = new double[grid.points()];
    Arrays.fill(values, value);
    return new Series(new TreeMap<>(), values);
  }

  private List<Series> aggregated(Expr.Aggregate aggregate) throws IOException {
    Map<SortedMap<String, String>, List<Series>> groups = new HashMap<>();
    for (Series one : within(aggregate)) {
      groups.computeIfAbsent(left(one.labels(), aggregate.by()), _ -> new ArrayList<>()).add(one);
    }
    List<Series> all = new ArrayList<>();
    groups.forEach((labels, series) -> {
      if (aggregate.aggregator().picks()) {
        all.addAll(picked(aggregate, series));
      } else {
        all.add(new Series(labels, together(aggregate.aggregator(), series)));
      }
    });
    return all;
  }

  /** Sums are counted by the labels that are left; others need the series one by one. */
  private List<Series> within(Expr.Aggregate aggregate) throws IOException {
    if (!(aggregate.of() instanceof Expr.Range range)) {
      return of(aggregate.of());
    }
    Set<String> names = aggregate.by().without() ? Set.of() : Set.copyOf(aggregate.by().names());
    boolean sums =
        aggregate.aggregator() == Expr.Aggregator.SUM
            && !aggregate.by().without()
            && range.function().isSum();
    return counting.count(range, names, !sums);
  }

  private static SortedMap<String, String> left(SortedMap<String, String> labels, Expr.By by) {
    SortedMap<String, String> left = new TreeMap<>(labels);
    left.keySet().removeIf(name -> by.names().contains(name) == by.without());
    return left;
  }

  private double[] together(Expr.Aggregator aggregator, List<Series> series) {
    double[] all = new double[grid.points()];
    for (int point = 0; point < all.length; point++) {
      int at = point;
      double[] values =
          series.stream().mapToDouble(s -> s.values()[at]).filter(v -> !Double.isNaN(v)).toArray();
      all[point] = values.length == 0 ? Double.NaN : together(aggregator, values);
    }
    return all;
  }

  private static double together(Expr.Aggregator aggregator, double[] values) {
    return switch (aggregator) {
      case SUM -> Arrays.stream(values).sum();
      case MIN -> Arrays.stream(values).min().orElseThrow();
      case MAX -> Arrays.stream(values).max().orElseThrow();
      case AVG -> Arrays.stream(values).average().orElseThrow();
      case COUNT -> values.length;
      case STDDEV -> Math.sqrt(variance(values));
      case STDVAR -> variance(values);
      case TOPK, BOTTOMK -> throw new IllegalStateException("picks series");
    };
  }

  private static double variance(double[] values) {
    double average = Arrays.stream(values).average().orElseThrow();
    return Arrays.stream(values).map(v -> (v - average) * (v - average)).sum() / values.length;
  }

  /** At each point the greatest, or least. */
  private List<Series> picked(Expr.Aggregate aggregate, List<Series> series) {
    boolean greatest = aggregate.aggregator() == Expr.Aggregator.TOPK;
    List<Series> all =
        series.stream().map(s -> new Series(s.labels(), s.values().clone())).toList();
    for (int point = 0; point < grid.points(); point++) {
      int at = point;
      Comparator<Series> order = Comparator.comparingDouble(s -> s.values()[at]);
      all.stream()
          .filter(s -> !Double.isNaN(s.values()[at]))
          .sorted(greatest ? order.reversed() : order)
          .skip(aggregate.most())
          .toList()
          .forEach(s -> s.values()[at] = Double.NaN);
    }
    return all;
  }

  private List<Series> combined(Expr.Binary both) throws IOException {
    List<Series> left = of(both.left());
    List<Series> right = of(both.right());
    var together = new Together(both.operation(), both.matching(), grid.points());
    boolean leftIsNumber = Expr.isNumber(both.left());
    if (leftIsNumber && Expr.isNumber(both.right())) {
      return together.numbers(left.getFirst(), right.getFirst());
    } else if (leftIsNumber) {
      return together.withNumber(right, left.getFirst(), true);
    } else if (Expr.isNumber(both.right())) {
      return together.withNumber(left, right.getFirst(), false);
    }
    return together.series(left, right);
  }

  /** As they are answered: by their labels, or the greatest first if some were picked. */
  static List<Series> ordered(List<Series> all, Expr expr, boolean instant) {
    Comparator<Series> byLabels = Comparator.comparing(each -> each.labels().toString());
    boolean picked =
        instant && expr instanceof Expr.Aggregate aggregate && aggregate.aggregator().picks();
    Comparator<Series> byValue = Comparator.comparingDouble(each -> -each.values()[0]);
    return all.stream().sorted(picked ? byValue.thenComparing(byLabels) : byLabels).toList();
  }
}
