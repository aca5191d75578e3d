package io.cordwood.cli.alert;

/**
 * The number of records at which an alert fires.
 *
 * @param bound that number itself never fires
 */
public record Condition(Kind kind, long bound) {
  /** The side of the bound on which an alert fires. */
  public enum Kind {
    ABOVE,
    BELOW
  }

  /** Whether a condition holds; of a number that is not known exactly, that may be open. */
  enum Truth {
    YES,
    NO,
    UNKNOWN
  }

  /** No record at all. */
  public static final Condition ABSENT = new Condition(Kind.BELOW, 1);

  boolean isAbove() {
    return kind == Kind.ABOVE;
  }

  /** Whether it holds for a number that is one of these, both ends included. */
  Truth of(long least, long most) {
    boolean surely = isAbove() ? least > bound : most < bound;
    boolean maybe = isAbove() ? most > bound : least < bound;
    return surely ? Truth.YES : maybe ? Truth.UNKNOWN : Truth.NO;
  }

  /** For people. */
  @Override
  public String toString() {
    return isAbove()
        ? "expected at most " + bound
        : bound == 1 ? "expected one at least" : "expected at least " + bound;
  }
}
