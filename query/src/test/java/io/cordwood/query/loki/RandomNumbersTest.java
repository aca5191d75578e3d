package io.cordwood.query.loki;

import static io.cordwood.query.loki.LokiClient.path;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.Records;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.query.TestCluster;
import io.cordwood.query.loki.NaiveNumbers.Sample;
import io.cordwood.query.loki.NaiveNumbers.Several;
import io.cordwood.query.loki.NaiveNumbers.Vector;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.DoubleBinaryOperator;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Every node calculates what a naive evaluation does; {@code -Dcordwood.queries=N} for more. */
final class RandomNumbersTest {
  private static final long FIRST = 1_700_000_000_000L;
  private static final int POINTS = 6;
  private static final int QUERIES = Integer.getInteger("cordwood.queries", 80);

  private final SplittableRandom random = new SplittableRandom(45);
  private final List<Sample> samples = new ArrayList<>();

  /** A query, and what it means. */
  private record Part(String text, Vector values) {}

  @SafeVarargs
  private <T> T oneOf(T... some) {
    return some[random.nextInt(some.length)];
  }

  private List<Batch> batches() {
    List<Batch> batches = new ArrayList<>();
    for (int i = 0; i < 120; i++) {
      long millis = FIRST - 5000 + i * 90L;
      String topic = oneOf("shop", "pay");
      String[] lines = new String[1 + random.nextInt(3)];
      for (int line = 0; line < lines.length; line++) {
        Map<String, String> fields = new TreeMap<>();
        fields.put("u", oneOf("ann", "bob", "né"));
        fields.put("p", oneOf("/a", "/b/c"));
        fields.put("took", oneOf("5ms", "1.5s", "1m3s"));
        fields.put("size", oneOf("3KB", "1KiB", "12B"));
        fields.put("n", oneOf("1", "2.5", "-7", "1e3", "none"));
        lines[line] =
            "u=%s p=%s took=%s size=%s n=%s"
                .formatted(
                    fields.get("u"),
                    fields.get("p"),
                    fields.get("took"),
                    fields.get("size"),
                    fields.get("n"));
        samples.add(new Sample(millis, Map.of("topic", topic, "service_name", topic), fields));
      }
      batches.add(Records.lines(new Topic(topic), Ulid.firstOf(millis), lines));
    }
    return batches;
  }

  private record Selection(String text, Predicate<Sample> selects) {}

  private Selection selection() {
    var topics =
        oneOf(
            new Selection("{}", _ -> true),
            new Selection("{topic=`shop`}", s -> s.value("topic").equals("shop")),
            new Selection("{service_name=~`p.*`}", s -> s.value("topic").equals("pay")));
    String parser =
        oneOf(
            " | logfmt",
            " | pattern `u=<u> p=<p> took=<took> size=<size> n=<n>`",
            " | regexp `^u=(?P<u>\\S+) p=(?P<p>\\S+) took=(?P<took>\\S+) size=(?P<size>\\S+)"
                + " n=(?P<n>.*)`");
    var filter =
        oneOf(
            new Selection("", _ -> true),
            new Selection(" | n > 1", s -> Double.compare(number("n", s), 1) > 0 && isNumber(s)),
            new Selection(" | u=`ann`", s -> s.value("u").equals("ann")),
            new Selection(
                " | u!~`a.*`,p=`/a`",
                s -> !s.value("u").startsWith("a") && s.value("p").equals("/a")));
    return new Selection(topics.text + parser + filter.text, topics.selects.and(filter.selects));
  }

  /** Stages that change labels. */
  private record Change(String text, UnaryOperator<Map<String, String>> of) {}

  private static final Change NONE = new Change("", labels -> labels);

