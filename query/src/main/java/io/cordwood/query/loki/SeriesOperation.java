package io.cordwood.query.loki;

import io.cordwood.common.http.server.HttpError;
import io.cordwood.query.logql.Matching;
import io.cordwood.query.logql.Matching.Side;
import io.cordwood.query.logql.Operation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Puts series and numbers together, point by point. */
record SeriesOperation(Operation operation, Matching matching, int points, SeriesMemory memory) {
  List<Series> numbers(Series left, Series right) {
    double[] values = new double[points];
    Arrays.setAll(values, i -> operation.of(left.values()[i], right.values()[i]));
    return List.of(new Series(left.labels(), values));
  }

  /** Each of some series with the same number. */
  List<Series> withNumber(List<Series> all, Series number, boolean numberIsLeft) {
    return all.stream()
        .map(each -> {
          double[] values = new double[points];
          for (int i = 0; i < points; i++) {
            double own = each.values()[i];
            double left = numberIsLeft ? number.values()[i] : own;
            double right = numberIsLeft ? own : number.values()[i];
            values[i] = Double.isNaN(own) ? own : value(left, right, own);
          }
          return new Series(each.labels(), values);
        })
        .toList();
  }

  /**
   * A value of two.
   *
   * @param kept what is left of them if they are compared, and it is so
   */
  private double value(double left, double right, double kept) {
    double value = operation.of(left, right);
    if (!operation.compares() || matching.bool()) {
      return value;
    }
    return value == 0 ? Double.NaN : kept;
  }

  List<Series> series(List<Series> left, List<Series> right) {
    if (operation.isOfSets()) {
      return sets(left, right);
    }
    boolean rightHasMany = matching.side() == Side.RIGHT;
    List<Series> many = rightHasMany ? right : left;
    Map<SortedMap<String, String>, List<Series>> ones = byKey(rightHasMany ? left : right);
    ones.values().forEach(this::checkOne);
    Map<SortedMap<String, String>, double[]> all = new LinkedHashMap<>();
    for (Series each : many) {
      List<Series> matched = ones.getOrDefault(matching.key(each.labels()), List.of());
      for (Series one : matched) {
        double[] values =
            all.computeIfAbsent(
                labels(each.labels(), one.labels()), labels -> nothing(labels.toString().length()));
        put(each, one, rightHasMany, values);
      }
    }
    return all.entrySet().stream().map(e -> new Series(e.getKey(), e.getValue())).toList();
  }

  private void put(Series each, Series one, boolean rightHasMany, double[] values) {
    for (int i = 0; i < points; i++) {
      double left = (rightHasMany ? one : each).values()[i];
      double right = (rightHasMany ? each : one).values()[i];
      if (!Double.isNaN(left) && !Double.isNaN(right)) {
        if (!Double.isNaN(values[i])) {
          throw several();
        }
        values[i] = value(left, right, left);
      }
    }
  }

  /** As many may come of each series of many as there are on the other side. */
  private double[] nothing(int labels) {
    memory.takeSeries(labels, Double.BYTES, points);
    double[] values = new double[points];
    Arrays.fill(values, Double.NaN);
    return values;
  }

  private Map<SortedMap<String, String>, List<Series>> byKey(List<Series> all) {
    Map<SortedMap<String, String>, List<Series>> byKey = new HashMap<>();
    all.forEach(each ->
        byKey.computeIfAbsent(matching.key(each.labels()), _ -> new ArrayList<>()).add(each));
    return byKey;
  }

  /** There may be several, of which each point has one. */
  private void checkOne(List<Series> ofKey) {
    boolean[] seen = new boolean[points];
    for (Series each : ofKey.size() < 2 ? List.<Series>of() : ofKey) {
      for (int i = 0; i < points; i++) {
        if (!Double.isNaN(each.values()[i])) {
          if (seen[i]) {
            throw several();
          }
          seen[i] = true;
        }
      }
    }
  }

  private static HttpError several() {
    return new HttpError(
        400,
        "parameter query: expected one series a side with the same labels at a time, found"
            + " several; on, ignoring, group_left and group_right say which belong together");
  }

  private SortedMap<String, String> labels(
      SortedMap<String, String> many, SortedMap<String, String> one) {
    SortedMap<String, String> labels = new TreeMap<>(many);
    if (matching.side() == Side.NONE) {
      return matching.key(many);
    }
    for (String name : matching.included()) {
      labels.remove(name);
      if (one.containsKey(name)) {
        labels.put(name, one.get(name));
      }
    }
    return labels;
  }

  private List<Series> sets(List<Series> left, List<Series> right) {
    return switch (operation) {
      case AND -> filtered(left, has(right), true);
      case UNLESS -> filtered(left, has(right), false);
      default -> {
        Map<SortedMap<String, String>, double[]> all = new LinkedHashMap<>();
        left.forEach(each -> all.put(each.labels(), each.values().clone()));
        for (Series each : filtered(right, has(left), false)) {
          double[] values =
              all.computeIfAbsent(each.labels(), it -> nothing(it.toString().length()));
          for (int i = 0; i < points; i++) {
            values[i] = Double.isNaN(values[i]) ? each.values()[i] : values[i];
          }
        }
        yield all.entrySet().stream().map(e -> new Series(e.getKey(), e.getValue())).toList();
      }
    };
  }

  /** At which points there is a series. */
  private Map<SortedMap<String, String>, boolean[]> has(List<Series> all) {
    Map<SortedMap<String, String>, boolean[]> has = new HashMap<>();
    for (Series each : all) {
      boolean[] own = has.computeIfAbsent(matching.key(each.labels()), _ -> new boolean[points]);
      for (int i = 0; i < points; i++) {
        own[i] |= !Double.isNaN(each.values()[i]);
      }
    }
    return has;
  }

  private List<Series> filtered(
      List<Series> all, Map<SortedMap<String, String>, boolean[]> has, boolean wanted) {
    return all.stream()
        .map(each -> {
          boolean[] other = has.getOrDefault(matching.key(each.labels()), new boolean[points]);
          double[] values = new double[points];
          Arrays.setAll(values, i -> other[i] == wanted ? each.values()[i] : Double.NaN);
          return new Series(each.labels(), values);
        })
        .toList();
  }
}
