package io.cordwood.query.logql;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A query, as it is written. */
public sealed interface Expr {
  /**
   * Records.
   *
   * @param selector what the labels of streams have to be
   */
  record Logs(List<LabelMatcher> selector, List<Stage> stages, int at) implements Expr {
    @Override
    public String toString() {
      String matchers =
          selector.stream().map(LabelMatcher::toString).collect(Collectors.joining(", "));
      return "{"
          + matchers
          + "}"
          + stages.stream().map(stage -> " " + stage).collect(Collectors.joining());
    }

    /** These records, of which nothing is measured. */
    Logs withoutUnwrap() {
      return new Logs(
          selector, stages.stream().filter(s -> !(s instanceof Stage.Unwrap)).toList(), at);
    }

    /** Labels with the only values that the selector lets them have. */
    public SortedMap<String, String> only() {
      SortedMap<String, String> only = new TreeMap<>();
      for (LabelMatcher each : selector) {
        boolean isAlone = selector.stream().filter(m -> m.name().equals(each.name())).count() == 1;
        if (isAlone && each.operator() == LabelMatcher.Operator.EQUAL && !each.value().isEmpty()) {
          only.put(each.name(), each.value());
        }
      }
      return only;
    }

    /** The names of labels in the selector. */
    public List<String> labels() {
      return selector.stream().map(LabelMatcher::name).distinct().toList();
    }
  }

  /** A way to count records in a range. */
  enum Function {
    COUNT_OVER_TIME,
    RATE,
    BYTES_OVER_TIME,
    BYTES_RATE,
    SUM_OVER_TIME,
    AVG_OVER_TIME,
    MIN_OVER_TIME,
    MAX_OVER_TIME,
    STDDEV_OVER_TIME,
    STDVAR_OVER_TIME,
    QUANTILE_OVER_TIME,
    FIRST_OVER_TIME,
    LAST_OVER_TIME,
    ABSENT_OVER_TIME;

    private static final Set<Function> OF_RECORDS =
        EnumSet.of(COUNT_OVER_TIME, BYTES_OVER_TIME, BYTES_RATE, ABSENT_OVER_TIME);
    private static final Set<Function> WITHOUT_GROUPS =
        EnumSet.of(
            COUNT_OVER_TIME, RATE, BYTES_OVER_TIME, BYTES_RATE, SUM_OVER_TIME, ABSENT_OVER_TIME);

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    public boolean ofBytes() {
      return this == BYTES_OVER_TIME || this == BYTES_RATE;
    }

    public boolean perSecond() {
      return this == RATE || this == BYTES_RATE;
    }

    /** Whether it matters in what order records came. */
    public boolean needsOrder() {
      return this == FIRST_OVER_TIME || this == LAST_OVER_TIME;
    }

    /** Whether those of several streams are that of all together, summed up. */
    public boolean isSum() {
      return (takesRecords() && this != ABSENT_OVER_TIME) || this == SUM_OVER_TIME;
    }

    /** Whether numbers that are unwrapped can be given to it. */
    boolean takesNumbers() {
      return !OF_RECORDS.contains(this);
    }

    /** Whether records can be. */
    boolean takesRecords() {
      return this == RATE || OF_RECORDS.contains(this);
    }

    /** Whether it takes numbers of several streams together. */
    boolean takesGroups() {
      return !WITHOUT_GROUPS.contains(this);
    }
  }

  /**
   * Numbers of each stream, of the time before each point.
   *
   * @param quantile of quantile_over_time
   * @param unwrap what is measured; empty if records are counted
   * @param offset by which that time is earlier
   * @param by which labels series have; empty for all of their streams
   */
  record Range(
      Function function,
      double quantile,
      Logs logs,
      Optional<Measured> unwrap,
      Duration range,
      Duration offset,
      Optional<By> by,
      int at)
      implements Expr {
    /** Counts records of each stream. */
    static Range of(Function function, Logs logs, Duration range) {
      return new Range(
          function, 0, logs, Optional.empty(), range, Duration.ZERO, Optional.empty(), 0);
    }

    /** Counts all of its records, whatever it makes of them. */
    public Range counted() {
      return new Range(Function.COUNT_OVER_TIME, 0, logs, Optional.empty(), range, offset, by, at);
    }

    @Override
    public String toString() {
      return function.word()
          + "("
          + (function == Function.QUANTILE_OVER_TIME ? Texts.number(quantile) + ", " : "")
          + logs
          + unwrap.map(each -> " " + each).orElse("")
          + " ["
          + range.toMillis()
          + "ms]"
          + (offset.isZero() ? "" : " offset " + offset.toMillis() + "ms")
          + ")"
          + by.map(By::toString).orElse("");
    }
  }

  /** How series become one. */
  enum Aggregator {
    SUM,
    MIN,
    MAX,
    AVG,
    COUNT,
    STDDEV,
    STDVAR,
    TOPK,
    BOTTOMK,
    SORT,
    SORT_DESC;

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    public boolean picks() {
      return this == TOPK || this == BOTTOMK;
    }

    /** Whether it leaves series as they are, and says in what order they are answered. */
    public boolean sorts() {
      return this == SORT || this == SORT_DESC;
    }
  }

  /**
   * Which labels are left.
   *
   * @param without whether these go, instead of the others
   */
  record By(boolean without, List<String> names) {
    static final By NOTHING = new By(false, List.of());

    @Override
    public String toString() {
      return (without ? " without (" : " by (") + String.join(", ", names) + ")";
    }
  }

  /**
   * Series together.
   *
   * @param most of topk and bottomk
   */
  record Aggregate(Aggregator aggregator, By by, int most, Expr of, int at) implements Expr {
    @Override
    public String toString() {
      if (aggregator.sorts()) {
        return aggregator.word() + "(" + of + ")";
      }
      return aggregator.word() + by + " (" + (aggregator.picks() ? most + ", " : "") + of + ")";
    }
  }

  /** Whether it is one number, without labels. */
  static boolean isNumber(Expr expr) {
    return expr instanceof Constant number
        ? !number.vector()
        : expr instanceof Binary both && isNumber(both.left()) && isNumber(both.right());
  }

  /** The bytes of records, of the labels that have the most of them. */
  static Expr topBytes(Logs logs, List<String> names, Duration range, int most) {
    var bytes = Range.of(Function.BYTES_OVER_TIME, logs, range);
    var sum = new Aggregate(Aggregator.SUM, new By(false, names), 0, bytes, 0);
    return new Aggregate(Aggregator.TOPK, By.NOTHING, most, sum, 0);
  }

  /** A number; of a vector, in a series without labels. */
  record Constant(double value, boolean vector, int at) implements Expr {
    @Override
    public String toString() {
      return vector ? "vector(" + Texts.number(value) + ")" : Texts.number(value);
    }
  }

  /** Series of which a label is made of another one. */
  record Relabelled(Expr of, LabelReplace replace, int at) implements Expr {
    @Override
    public String toString() {
      return "label_replace(" + of + ", " + replace + ")";
    }
  }

  /** Two sides, of numbers or series, that are calculated, compared or put together. */
  record Binary(Expr left, Operation operation, Matching matching, Expr right, int at)
      implements Expr {
    @Override
    public String toString() {
      return "(" + left + " " + operation.sign() + matching + " " + right + ")";
    }
  }
}
