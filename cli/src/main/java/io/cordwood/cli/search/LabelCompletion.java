package io.cordwood.cli.search;

import io.cordwood.cli.client.AskedNodes;
import io.cordwood.cli.question.QueryString;
import io.cordwood.common.http.ApiParams;
import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.client.CliClient;
import io.cordwood.common.http.client.CliClient.Answer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Completes conditions whose last one begins with a label, by its name or by one of its values. For
 * shells: nothing is said of what fails, and nothing waits for long.
 */
final class LabelCompletion {
  /** The time limit of all calls together. */
  private static final Duration LONGEST = Duration.ofSeconds(2);

  private static final int MOST = 200;

  /** Conditions, after the quote of a shell, of which the last is being typed. */
  private static final Pattern TYPED =
      Pattern.compile(
          "['\"]?(?<before>(?s:.*)(?<=^|['\"\\s]))@(?<name>[A-Za-z0-9_.-]*)"
              + "(?<operator>\\??!?=(?<value>\\S*))?");

  /** Values that stand in conditions, and between a shell's quotes, as they are. */
  private static final Predicate<String> PLAIN =
      Pattern.compile("[\\p{L}\\p{N}_./:@%+-]+").asMatchPredicate();

  private final AskedNodes nodes;

  LabelCompletion(AskedNodes nodes) {
    this.nodes = nodes;
  }

  /** Each way to go on, with what was typed before. */
  List<String> of(String typed) {
    Matcher parts = TYPED.matcher(typed);
    if (!parts.matches()) {
      return List.of();
    }
    return CompletableFuture.supplyAsync(() -> of(parts))
        .completeOnTimeout(List.of(), LONGEST.toMillis(), TimeUnit.MILLISECONDS)
        .exceptionally(_ -> List.of())
        .join();
  }

  private List<String> of(Matcher parts) {
    String before = parts.group("before") + "@";
    String name = parts.group("name");
    String value = parts.group("value");
    if (value != null) {
      String operator = parts.group("operator");
      String known = operator.substring(0, operator.length() - value.length());
      return values(before + name + known, name, value);
    }
    List<String> names = table(null).filter(each -> each.startsWith(name)).toList();
    return names.size() == 1
        ? values(before + names.getFirst() + "=", names.getFirst(), "")
        : names.stream().limit(MOST).map(each -> before + each + "=").toList();
  }

  private List<String> values(String before, String name, String begin) {
    return table(name)
        .filter(value -> value.startsWith(begin) && PLAIN.test(value))
        .limit(MOST)
        .map(value -> before + value)
        .toList();
  }

  /** The names of labels, or the values of one. */
  private Stream<String> table(@Nullable String name) {
    String query =
        new QueryString()
            .addIfThere(ApiParams.NAME, name)
            .add(ApiParams.TIME_LIMIT, "1s")
            .toString();
    var client = new CliClient(LONGEST, LONGEST);
    try (Answer answer =
            nodes.ask(
                client,
                _ -> {},
                (asked, node) -> QueryString.ask(asked, node, ApiPaths.LABELS, query));
        InputStream body = answer.body()) {
      String lines = new String(body.readAllBytes(), StandardCharsets.UTF_8);
      return lines.lines().map(line -> line.substring(line.lastIndexOf('\t') + 1));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
