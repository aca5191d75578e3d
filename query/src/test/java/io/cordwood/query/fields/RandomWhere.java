package io.cordwood.query.fields;

import io.cordwood.query.fields.RandomRecords.Sample;
import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Random conditions, and how a naive search answers them.
 *
 * @param texts of which one has to hold
 */
public record RandomWhere(List<String> texts, Predicate<Sample> holds) {
  private static final Map<String, BigDecimal> UNITS =
      Map.of(
          "1.5s", new BigDecimal("1.5"),
          "200ms", new BigDecimal("0.2"),
          "10KiB", new BigDecimal("10240"),
          "1m30s", new BigDecimal("90"),
          "3h", new BigDecimal("10800"));

  public static RandomWhere of(SplittableRandom random, RandomRecords records) {
    List<RandomWhere> some =
        Stream.generate(() -> allOf(random, records)).limit(1 + random.nextInt(2)).toList();
    return new RandomWhere(
        some.stream().flatMap(one -> one.texts.stream()).toList(),
        sample -> some.stream().anyMatch(one -> one.holds.test(sample)));
  }

  private static RandomWhere allOf(SplittableRandom random, RandomRecords records) {
    List<RandomWhere> some =
        Stream.generate(() -> one(random, records)).limit(1 + random.nextInt(2)).toList();
    String text =
        some.stream().map(one -> one.texts.getFirst()).collect(Collectors.joining(" and "));
    return new RandomWhere(
        List.of(text), sample -> some.stream().allMatch(one -> one.holds.test(sample)));
  }

  private static RandomWhere one(SplittableRandom random, RandomRecords records) {
    boolean ofLabel = random.nextInt(4) == 0;
    String name = ofLabel ? "@" + records.label() : records.name();
    String value = records.text();
    boolean orAbsent = random.nextInt(6) == 0;
    String operator =
        records.oneOf(List.of("=", "=", "!=", "~", "!~", "~~", "<", "<=", ">", ">=", "in"));
    boolean bare = value.matches("[A-Za-z0-9.-]+");
    String written =
        switch (operator) {
          case "in" -> "(x, " + quoted(value) + ")";
          case "~~" -> quoted(value.replaceAll("[^A-Za-z0-9]", "."));
          default -> bare ? value : quoted(value);
        };
    String text =
        (ofLabel ? name : quoted(name)) + (orAbsent ? "?" : "") + " " + operator + " " + written;
    return new RandomWhere(
        List.of(text),
        sample -> {
          List<String> found =
              name.equals("level")
                  ? sample.values(name).toList()
                  : sample.values(name).limit(1).toList();
          return found.isEmpty() ? orAbsent : holds(name, operator, found, value, bare);
        });
  }

  private static String quoted(String text) {
    return "\""
        + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n").replace("\t", "\\t")
        + "\"";
  }

  /** The level is in any case where it is compared as a whole. */
  private static boolean holds(
      String name, String operator, List<String> found, String value, boolean bare) {
    boolean anyCase = name.equals("level") && List.of("=", "!=", "in").contains(operator);
    UnaryOperator<String> read = text -> anyCase ? text.toLowerCase(Locale.ROOT) : text;
    Stream<String> values = found.stream().map(read);
    return operator.startsWith("!")
        ? values.allMatch(one -> holds(operator, one, read.apply(value), bare))
        : values.anyMatch(one -> holds(operator, one, read.apply(value), bare));
  }

  private static boolean holds(String operator, String found, String value, boolean bare) {
    return switch (operator) {
      case "=", "in" -> found.equals(value) || (operator.equals("in") && found.equals("x"));
      case "!=" -> !found.equals(value);
      case "~" -> found.contains(value);
      case "!~" -> !found.contains(value);
      case "~~" ->
          Pattern.compile(value.replaceAll("[^A-Za-z0-9]", "."), Pattern.DOTALL)
              .matcher(found)
              .find();
      default -> ordered(operator, found, value, bare);
    };
  }

  private static boolean ordered(String operator, String found, String value, boolean bare) {
    BigDecimal bound = bare ? number(value) : null;
    int compared;
    if (bound == null) {
      compared = found.compareTo(value);
    } else {
      BigDecimal number = number(found);
      if (number == null || !unitsFit(found, value)) {
        return false;
      }
      compared = number.compareTo(bound);
    }
    return switch (operator) {
      case "<" -> compared < 0;
      case "<=" -> compared <= 0;
      case ">" -> compared > 0;
      default -> compared >= 0;
    };
  }

  private static boolean unitsFit(String one, String other) {
    boolean units = UNITS.containsKey(one) && UNITS.containsKey(other);
    return !units || one.endsWith("B") == other.endsWith("B");
  }

  private static @Nullable BigDecimal number(String text) {
    if (UNITS.containsKey(text)) {
      return UNITS.get(text);
    }
    return text.matches("-?[0-9]+(\\.[0-9]+)?(e[0-9]+)?") ? new BigDecimal(text) : null;
  }
}
