package io.cordwood.cli.plan;

import java.util.Map;
import java.util.function.DoubleBinaryOperator;

/**
 * Arithmetic as people write it: numbers, names, {@code + - * / ^}, parentheses, {@code min(a, b)},
 * {@code max(a, b)}, {@code ceil(a)} and the natural {@code log(a)}. So the formula that is
 * computed is the one that the document has. Immutable.
 */
final class Formula {
  private final String text;
  private final Term whole;

  /** A part of a formula. */
  private interface Term {
    double of(Map<String, Double> values);
  }

  private Formula(String text, Term whole) {
    this.text = text;
    this.whole = whole;
  }

  /**
   * Reads a formula.
   *
   * @throws IllegalArgumentException if it is none; the message says where
   */
  static Formula parse(String text) {
    return new Formula(text, new Parser(text).whole());
  }

  /**
   * The value.
   *
   * @throws IllegalArgumentException if a name has no value
   */
  double of(Map<String, Double> values) {
    return whole.of(values);
  }

  @Override
  public String toString() {
    return text;
  }

  private static final class Parser {
    private final String text;
    private int at;

    Parser(String text) {
      this.text = text;
    }

    Term whole() {
      Term sum = sum();
      if (peek() != 0) {
        throw expected("an operator");
      }
      return sum;
    }

    private Term sum() {
      Term left = product();
      while (true) {
        if (took('+')) {
          left = both(left, product(), (a, b) -> a + b);
        } else if (took('-')) {
          left = both(left, product(), (a, b) -> a - b);
        } else {
          return left;
        }
      }
    }

    private Term product() {
      Term left = power();
      while (true) {
        if (took('*')) {
          left = both(left, power(), (a, b) -> a * b);
        } else if (took('/')) {
          left = both(left, power(), (a, b) -> a / b);
        } else {
          return left;
        }
      }
    }

    private Term power() {
      Term base = single();
      return took('^') ? both(base, power(), Math::pow) : base;
    }

    private Term single() {
      if (took('(')) {
        Term inner = sum();
        take(')');
        return inner;
      }
      char next = peek();
      if (Character.isDigit(next)) {
        double number = Double.parseDouble(word());
        return _ -> number;
      }
      if (!Character.isLetter(next)) {
        throw expected("a number, a name or a parenthesis");
      }
      String name = word();
      return took('(') ? function(name) : named(name);
    }

    private Term named(String name) {
      return values -> {
        Double value = values.get(name);
        if (value == null) {
          throw new IllegalArgumentException("expected a value of " + name + ", found none");
        }
        return value;
      };
    }

    private Term function(String name) {
      Term first = sum();
      Term result =
          switch (name) {
            case "min" -> both(first, second(), Math::min);
            case "max" -> both(first, second(), Math::max);
            case "ceil" -> values -> Math.ceil(first.of(values));
            case "log" -> values -> Math.log(first.of(values));
            default -> throw expected("min, max, ceil or log before a parenthesis");
          };
      take(')');
      return result;
    }

    private Term second() {
      take(',');
      return sum();
    }

    private static Term both(Term left, Term right, DoubleBinaryOperator operator) {
      return values -> operator.applyAsDouble(left.of(values), right.of(values));
    }

    private String word() {
      int from = at;
      while (at < text.length() && isOfWord(text.charAt(at))) {
        at++;
      }
      return text.substring(from, at);
    }

    private static boolean isOfWord(char each) {
      return Character.isLetterOrDigit(each) || each == '_' || each == '.';
    }

    /** The next character that is no space; 0 at the end. */
    private char peek() {
      while (at < text.length() && text.charAt(at) == ' ') {
        at++;
      }
      return at < text.length() ? text.charAt(at) : 0;
    }

    private boolean took(char wanted) {
      if (peek() != wanted) {
        return false;
      }
      at++;
      return true;
    }

    private void take(char wanted) {
      if (!took(wanted)) {
        throw expected("'" + wanted + "'");
      }
    }

    private IllegalArgumentException expected(String what) {
      return new IllegalArgumentException(
          "%s: expected %s at character %d".formatted(text, what, at));
    }
  }
}