  private Change change() {
    return oneOf(
        NONE,
        NONE,
        new Change(
            " | label_format who=u",
            labels -> {
              labels.put("who", removed("u", labels));
              return labels;
            }),
        new Change(
            " | label_format who=`{{.p | trunc 2}}{{if eq .u \"ann\"}}!{{end}}`",
            labels -> {
              String p = labels.getOrDefault("p", "");
              labels.put(
                  "who",
                  p.substring(0, 2) + (labels.getOrDefault("u", "").equals("ann") ? "!" : ""));
              return labels;
            }),
        new Change(
            " | label_format p=u, u=topic",
            labels -> {
              labels.put("p", removed("u", labels));
              labels.put("u", removed("topic", labels));
              return labels;
            }),
        new Change(
            " | drop u, topic",
            labels -> {
              labels.keySet().removeAll(List.of("u", "topic"));
              return labels;
            }),
        new Change(
            " | keep u, topic, n, took, size",
            labels -> {
              labels.keySet().retainAll(List.of("u", "topic"));
              return labels;
            }),
        new Change(
            " | drop u=`ann`, u=`né`, topic!=`pay`",
            labels -> {
              labels.remove("u", "ann");
              labels.remove("u", "né");
              labels.remove("topic", "shop");
              return labels;
            }),
        new Change(
            " | keep u=~`[ab].*`, topic!~`p.*`, n, took, size",
            labels -> {
              labels.keySet().retainAll(List.of("u", "topic"));
              labels.remove("u", "né");
              labels.remove("topic", "pay");
              return labels;
            }));
  }

  /** A filter of the labels that stages have changed. */
  private record After(String text, Predicate<Map<String, String>> passes) {
    static After of(String name, String sign, String regex) {
      boolean negative = sign.startsWith("!");
      return new After(
          " | " + name + sign + "`" + regex + "`",
          labels -> labels.getOrDefault(name, "").matches(regex) != negative);
    }
  }

  private After after(Change change) {
    if (random.nextInt(3) > 0) {
      return new After("", _ -> true);
    }
    boolean isMade = change.text.contains("{{") || change.text.contains("topic!");
    String name = isMade ? oneOf("u", "p") : oneOf("u", "p", "topic", "who");
    return oneOf(
        After.of(name, oneOf("=", "!="), oneOf("ann", "bob", "shop", "/a", "")),
        After.of(name, oneOf("=~", "!~"), oneOf("a.*|né", ".*", ".+", "s.*")));
  }

  private static String removed(String name, Map<String, String> labels) {
    return Objects.requireNonNullElse(labels.remove(name), "");
  }

  private static boolean isNumber(Sample sample) {
    return !sample.value("n").equals("none");
  }

  private static double number(String unwrap, Sample sample) {
    return switch (unwrap) {
      case "n" -> isNumber(sample) ? Double.parseDouble(sample.value("n")) : Double.NaN;
      case "duration(took)" ->
          Map.of("5ms", 0.005, "1.5s", 1.5, "1m3s", 63.0)
              .getOrDefault(sample.value("took"), Double.NaN);
      default ->
          Map.of("3KB", 3000.0, "1KiB", 1024.0, "12B", 12.0)
              .getOrDefault(sample.value("size"), Double.NaN);
    };
  }

  private static final Map<String, Function<double[], Double>> FUNCTIONS =
      new TreeMap<>(
          Map.of(
              "avg_over_time(",
              NaiveNumbers::average,
              "min_over_time(",
              values -> Arrays.stream(values).min().orElseThrow(),
              "max_over_time(",
              values -> Arrays.stream(values).max().orElseThrow(),
              "stddev_over_time(",
              NaiveNumbers::deviation,
              "quantile_over_time(0.9,",
              values -> NaiveNumbers.quantile(0.9, values),
              "first_over_time(",
              values -> values[0],
              "last_over_time(",
              values -> values[values.length - 1]));

  private Part leaf() {
    Selection selection = selection();
    long range = oneOf(1000L, 700L, 2500L);
    long offset = oneOf(0L, 0L, 800L, 9000L, -1500L);
    Part part = leaf(selection, range, "[" + range + "ms]" + offset(offset) + ")");
    return new Part(part.text, NaiveNumbers.before(part.values, offset));
  }

  private static String offset(long millis) {
    return millis == 0 ? "" : " offset " + millis + "ms";
  }

