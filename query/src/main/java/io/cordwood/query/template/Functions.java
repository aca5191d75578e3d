package io.cordwood.query.template;

import io.cordwood.query.match.Substitution;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.BinaryOperator;
import java.util.function.DoubleUnaryOperator;
import java.util.function.IntPredicate;
import java.util.function.LongBinaryOperator;
import java.util.function.UnaryOperator;

/** The functions of templates, by their names. Those of texts are {@link TextFunctions}. */
final class Functions {
  private static final Map<String, Function> ALL = new LinkedHashMap<>();

  static {
    numbers();
    comparisons();
    texts();
    spaces();
    regexes();
    times();
  }

  private Functions() {}

  /** Empty if none has the name. */
  static Optional<Function> named(String name) {
    return Optional.ofNullable(ALL.get(name));
  }

  /** All names, in an order of what they are for. */
  static List<String> names() {
    return List.copyOf(ALL.keySet());
  }

  private static void add(String name, int least, int most, Function.Body body) {
    ALL.put(name, new Function(name, least, most, false, body));
  }

  private static void ofRegex(
      String name, int count, BiFunction<Substitution, List<Object>, Object> of) {
    ALL.put(
        name,
        new Function(
            name, count, count, true, args -> of.apply((Substitution) args.getFirst(), args)));
  }

  private static void numbers() {
    add("int", 1, 1, args -> Value.whole(args.getFirst()));
    add("float64", 1, 1, args -> Value.number(args.getFirst()));
    wholes("add", Long::sum);
    wholes("sub", (one, other) -> one - other);
    wholes("mul", (one, other) -> one * other);
    wholes("div", (one, other) -> other == 0 ? 0 : one / other);
    wholes("mod", (one, other) -> other == 0 ? 0 : one % other);
    wholes("max", Math::max);
    wholes("min", Math::min);
    doubles("addf", Double::sum);
    doubles("subf", (one, other) -> one - other);
    doubles("mulf", (one, other) -> one * other);
    doubles("divf", (one, other) -> other == 0 ? 0 : one / other);
    doubles("maxf", Math::max);
    doubles("minf", Math::min);
    rounding("floor", Math::floor);
    rounding("ceil", Math::ceil);
    add("round", 2, 2, args -> rounded(Value.number(args.get(0)), Value.small(args.get(1))));
  }

  private static void wholes(String name, LongBinaryOperator both) {
    add(
        name,
        2,
        Function.MANY,
        args -> (Object) args.stream().mapToLong(Value::whole).reduce(both).orElseThrow());
  }

  private static void doubles(String name, BinaryOperator<Double> both) {
    add(
        name,
        2,
        Function.MANY,
        args -> args.stream().map(Value::number).reduce(both).orElseThrow());
  }

  private static void rounding(String name, DoubleUnaryOperator round) {
    add(name, 1, 1, args -> round.applyAsDouble(Value.number(args.getFirst())));
  }

  private static double rounded(double number, int digits) {
    double power = Math.pow(10, Math.clamp(digits, 0, 15));
    double rounded = Math.rint(number * power) / power;
    return Double.isFinite(rounded) ? rounded : number;
  }

  private static void comparisons() {
    add(
        "eq",
        2,
        Function.MANY,
        args ->
            args.stream().skip(1).anyMatch(other -> Value.compare(args.getFirst(), other) == 0));
    comparison("ne", sign -> sign != 0);
    comparison("lt", sign -> sign < 0);
    comparison("le", sign -> sign <= 0);
    comparison("gt", sign -> sign > 0);
    comparison("ge", sign -> sign >= 0);
    add("and", 1, Function.MANY, args -> firstOrLast(args, false));
    add("or", 1, Function.MANY, args -> firstOrLast(args, true));
    add("not", 1, 1, args -> !Value.isTrue(args.getFirst()));
    add("default", 2, 2, args -> firstOrLast(args.reversed(), true));
  }

  private static void comparison(String name, IntPredicate sign) {
    add(name, 2, 2, args -> sign.test(Value.compare(args.get(0), args.get(1))));
  }

  /** The first that is true, or is not, or else the last. */
  private static Object firstOrLast(List<Object> args, boolean truth) {
    return args.stream()
        .filter(each -> Value.isTrue(each) == truth)
        .findFirst()
        .orElseGet(args::getLast);
  }

