package io.cordwood.query.logql;

import io.cordwood.query.logql.Expr.Aggregator;
import io.cordwood.query.logql.Expr.By;
import io.cordwood.query.logql.Expr.Function;
import io.cordwood.query.logql.Token.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Reads LogQL:
 *
 * <pre>
 *   query  = term { ( "+" | "-" ) term }        one side is a number
 *   term   = power { ( "*" | "/" | "%" ) power }
 *   power  = one [ "^" power ]
 *   one    = number | "vector" "(" number ")" | "(" query ")" | logs
 *          | function "(" logs "[" duration "]" ")"
 *          | aggregator [ by ] "(" [ number "," ] query ")" [ by ]
 *   by     = ( "by" | "without" ) "(" [ names ] ")"
 * </pre>
 */
public final class Logql {
  private static final Set<String> UNSUPPORTED =
      Set.of(
          "sum_over_time",
          "avg_over_time",
          "max_over_time",
          "min_over_time",
          "stddev_over_time",
          "stdvar_over_time",
          "quantile_over_time",
          "first_over_time",
          "last_over_time",
          "absent_over_time",
          "rate_counter",
          "stddev",
          "stdvar",
          "sort",
          "sort_desc",
          "label_replace",
          "approx_topk",
          "variants");

  private final Tokens tokens;
  private final LogsParser logs;

  private Logql(String text) {
    this.tokens = new Tokens(text);
    this.logs = new LogsParser(tokens);
  }

  /**
   * Reads a query.
   *
   * @throws LogqlException if it is none, or has something that is not supported
   */
  public static Expr parse(String text) {
    var parser = new Logql(text);
    Expr query = parser.sum();
    if (parser.tokens.peek().kind() != Kind.END) {
      Token rest = parser.tokens.peek();
      throw Set.of("and", "or", "unless").contains(rest.text())
          ? parser.tokens.unsupported(rest)
          : parser.tokens.expected("an operator, or the end");
    }
    return query;
  }

  /** Reads one for records. */
  public static Expr.Logs logs(String text) {
    Expr query = parse(text);
    if (query instanceof Expr.Logs found) {
      return found;
    }
    throw new LogqlException(0, "expected a selector such as {app=\"shop\"}, found a number");
  }

  private Expr sum() {
    Expr left = product();
    while (tokens.peek().is("+") || tokens.peek().is("-")) {
      left = binary(left, tokens.next(), product());
    }
    return left;
  }

  private Expr product() {
    Expr left = power();
    while (tokens.peek().is("*") || tokens.peek().is("/") || tokens.peek().is("%")) {
      left = binary(left, tokens.next(), power());
    }
    return left;
  }

  private Expr power() {
    Expr left = one();
    if (!tokens.peek().is("^")) {
      return left;
    }
    tokens.enter();
    Expr whole = binary(left, tokens.next(), power());
    tokens.leave();
    return whole;
  }

  private static Expr binary(Expr left, Token sign, Expr right) {
    if (left instanceof Expr.Logs || right instanceof Expr.Logs) {
      throw new LogqlException(
          sign.at(), "expected numbers beside " + sign.text() + ", found records");
    } else if (!isNumber(left) && !isNumber(right)) {
      throw new LogqlException(
          sign.at(), sign.text() + " between two series is not supported, only with a number");
    }
    return new Expr.Binary(left, sign.text().charAt(0), right, sign.at());
  }

  private static boolean isNumber(Expr expr) {
    return expr instanceof Expr.Constant
        || (expr instanceof Expr.Binary both && isNumber(both.left()) && isNumber(both.right()));
  }

  private Expr one() {
    Token next = tokens.peek();
    if (next.is("{")) {
      return logs.logs();
    } else if (next.is("(")) {
      return inParentheses();
    } else if (next.is("-") || next.is("+") || next.kind() == Kind.NUMBER) {
      return new Expr.Constant(number(), false, next.at());
    } else if (next.kind() != Kind.NAME) {
      throw tokens.expected("a selector such as {app=\"shop\"}, or a function");
    }
    return named(tokens.next());
  }