  private Part leaf(Selection selection, long range, String end) {
    if (random.nextInt(8) == 0) {
      Vector all =
          NaiveNumbers.overTime(
              samples, selection.selects, range, _ -> Map.of(), _ -> 1.0, NaiveNumbers::sum);
      Map<String, String> labels =
          selection.text.startsWith("{topic=") ? Map.of("topic", "shop") : Map.of();
      return new Part("absent_over_time(" + selection.text + end, NaiveNumbers.absent(all, labels));
    }
    List<String> names =
        oneOf(
            List.of("u"),
            List.of("topic"),
            List.of("u", "p"),
            List.of("who"),
            List.of("p", "who"),
            List.of());
    Change change = change();
    After after = after(change);
    String by = " by (" + String.join(",", names) + ")";
    Function<Sample, Map<String, String>> all =
        s -> {
          Map<String, String> labels = new TreeMap<>(s.stream());
          labels.putAll(s.fields());
          return change.of.apply(labels);
        };
    Function<Sample, Map<String, String>> labels =
        s -> NaiveNumbers.only(all.apply(s), names, true);
    var changed =
        new Selection(
            selection.text + change.text + after.text,
            selection.selects.and(s -> after.passes.test(all.apply(s))));
    return random.nextInt(3) == 0
        ? counted(changed, range, end, by, labels)
        : measured(changed, range, end, by, labels);
  }

  private Part counted(
      Selection selection,
      long range,
      String end,
      String by,
      Function<Sample, Map<String, String>> labels) {
    boolean rate = random.nextBoolean();
    return new Part(
        "sum" + by + "(" + (rate ? "rate(" : "count_over_time(") + selection.text + end + ")",
        NaiveNumbers.overTime(
            samples,
            selection.selects,
            range,
            labels,
            _ -> 1.0,
            values -> rate ? values.length / (range / 1000.0) : values.length));
  }

  private Part measured(
      Selection selection,
      long range,
      String end,
      String by,
      Function<Sample, Map<String, String>> labels) {
    String unwrap = oneOf("n", "duration(took)", "bytes(size)");
    String measured = selection.text + " | unwrap " + unwrap + end;
    if (random.nextInt(3) == 0) {
      return new Part(
          "sum" + by + "(sum_over_time(" + measured + ")",
          NaiveNumbers.overTime(
              samples,
              selection.selects,
              range,
              labels,
              s -> number(unwrap, s),
              NaiveNumbers::sum));
    }
    String function = oneOf(FUNCTIONS.keySet().toArray(String[]::new));
    return new Part(
        function + measured + by,
        NaiveNumbers.overTime(
            samples,
            selection.selects,
            range,
            labels,
            s -> number(unwrap, s),
            Objects.requireNonNull(FUNCTIONS.get(function))));
  }

  private Part query(int depth) {
    if (depth == 0) {
      return leaf();
    }
    Part left = query(depth - 1);
    return switch (random.nextInt(7)) {
      case 5 -> new Part("sort_desc(" + left.text + ")", left.values);
      case 6 ->
          new Part(
              "label_replace("
                  + left.text
                  + ", `u`, `$2-$n${4}$$`, `topic`, `(?P<n>s|x)(h)(?:.*)`)",
              NaiveNumbers.relabelled(left.values, RandomNumbersTest::relabelled));
      case 0 -> {
        boolean by = random.nextBoolean();
        String name = oneOf("u", "topic");
        yield new Part(
            "max " + (by ? "by (" : "without (") + name + ") (" + left.text + ")",
            NaiveNumbers.aggregate(
                left.values,
                List.of(name),
                by,
                values -> Arrays.stream(values).max().orElseThrow()));
      }
      case 1 ->
          oneOf(
              new Part("2 * (" + left.text + ")", NaiveNumbers.each(left.values, v -> 2 * v)),
              new Part(
                  "(" + left.text + ") > 1.5",
                  NaiveNumbers.each(left.values, v -> v > 1.5 ? v : Double.NaN)),
              new Part(
                  "100 <= bool (" + left.text + ")",
                  NaiveNumbers.each(left.values, v -> 100 <= v ? 1.0 : 0.0)));
      case 2, 3 -> matched(left, query(depth - 1));
      default -> left;
    };
  }