  private static void texts() {
    ofText(TextFunctions::lower, "ToLower", "lower");
    ofText(TextFunctions::upper, "ToUpper", "upper");
    ofText(TextFunctions::title, "title");
    ofText(String::strip, "TrimSpace", "trim");
    ofTwo("Trim", (text, chars) -> TextFunctions.trim(text, chars, true, true));
    ofTwo("TrimLeft", (text, chars) -> TextFunctions.trim(text, chars, true, false));
    ofTwo("TrimRight", (text, chars) -> TextFunctions.trim(text, chars, false, true));
    ofTwo("TrimPrefix", TextFunctions::withoutPrefix);
    ofTwo("TrimSuffix", TextFunctions::withoutSuffix);
    ofTwo("trimAll", (chars, text) -> TextFunctions.trim(text, chars, true, true));
    ofTwo("trimPrefix", (prefix, text) -> TextFunctions.withoutPrefix(text, prefix));
    ofTwo("trimSuffix", (suffix, text) -> TextFunctions.withoutSuffix(text, suffix));
    add(
        "Replace",
        4,
        4,
        args ->
            TextFunctions.replaced(
                text(args, 0), text(args, 1), text(args, 2), Value.small(args.get(3))));
    add(
        "replace",
        3,
        3,
        args -> TextFunctions.replaced(text(args, 2), text(args, 0), text(args, 1), -1));
    add("trunc", 2, 2, args -> TextFunctions.cut(Value.small(args.get(0)), text(args, 1)));
    add(
        "substr",
        3,
        3,
        args ->
            TextFunctions.part(Value.small(args.get(0)), Value.small(args.get(1)), text(args, 2)));
    add("contains", 2, 2, args -> text(args, 1).contains(text(args, 0)));
    add("hasPrefix", 2, 2, args -> text(args, 1).startsWith(text(args, 0)));
    add("hasSuffix", 2, 2, args -> text(args, 1).endsWith(text(args, 0)));
    add("len", 1, 1, args -> TextFunctions.bytes(text(args, 0)));
    ofText(TextFunctions::urlEncoded, "urlencode");
    ofText(TextFunctions::urlDecoded, "urldecode");
    ofText(TextFunctions::base64, "b64enc");
    ofText(TextFunctions::ofBase64, "b64dec");
    add(
        "printf",
        1,
        Function.MANY,
        args -> Printf.printed(text(args, 0), args.subList(1, args.size())));
  }

  private static void spaces() {
    add(
        "alignLeft",
        2,
        2,
        args -> TextFunctions.aligned(Value.small(args.get(0)), text(args, 1), true));
    add(
        "alignRight",
        2,
        2,
        args -> TextFunctions.aligned(Value.small(args.get(0)), text(args, 1), false));
    add("repeat", 2, 2, args -> TextFunctions.repeated(Value.small(args.get(0)), text(args, 1)));
    add("indent", 2, 2, args -> TextFunctions.indented(Value.small(args.get(0)), text(args, 1)));
    add(
        "nindent",
        2,
        2,
        args -> "\n" + TextFunctions.indented(Value.small(args.get(0)), text(args, 1)));
  }

  private static void regexes() {
    ofRegex(
        "regexReplaceAll",
        3,
        (regex, args) -> TextFunctions.replaced(regex, text(args, 1), text(args, 2)));
    ofRegex(
        "regexReplaceAllLiteral",
        3,
        (regex, args) ->
            TextFunctions.replaced(regex, text(args, 1), text(args, 2).replace("$", "$$")));
    ofRegex("count", 2, (regex, args) -> (long) regex.count(text(args, 1)));
  }

  private static String text(List<Object> args, int at) {
    return Value.text(args.get(at));
  }

  private static void ofText(UnaryOperator<String> change, String... names) {
    for (String name : names) {
      add(name, 1, 1, args -> change.apply(text(args, 0)));
    }
  }

  private static void ofTwo(String name, BinaryOperator<String> change) {
    add(name, 2, 2, args -> change.apply(text(args, 0), text(args, 1)));
  }

  private static void times() {
    add("date", 2, 2, args -> GoTime.shown(text(args, 0), args.get(1)));
    add("unixEpoch", 1, 1, args -> Math.floorDiv(GoTime.millis(args.getFirst()), 1000L));
    add("unixEpochMillis", 1, 1, args -> GoTime.millis(args.getFirst()));
    add("unixEpochNanos", 1, 1, args -> GoTime.nanos(args.getFirst()));
    add("unixToTime", 1, 1, args -> GoTime.ofEpoch(text(args, 0)));
  }
}
