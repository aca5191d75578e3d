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
 *   query    = one { operation [ "bool" ] [ matching ] query }    see {@link Operation}
 *   one      = number | "vector" "(" number ")" | "(" query ")" | logs
 *            | function "(" [ number "," ] logs "[" duration "]" [ offset ] ")" [ by ]
 *            | aggregator [ by ] "(" [ number "," ] query ")" [ by ]
 *            | "label_replace" "(" query "," string "," string "," string "," string ")"
 *   offset   = "offset" [ "-" ] duration
 *   by       = ( "by" | "without" ) "(" [ names ] ")"
 *   matching = ( "on" | "ignoring" ) "(" [ names ] ")"
 *              [ ( "group_left" | "group_right" ) [ "(" [ names ] ")" ] ]
 * </pre>
 */
public final class Logql {
  private static final Set<String> UNSUPPORTED = Set.of("rate_counter", "approx_topk", "variants");

  /** Operations of one query, which are done by calls within each other. */
  private static final int MAX_OPERATIONS = 200;

  private final Tokens tokens;
  private final LogsParser logs;
  private int operations;

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
    Expr query = parser.query();
    if (parser.tokens.peek().kind() != Kind.END) {
      throw parser.tokens.expected("an operator, or the end");
    }
    if (query instanceof Expr.Logs found) {
      refuseUnwrap(found);
    }
    return query;
  }

  private static void refuseUnwrap(Expr.Logs found) {
    for (Stage stage : found.stages()) {
      if (stage instanceof Stage.Unwrap unwrap) {
        throw new LogqlException(
            unwrap.at(), "unwrap is not supported outside a function such as sum_over_time");
      }
    }
  }

  /** Reads one for records. */
  public static Expr.Logs logs(String text) {
    Expr query = parse(text);
    if (query instanceof Expr.Logs found) {
      return found;
    }
    throw new LogqlException(0, "expected a selector such as {app=\"shop\"}, found a number");
  }

  private Expr query() {
    return level(Operation.FIRST_LEVEL);
  }

  /** Operations of a level and those above it. */
  private Expr level(int level) {
    if (level == Operation.LAST_LEVEL) {
      return power();
    }
    Expr left = level(level + 1);
    for (Optional<Operation> next = Operation.of(tokens.peek(), level);
        next.isPresent();
        next = Operation.of(tokens.peek(), level)) {
      Token sign = tokens.next();
      Matching matching = matching(next.get());
      left = binary(left, next.get(), matching, level(level + 1), sign);
    }
    return left;
  }

  private Expr power() {
    Expr left = one();
    Token sign = tokens.peek();
    if (!sign.is("^")) {
      return left;
    }
    var _ = tokens.next();
    tokens.enter();
    Matching matching = matching(Operation.POWER);
    Expr whole = binary(left, Operation.POWER, matching, power(), sign);
    tokens.leave();
    return whole;
  }

  private Matching matching(Operation operation) {
    boolean bool = operation.compares() && tokens.skipName("bool");
    boolean on = tokens.skipName("on");
    if (!on && !tokens.skipName("ignoring")) {
      return new Matching(bool, false, List.of(), Matching.Side.NONE, List.of());
    }
    List<String> names = names();
    Token group = tokens.peek();
    Matching.Side side =
        tokens.skipName("group_left")
            ? Matching.Side.LEFT
            : tokens.skipName("group_right") ? Matching.Side.RIGHT : Matching.Side.NONE;
    if (side != Matching.Side.NONE && operation.isOfSets()) {
      throw new LogqlException(
          group.at(), group.text() + " of " + operation.sign() + " is not supported");
    }
    boolean including = side != Matching.Side.NONE && tokens.peek().is("(");
    return new Matching(bool, on, names, side, including ? names() : List.of());
  }

  private Expr binary(Expr left, Operation operation, Matching matching, Expr right, Token sign) {
    operations++;
    if (operations > MAX_OPERATIONS) {
      throw LogqlException.tooMuch(
          sign.at(), "expected at most " + MAX_OPERATIONS + " operations, found more");
    } else if (left instanceof Expr.Logs || right instanceof Expr.Logs) {
      throw new LogqlException(
          sign.at(), "expected numbers beside " + sign.text() + ", found records");
    }
    boolean ofNumber = Expr.isNumber(left) || Expr.isNumber(right);
    if (ofNumber && operation.isOfSets()) {
      throw new LogqlException(
          sign.at(), "expected series beside " + sign.text() + ", found a number");
    } else if (ofNumber && (matching.on() || !matching.names().isEmpty())) {
      throw new LogqlException(
          sign.at(), "expected series on both sides to be matched, found a number");
    }
    return new Expr.Binary(left, operation, matching, right, sign.at());
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
    Expr within = query();
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
    if (name.text().equals("label_replace")) {
      return relabelled(name);
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
    double quantile = function == Function.QUANTILE_OVER_TIME ? quantile() : 0;
    boolean inner = tokens.skip("(");
    Expr.Logs all = logs.logs();
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
    } else if (next.is("@")) {
      throw tokens.unsupported(next);
    }
    Duration offset = offset();
    tokens.expect(")");
    Optional<Measured> unwrap = unwrap(function, all, name);
    Token grouping = tokens.peek();
    Optional<By> by = by();
    if (by.isPresent() && (unwrap.isEmpty() || !function.takesGroups())) {
      throw new LogqlException(
          grouping.at(), grouping.text() + " after " + name.text() + " is not supported");
    }
    return new Expr.Range(
        function, quantile, all.withoutUnwrap(), unwrap, range, offset, by, name.at());
  }

  private Duration offset() {
    if (!tokens.skipName("offset")) {
      return Duration.ZERO;
    }
    boolean negative = tokens.skip("-");
    Duration offset = Units.duration(tokens.expect(Kind.NUMBER, "a duration such as 1h"));
    return negative ? offset.negated() : offset;
  }

  private Expr relabelled(Token name) {
    tokens.expect("(");
    tokens.enter();
    int first = tokens.peek().at();
    Expr of = series();
    if (Expr.isNumber(of)) {
      throw new LogqlException(first, "expected series in " + name.text() + ", found a number");
    }
    String[] texts = new String[4];
    int regex = 0;
    for (int i = 0; i < texts.length; i++) {
      tokens.expect(",");
      regex = tokens.peek().at();
      texts[i] = tokens.expect(Kind.STRING, "a string").text();
    }
    tokens.leave();
    tokens.expect(")");
    var replace = LabelReplace.of(texts[0], texts[1], texts[2], texts[3], regex);
    return new Expr.Relabelled(of, replace, name.at());
  }

  /** The argument of a function of series, which may be a number. */
  private Expr series() {
    int at = tokens.peek().at();
    Expr of = query();
    if (of instanceof Expr.Logs) {
      throw new LogqlException(at, "expected a function such as rate, found records");
    }
    return of;
  }

  private double quantile() {
    Token token = tokens.peek();
    double quantile = number();
    if (!(quantile >= 0 && quantile <= 1)) {
      throw new LogqlException(
          token.at(), "expected a quantile from 0 to 1, found " + Texts.number(quantile));
    }
    tokens.expect(",");
    return quantile;
  }

  /** The label that is measured; empty if records are counted. */
  private static Optional<Measured> unwrap(Function function, Expr.Logs logs, Token name) {
    List<Stage.Unwrap> all =
        logs.stages().stream()
            .filter(Stage.Unwrap.class::isInstance)
            .map(Stage.Unwrap.class::cast)
            .toList();
    if (all.isEmpty() && !function.takesRecords()) {
      throw new LogqlException(
          name.at(), "expected | unwrap LABEL in " + name.text() + ", found none");
    } else if (!all.isEmpty() && !function.takesNumbers()) {
      throw new LogqlException(
          all.getFirst().at(), "unwrap in " + name.text() + " is not supported");
    } else if (all.size() > 1) {
      throw new LogqlException(all.getLast().at(), "expected one unwrap, found another");
    }
    return all.stream().findFirst().map(Stage.Unwrap::measured);
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
    Expr of = series();
    tokens.leave();
    tokens.expect(")");
    Optional<By> by = before.or(this::by);
    if (by.isPresent() && aggregator.sorts()) {
      throw new LogqlException(
          name.at(), "labels by which to " + name.text() + " are not supported");
    }
    return new Expr.Aggregate(aggregator, by.orElse(By.NOTHING), most, of, name.at());
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
    return Optional.of(new By(without, names()));
  }

  private List<String> names() {
    tokens.expect("(");
    List<String> names = new ArrayList<>();
    while (!tokens.skip(")")) {
      if (!names.isEmpty()) {
        tokens.expect(",");
      }
      names.add(tokens.expect(Kind.NAME, "the name of a label").text());
    }
    return List.copyOf(names);
  }
}