  private static Map<String, String> relabelled(Map<String, String> labels) {
    Map<String, String> all = new TreeMap<>(labels);
    if (labels.getOrDefault("topic", "").equals("shop")) {
      all.put("u", "h-s$");
    }
    return all;
  }

  private Part matched(Part left, Part right) {
    boolean on = random.nextBoolean();
    List<String> names = oneOf(List.of(), List.of("u"), List.of("topic"));
    String matching = (on ? " on (" : " ignoring (") + String.join(",", names) + ") ";
    String operation = oneOf("+", "-", "*", "/", ">", "== bool", "and", "or", "unless");
    String text = "(" + left.text + ") " + operation + matching + "(" + right.text + ")";
    DoubleBinaryOperator operator =
        switch (operation) {
          case "+" -> Double::sum;
          case "-" -> (a, b) -> a - b;
          case "*" -> (a, b) -> a * b;
          case "/" -> (a, b) -> a / b;
          case ">" -> (a, b) -> a > b ? a : Double.NaN;
          default -> (a, b) -> a == b ? 1 : 0;
        };
    boolean ofSets = Character.isLetter(operation.charAt(0));
    return new Part(
        text,
        ofSets
            ? NaiveNumbers.sets(left.values, right.values, names, on, operation)
            : NaiveNumbers.matched(left.values, right.values, names, on, operator));
  }

  @Test
  void everyNodeCalculatesWhatANaiveEvaluationDoes() throws IOException {
    List<Batch> batches = batches();
    int refused = 0;
    int empty = 0;
    try (var cluster = TestCluster.random(45, 2, batches)) {
      for (int i = 0; i < QUERIES; i++) {
        Part query = query(random.nextInt(3));
        var client = new LokiClient(cluster.nodes.get(random.nextInt(cluster.nodes.size())).port());
        String path =
            path(
                "query_range",
                "query",
                query.text,
                "start",
                FIRST + "000000",
                "end",
                FIRST + POINTS * 1000L - 1000 + "000000",
                "step",
                "1s");
        try {
          Map<Map<String, String>, Map<Long, Double>> expected = expected(query);
          empty += expected.isEmpty() ? 1 : 0;
          check(query, expected, client.numbers(path));
        } catch (Several e) {
          refused++;
          assertThat(client.get(path).status()).as(query.text).isEqualTo(400);
        }
      }
    }
    assertThat(refused + empty).isLessThan(QUERIES * 2 / 5);
  }

  /** By labels and second; of queries that no answer has, the first time says so. */
  private static Map<Map<String, String>, Map<Long, Double>> expected(Part query) {
    Map<Map<String, String>, Map<Long, Double>> all = new HashMap<>();
    for (int point = 0; point < POINTS; point++) {
      long at = FIRST + point * 1000L;
      query
          .values
          .apply(at)
          .forEach((labels, value) -> {
            if (!value.isNaN()) {
              all.computeIfAbsent(labels, _ -> new TreeMap<>()).put(at / 1000, value);
            }
          });
    }
    return all;
  }

  private static void check(
      Part query,
      Map<Map<String, String>, Map<Long, Double>> expected,
      Map<Map<String, String>, Map<Long, Double>> all) {
    assertThat(all.keySet()).as(query.text).isEqualTo(expected.keySet());
    expected.forEach((labels, values) -> {
      Map<Long, Double> found = Objects.requireNonNull(all.get(labels));
      assertThat(found.keySet()).as(query.text).isEqualTo(values.keySet());
      values.forEach((second, value) ->
          assertThat(found.get(second))
              .as("%s at %s", query.text, second)
              .isCloseTo(value, within(1e-9 * Math.max(1, Math.abs(value)))));
    });
  }
}
