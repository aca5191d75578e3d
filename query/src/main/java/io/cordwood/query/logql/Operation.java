package io.cordwood.query.logql;

import java.util.Optional;

/** Makes one of two numbers, or of series with the same labels. */
public enum Operation {
  OR("or", 1),
  AND("and", 2),
  UNLESS("unless", 2),
  EQUAL("==", 3),
  UNEQUAL("!=", 3),
  GREATER(">", 3),
  AT_LEAST(">=", 3),
  LESS("<", 3),
  AT_MOST("<=", 3),
  PLUS("+", 4),
  MINUS("-", 4),
  TIMES("*", 5),
  DIVIDED("/", 5),
  REMAINDER("%", 5),
  POWER("^", 6);

  /** The level of operations that are done last. */
  static final int FIRST_LEVEL = 1;

  /** That of operations that are done first, from right to left. */
  static final int LAST_LEVEL = 6;

  private static final int OF_SETS = 2;
  private static final int COMPARES = 3;

  private final String sign;
  private final int level;

  Operation(String sign, int level) {
    this.sign = sign;
    this.level = level;
  }

  String sign() {
    return sign;
  }

  /** The operation that a token is, if it is one of a level. */
  static Optional<Operation> of(Token token, int level) {
    for (Operation each : values()) {
      if (each.level == level && (token.is(each.sign) || token.isName(each.sign))) {
        return Optional.of(each);
      }
    }
    return Optional.empty();
  }

  /** Whether it takes series as they are, whatever their numbers. */
  public boolean isOfSets() {
    return level <= OF_SETS;
  }

  /** Whether it says yes or no. */
  public boolean compares() {
    return level == COMPARES;
  }

  /** The number that two numbers make; 1 or 0 of those that are compared. */
  public double of(double left, double right) {
    return switch (this) {
      case PLUS -> left + right;
      case MINUS -> left - right;
      case TIMES -> left * right;
      case DIVIDED -> left / right;
      case REMAINDER -> left % right;
      case POWER -> Math.pow(left, right);
      case EQUAL -> left == right ? 1 : 0;
      case UNEQUAL -> left != right ? 1 : 0;
      case GREATER -> left > right ? 1 : 0;
      case AT_LEAST -> left >= right ? 1 : 0;
      case LESS -> left < right ? 1 : 0;
      case AT_MOST -> left <= right ? 1 : 0;
      case OR, AND, UNLESS -> throw new IllegalStateException(sign + " is of series");
    };
  }
}
