package io.cordwood.query.loki;

import io.cordwood.common.http.server.HttpError;
import io.cordwood.query.logql.Expr;
import io.cordwood.query.logql.LabelReplace;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
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
      case Expr.Range range -> counted(range, Set.of(), true);
      case Expr.Aggregate aggregate -> aggregated(aggregate);
      case Expr.Binary both -> combined(both);
      case Expr.Relabelled(Expr within, LabelReplace replace, int _) -> relabelled(within, replace);
      case Expr.Logs _ -> throw new IllegalStateException("records are no series");
    };
  }

  private Series constant(double value) {
    double[] values = new double[grid.points()];
    Arrays.fill(values, value);
    return new Series(new TreeMap<>(), values);
  }

  private List<Series> counted(Expr.Range range, Set<String> names, boolean whole)
      throws IOException {
    return range.function() == Expr.Function.ABSENT_OVER_TIME
        ? List.of(absent(range))
        : counting.count(range, names, whole);
  }

  /** One where no record is, with the labels that such records would have. */
  private Series absent(Expr.Range range) throws IOException {
    double[] values = new double[grid.points()];
    Arrays.fill(values, 1);
    for (Series some : counting.count(range.counted(), Set.of(), false)) {
      Arrays.setAll(values, i -> Double.isNaN(some.values()[i]) ? values[i] : Double.NaN);
    }
    return new Series(range.logs().only(), values);
  }

  private List<Series> relabelled(Expr within, LabelReplace replace) throws IOException {
    Map<SortedMap<String, String>, double[]> all = new LinkedHashMap<>();
    for (Series each : of(within)) {
      SortedMap<String, String> labels = replace.apply(each.labels());
      counting.memory().takeSeries(labels.toString().length(), Double.BYTES, grid.points());
      double[] values = all.putIfAbsent(labels, each.values().clone());
      for (int i = 0; values != null && i < values.length; i++) {
        double value = each.values()[i];
        if (!Double.isNaN(value) && !Double.isNaN(values[i])) {
          throw new HttpError(
              400,
              "parameter query: expected other labels for each series after label_replace, found "
                  + labels
                  + " several times");
        }
        values[i] = Double.isNaN(value) ? values[i] : value;
      }
    }
    return all.entrySet().stream().map(e -> new Series(e.getKey(), e.getValue())).toList();
  }

  private List<Series> aggregated(Expr.Aggregate aggregate) throws IOException {
    if (aggregate.aggregator().sorts()) {
      return of(aggregate.of());
    }
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
    return counted(range, names, !sums);
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
      case TOPK, BOTTOMK, SORT, SORT_DESC ->
          throw new IllegalStateException("makes no series of several");
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
    var together =
        new SeriesOperation(both.operation(), both.matching(), grid.points(), counting.memory());
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

  /** As they are answered: by their labels, or by their values if that is asked for. */
  static List<Series> ordered(List<Series> all, Expr expr, boolean instant) {
    Comparator<Series> order = Comparator.comparing(each -> each.labels().toString());
    if (instant
        && expr instanceof Expr.Aggregate aggregate
        && (aggregate.aggregator().picks() || aggregate.aggregator().sorts())) {
      int sign = aggregate.aggregator() == Expr.Aggregator.SORT ? 1 : -1;
      Comparator<Series> byValue = Comparator.comparingDouble(each -> sign * each.values()[0]);
      order = byValue.thenComparing(order);
    }
    return all.stream().sorted(order).toList();
  }
}
