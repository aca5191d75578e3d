package io.cordwood.query.logql;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
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
    BYTES_RATE;

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    public boolean ofBytes() {
      return this == BYTES_OVER_TIME || this == BYTES_RATE;
    }

    public boolean perSecond() {
      return this == RATE || this == BYTES_RATE;
    }
  }

  /** Numbers of each stream, of the time before each point. */
  record Range(Function function, Logs logs, Duration range, int at) implements Expr {
    @Override
    public String toString() {
      return function.word() + "(" + logs + " [" + range.toMillis() + "ms])";
    }
  }

  /** How series become one. */
  enum Aggregator {
    SUM,
    MIN,
    MAX,
    AVG,
    COUNT,
    TOPK,
    BOTTOMK;

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    public boolean picks() {
      return this == TOPK || this == BOTTOMK;
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
      return aggregator.word() + by + " (" + (aggregator.picks() ? most + ", " : "") + of + ")";
    }
  }

  /** The bytes of records, of the labels that have the most of them. */
  static Expr topBytes(Logs logs, List<String> names, Duration range, int most) {
    var bytes = new Range(Function.BYTES_OVER_TIME, logs, range, 0);
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

  /** Arithmetic; one side at least is a number. */
  record Binary(Expr left, char sign, Expr right, int at) implements Expr {
    @Override
    public String toString() {
      return "(" + left + " " + sign + " " + right + ")";
    }
  }
}
