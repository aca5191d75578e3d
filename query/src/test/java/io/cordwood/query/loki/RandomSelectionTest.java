package io.cordwood.query.loki;

import static io.cordwood.query.loki.LokiClient.path;
import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.Records;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.wire.Labels;
import io.cordwood.query.TestCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Random selectors and line filters find on every node what a naive search finds. */
final class RandomSelectionTest {
  private static final long FIRST = 1_700_000_000_000L;
  private static final List<String> WORDS =
      List.of(
          "card",
          "refused",
          "né",
          "a.b",
          "axb",
          "\"q\"",
          "x  {y",
          "\\d",
          "12",
          "10.0.0.1",
          "10.0.0.12",
          "::1");

  private final SplittableRandom random = new SplittableRandom(7);

  private record Sample(long millis, Map<String, String> labels, String text) {}

  /** A query, and which records it is for. */
  private record Part(String text, Predicate<Sample> selects) {}

  private <T> T oneOf(List<T> some) {
    return some.get(random.nextInt(some.size()));
  }

  private String text() {
    return String.join(
        " ", Stream.generate(() -> oneOf(WORDS)).limit(1 + random.nextInt(3)).toList());
  }

  private Part matcher() {
    String name = oneOf(List.of("topic", "app", "service_name", "none"));
    String value =
        oneOf(List.of("shop", "pay", "web", "", "pa", "shop|pay", ".*", ".+", "p[ab].*"));
    return compared(name, value, sample -> sample.labels.getOrDefault(name, ""));
  }

  private Part compared(String name, String value, Function<Sample, String> found) {
    Pattern regex = Pattern.compile(value);
    return switch (random.nextInt(4)) {
      case 0 -> new Part(name + "=`" + value + "`", s -> found.apply(s).equals(value));
      case 1 -> new Part(name + "!=`" + value + "`", s -> !found.apply(s).equals(value));
      case 2 -> new Part(name + "=~`" + value + "`", s -> regex.matcher(found.apply(s)).matches());
      default ->
          new Part(name + "!~`" + value + "`", s -> !regex.matcher(found.apply(s)).matches());
    };
  }

  private Part line() {
    String word = oneOf(WORDS);
    String other = oneOf(WORDS);
    Pattern regex = Pattern.compile(word.replace("{", "."));
    return switch (random.nextInt(7)) {
      case 0 -> new Part(" |= `" + word + "`", s -> s.text.contains(word));
      case 1 -> new Part(" != `" + word + "`", s -> !s.text.contains(word));
      case 2 -> new Part(" |~ `" + regex + "`", s -> regex.matcher(s.text).find());
      case 3 -> new Part(" !~ `" + regex + "`", s -> !regex.matcher(s.text).find());
      case 4 -> new Part(" |= ip(`10.0.0.0/29`)", s -> words(s).contains("10.0.0.1"));
      case 5 ->
          new Part(
              " != ip(`::1`) or `" + word + "`",
              s -> !words(s).contains("::1") && !s.text.contains(word));
      default ->
          new Part(
              " |= `" + word + "` or `" + other + "`",
              s -> s.text.contains(word) || s.text.contains(other));
    };
  }

  private static List<String> words(Sample sample) {
    return List.of(sample.text.split(" "));
  }

  private Part query() {
    List<Part> matchers = Stream.generate(this::matcher).limit(random.nextInt(3)).toList();
    List<Part> lines = Stream.generate(this::line).limit(random.nextInt(4)).toList();
    String text =
        "{"
            + String.join(", ", matchers.stream().map(Part::text).toList())
            + "}"
            + String.join("", lines.stream().map(Part::text).toList());
    return new Part(
        text,
        sample ->
            Stream.concat(matchers.stream(), lines.stream())
                .allMatch(part -> part.selects.test(sample)));
  }

  private List<Batch> batches(List<Sample> samples) {
    List<Batch> batches = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      String topic = oneOf(List.of("shop", "pay", "web"));
      Map<String, String> labels = new TreeMap<>();
      for (String name : List.of("app", "service_name")) {
        if (random.nextBoolean()) {
          labels.put(name, oneOf(List.of("shop", "pay", "")));
        }
      }
      String[] texts =
          Stream.generate(this::text).limit(1 + random.nextInt(3)).toArray(String[]::new);
      batches.add(
          Records.lines(new Topic(topic), Ulid.firstOf(FIRST + i), texts)
              .labelled(Labels.of(labels)));
      Map<String, String> all = new TreeMap<>(Map.of("service_name", topic));
      all.putAll(labels);
      all.put("topic", topic);
      for (String text : texts) {
        samples.add(new Sample(FIRST + i, all, text));
      }
    }
    return batches;
  }

  @Test
  void everyNodeFindsWhatANaiveSearchFinds() throws IOException {
    List<Sample> samples = new ArrayList<>();
    try (var cluster = TestCluster.random(7, 2, batches(samples))) {
      for (int i = 0; i < 200; i++) {
        Part query = query();
        var client = new LokiClient(oneOf(cluster.nodes).port());
        String path =
            path(
                "query_range",
                "query",
                query.text,
                "limit",
                "1000",
                "start",
                "1700000000",
                "end",
                "1700000001");
        assertThat(client.lines(path))
            .extracting(line -> Long.parseLong(line.nanos()) / 1_000_000 + " " + line.text())
            .as(query.text)
            .containsExactlyInAnyOrderElementsOf(
                samples.stream()
                    .filter(query.selects)
                    .map(sample -> sample.millis + " " + sample.text)
                    .toList());
      }
    }
  }
}
