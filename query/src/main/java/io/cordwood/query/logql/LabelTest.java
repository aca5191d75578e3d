package io.cordwood.query.logql;

import java.util.function.Function;
import java.util.stream.Stream;

/** A test of labels, after the selector. */
sealed interface LabelTest {
  /** Passes or not, whatever the labels are. */
  record Decided(boolean passes) implements LabelTest {}

  /** Both. */
  record And(LabelTest left, LabelTest right) implements LabelTest {
    @Override
    public String toString() {
      return "(" + left + " and " + right + ")";
    }
  }

  /** One of them. */
  record Or(LabelTest left, LabelTest right) implements LabelTest {
    @Override
    public String toString() {
      return "(" + left + " or " + right + ")";
    }
  }

  /** A test of one label. */
  sealed interface OfOne extends LabelTest {
    String name();

    /** The test of another label. */
    OfOne named(String other);

    /** Whether it passes where the label is not. */
    boolean passesNone();
  }

  /** A text. */
  record OfText(LabelMatcher matcher) implements OfOne {
    @Override
    public String name() {
      return matcher.name();
    }

    @Override
    public OfText named(String other) {
      return new OfText(matcher.named(other));
    }

    @Override
    public boolean passesNone() {
      return matcher.passes("");
    }

    @Override
    public String toString() {
      return matcher.toString();
    }
  }

  /**
   * A number.
   *
   * @param sign {@code ==}, {@code !=}, {@code <}, {@code <=}, {@code >} or {@code >=}
   * @param number as it is written, with its unit
   */
  record OfNumber(String name, String sign, String number, int at) implements OfOne {
    @Override
    public OfNumber named(String other) {
      return new OfNumber(other, sign, number, at);
    }

    @Override
    public boolean passesNone() {
      return false;
    }

    @Override
    public String toString() {
      return name + sign + number;
    }
  }

  /**
   * An address somewhere in a text, or none of these.
   *
   * @param negated whether it must not be there; the label has to be, all the same
   */
  record OfAddress(String name, boolean negated, Addresses addresses) implements OfOne {
    @Override
    public OfAddress named(String other) {
      return new OfAddress(other, negated, addresses);
    }

    @Override
    public boolean passesNone() {
      return false;
    }

    @Override
    public String toString() {
      return name + (negated ? "!=" : "=") + addresses;
    }
  }

  /** Those that have all to pass. */
  default Stream<LabelTest> all() {
    return this instanceof And(LabelTest left, LabelTest right)
        ? Stream.concat(left.all(), right.all())
        : Stream.of(this);
  }

  /** With others in place of the tests of which it is made. */
  default LabelTest with(Function<OfOne, LabelTest> other) {
    return switch (this) {
      case Decided decided -> decided;
      case And(LabelTest left, LabelTest right) -> new And(left.with(other), right.with(other));
      case Or(LabelTest left, LabelTest right) -> new Or(left.with(other), right.with(other));
      case OfOne one -> other.apply(one);
    };
  }
}
