package io.cordwood.query.logql;

import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Random queries, with white space and quotes of all kinds. */
final class RandomLogql {
  private static final List<String> NAMES =
      List.of("app", "pod", "level", "_x1", "user.id", "json");
  private static final List<String> TEXTS =
      List.of("", "a", "x y", "\\", "\"q\"", "né\n\t", "[0-9]+", "|= {", "#no");
  private static final List<String> NUMBERS =
      List.of("0", "1.5", "500", "1e3", "20MB", "1h30m", "7ms");

  private final SplittableRandom random;

  RandomLogql(SplittableRandom random) {
    this.random = random;
  }

  String query() {
    return random.nextBoolean() ? logs() : series(3);
  }

  private String series(int depth) {
    if (depth == 0 || random.nextInt(3) == 0) {
      return oneOf("count_over_time", "rate", "bytes_over_time", "bytes_rate", "absent_over_time")
          + "("
          + logs()
          + space()
          + "["
          + oneOf("1m", "90s", "1h30m")
          + "]"
          + oneOf("", "", " offset 5m", "offset -1h30m")
          + ")";
    } else if (random.nextInt(6) == 0) {
      return random.nextBoolean()
          ? oneOf("sort", "sort_desc") + "(" + series(depth - 1) + ")"
          : "label_replace("
              + series(depth - 1)
              + ",\"b\", "
              + oneOf("`$1`", "\"${n}x\"")
              + ", `a` ,"
              + oneOf("`(?P<n>.*)[(]`", "\"\"")
              + ")";
    } else if (random.nextInt(4) == 0) {
      String matching = oneOf("", " on (app)", " ignoring(pod,app)", "\non()");
      String operation = oneOf(" or", "and", "unless", "+", ">= bool", "!=", " / ");
      return "(" + series(depth - 1) + ")" + operation + matching + "(" + series(depth - 1) + ")";
    } else if (random.nextInt(4) == 0) {
      return oneOf("sum_over_time(", "quantile_over_time(0.5,", "last_over_time(")
          + logs()
          + "|unwrap "
          + oneOf("n", "bytes(n)")
          + "[1m])";
    } else if (random.nextInt(3) == 0) {
      String number = oneOf("2", "-1.5", "vector(3)", "(1 + 1)");
      String sign = oneOf(" + ", "*", "/", " - ", "%", "^");
      return random.nextBoolean()
          ? series(depth - 1) + sign + number
          : number + sign + "(" + series(depth - 1) + ")";
    }
    String by = random.nextBoolean() ? "" : oneOf("by", "without") + "(" + names() + ")";
    String of = "(" + series(depth - 1) + ")";
    if (random.nextInt(4) == 0) {
      return "topk " + by + "(" + (1 + random.nextInt(9)) + ", " + of + ")";
    }
    String aggregator = oneOf("sum", "min", "max", "avg", "count");
    return random.nextBoolean() ? aggregator + of + by : aggregator + " " + by + of;
  }

  private String logs() {
    String selector = some(() -> oneOf(NAMES) + space() + operator() + space() + string(), ",");
    return "{" + selector + "}" + some(this::stage, space());
  }

  private String stage() {
    return switch (random.nextInt(10)) {
      case 7 -> "| pattern `<_> [<x>] <y_1>`";
      case 9 -> oneOf("|= ", "!=", "| unpack |addr = ") + "ip ( `10.0.0.0/8` )";
      case 8 -> "|regexp " + oneOf("`(?P<a>.)(b|[(?P<c>])`", "\"(?P<d>\\\\()\"");
      case 0, 1 -> oneOf("|=", "!=", "|~", "!~") + space() + string();
      case 2 -> "| json" + oneOf("", " app", " y_1=`a.b[0]`,pod");
      case 3 -> "| logfmt";
      case 4 -> "|" + oneOf("drop ", "keep ") + names() + oneOf("", ",app" + operator() + string());
      case 5 -> "|line_format " + oneOf("`{{.app | upper}} x`", "\"{{ __line__ }}\"");
      default -> "| " + test(2);
    };
  }

  private String test(int depth) {
    if (depth > 0 && random.nextBoolean()) {
      return "(" + test(depth - 1) + oneOf(" and ", " or ", ", ") + test(depth - 1) + ")";
    }
    String name = oneOf("app", "pod", "_x1", "user.id");
    return random.nextBoolean()
        ? name + operator() + string()
        : name + oneOf("==", "!=", ">", ">=", "<", "<=", "=") + space() + oneOf(NUMBERS);
  }

  private String operator() {
    return oneOf("=", "!=", "=~", "!~");
  }

  /** Never a regular expression that cannot be read. */
  private String string() {
    String text = oneOf(TEXTS);
    if (text.equals("\\") || text.startsWith("|")) {
      return "\"a\"";
    }
    return random.nextBoolean() && !text.contains("\"") ? "`" + text + "`" : Texts.quoted(text);
  }

  private String names() {
    return oneOf(NAMES) + space() + "," + oneOf(NAMES);
  }

  private String space() {
    return oneOf("", " ", "\n\t", " # a comment\n");
  }

  private String some(Supplier<String> one, String between) {
    return Stream.generate(one).limit(random.nextInt(4)).collect(Collectors.joining(between));
  }

  private String oneOf(String... some) {
    return oneOf(List.of(some));
  }

  private String oneOf(List<String> some) {
    return some.get(random.nextInt(some.size()));
  }
}
