package io.cordwood.query.logql;

/** A test of labels, after the selector. */
sealed interface LabelTest {
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

  /** A text. */
  record OfText(LabelMatcher matcher) implements LabelTest {
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
  record OfNumber(String name, String sign, String number, int at) implements LabelTest {
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
  record OfAddress(String name, boolean negated, Addresses addresses) implements LabelTest {
    @Override
    public String toString() {
      return name + (negated ? "!=" : "=") + addresses;
    }
  }
}