  private Expr inParentheses() {
    tokens.expect("(");
    tokens.enter();
    Expr within = sum();
    tokens.leave();
    tokens.expect(")");
    return within;
  }

  private double number() {
    boolean negative = tokens.skip("-");
    boolean signed = negative || tokens.skip("+");
    Token number = tokens.expect(Kind.NUMBER, signed ? "a number after the sign" : "a number");
    try {
      double value = Double.parseDouble(number.text());
      return negative ? -value : value;
    } catch (NumberFormatException e) {
      throw new LogqlException(number.at(), "expected a number, found " + number.shown());
    }
  }

  private Expr named(Token name) {
    if (name.text().equals("vector")) {
      tokens.expect("(");
      double value = number();
      tokens.expect(")");
      return new Expr.Constant(value, true, name.at());
    }
    for (Function function : Function.values()) {
      if (name.text().equals(function.word())) {
        return range(function, name);
      }
    }
    for (Aggregator aggregator : Aggregator.values()) {
      if (name.text().equals(aggregator.word())) {
        return aggregate(aggregator, name);
      }
    }
    throw UNSUPPORTED.contains(name.text())
        ? tokens.unsupported(name)
        : new LogqlException(name.at(), "expected a function, found " + name.shown());
  }

  private Expr range(Function function, Token name) {
    tokens.expect("(");
    boolean inner = tokens.skip("(");
    Expr.Logs of = logs.logs();
    if (inner) {
      tokens.expect(")");
    }
    tokens.expect("[");
    Duration range = Units.duration(tokens.expect(Kind.NUMBER, "a duration such as 5m"));
    tokens.expect("]");
    Token next = tokens.peek();
    if (next.is("|") || next.is("|=") || next.is("!=") || next.is("|~") || next.is("!~")) {
      throw new LogqlException(
          next.at(), "a stage after the range is not supported, only before it");
    } else if (next.isName("offset") || next.is("@")) {
      throw tokens.unsupported(next);
    }
    tokens.expect(")");
    if (tokens.peek().isName("by") || tokens.peek().isName("without")) {
      throw new LogqlException(
          tokens.peek().at(), tokens.peek().text() + " after " + name.text() + " is not supported");
    }
    return new Expr.Range(function, of, range, name.at());
  }

  private Expr aggregate(Aggregator aggregator, Token name) {
    Optional<By> before = by();
    tokens.expect("(");
    tokens.enter();
    int most = 0;
    if (aggregator.picks()) {
      most = most();
      tokens.expect(",");
    }
    int at = tokens.peek().at();
    Expr of = sum();
    if (of instanceof Expr.Logs) {
      throw new LogqlException(at, "expected a function such as rate, found records");
    }
    tokens.leave();
    tokens.expect(")");
    By by = before.or(this::by).orElse(By.NOTHING);
    return new Expr.Aggregate(aggregator, by, most, of, name.at());
  }

  private int most() {
    Token number = tokens.peek();
    double most = number();
    if (most < 1 || most != Math.rint(most) || most > Integer.MAX_VALUE) {
      throw new LogqlException(
          number.at(), "expected a whole number above 0, found " + number.shown());
    }
    return (int) most;
  }

  /** Empty if nothing is said. */
  private Optional<By> by() {
    boolean without = tokens.skipName("without");
    if (!without && !tokens.skipName("by")) {
      return Optional.empty();
    }
    tokens.expect("(");
    List<String> names = new ArrayList<>();
    while (!tokens.skip(")")) {
      if (!names.isEmpty()) {
        tokens.expect(",");
      }
      names.add(tokens.expect(Kind.NAME, "the name of a label").text());
    }
    return Optional.of(new By(without, List.copyOf(names)));
  }
}
