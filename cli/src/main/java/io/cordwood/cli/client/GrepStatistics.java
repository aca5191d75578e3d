package io.cordwood.cli.client;

import io.cordwood.cli.program.Programs;
import io.cordwood.cli.question.PriceFlags;
import io.cordwood.common.http.client.CliClient.Answer;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import java.io.PrintStream;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A node's statements about its answer, in fields that begin with {@code cordwood-}.
 *
 * @param fields by name, without that beginning
 */
public record GrepStatistics(Map<String, String> fields) {
  private static final String PREFIX = "cordwood-";

  /** The statistics of an answer whose body was read to its end. */
  public static GrepStatistics of(Answer answer) {
    Map<String, String> fields = new TreeMap<>();
    for (Map.Entry<String, String> field : answer.fields().entrySet()) {
      if (field.getKey().startsWith(PREFIX)) {
        fields.put(field.getKey().substring(PREFIX.length()), field.getValue());
      }
    }
    return new GrepStatistics(fields);
  }

  /** With the cost of what a bucket would be asked for, if prices are given. */
  GrepStatistics priced(PriceFlags prices) {
    long requests = number("bucket-requests");
    long bytes = number("bucket-bytes");
    if (requests < 0 || bytes < 0) {
      return this;
    }
    Map<String, String> priced = new TreeMap<>(fields);
    prices.cost(requests, bytes).ifPresent(cost -> priced.put("bucket-cost", cost));
    return new GrepStatistics(priced);
  }

  /** A line for each, its name first. */
  public void print(PrintStream out) {
    fields.forEach((name, value) -> out.printf("%-18s %s%n", name, value));
  }

  /** Says on standard error what has to be said; 2 if something may be missing, else as grep's. */
  public int exitCode(String command) {
    note(command).ifPresent(System.err::println);
    return isPossiblyIncomplete() ? Programs.ERROR : found() ? Programs.SUCCESS : Programs.NONE;
  }

  /** Whether there was any match. */
  boolean found() {
    return !fields.getOrDefault("matches", "0").equals("0");
  }

  /** Whether records may be missing from the answer. */
  public boolean isPossiblyIncomplete() {
    return !fields.getOrDefault("verdict", "none").equals("complete");
  }

  /** Whether a limit of the node ended the search before its end. */
  public boolean isStopped() {
    return fields.containsKey("stopped");
  }

  /**
   * Whether a limit ended the search, and nothing can be missing up to a record, the last that was
   * given.
   */
  public boolean isWholeUpTo(Ulid last) {
    return isStopped()
        && !fields.containsKey("missing")
        && !fields.containsKey("doubt")
        && UlidRange.parse(fields.getOrDefault("unsearched", ""))
            .map(unsearched -> unsearched.from().isAfter(last))
            .orElse(true);
  }

  /** The number of matches as the node counted them; -1 if it does not say. */
  public long matches() {
    return number("matches");
  }

  private long number(String field) {
    String value = fields.getOrDefault(field, "");
    return value.matches("[0-9]{1,18}") ? Long.parseLong(value) : -1;
  }

  /** The position at which the search stopped early; empty if it did not. */
  private String stop() {
    if (!isStopped()) {
      return "";
    }
    String[] ends = fields.getOrDefault("unsearched", "").split("-", 2);
    return "%s: what is from %s to %s was not searched; --since and --until take these, too"
        .formatted(fields.get("stopped"), ends[0], ends[ends.length - 1]);
  }

  /** Reports a missing verdict, which follows every answer of a node; empty if it is there. */
  private String lack() {
    return fields.containsKey("verdict")
        ? ""
        : "expected a verdict after the records, found none: something between drops trailers,"
            + " or no node answered";
  }

  /** The reasons why records may be missing, in a line; empty if none may be. */
  public Optional<String> doubt() {
    return isPossiblyIncomplete()
        ? Optional.of(
            Stream.of(fields.getOrDefault("missing", ""), stop(), doubtText(), lack())
                .filter(text -> !text.isEmpty())
                .collect(Collectors.joining("; ")))
        : Optional.empty();
  }

  private String doubtText() {
    return fields.getOrDefault("doubt", "");
  }

  /** The note on context that was not searched to the end, if there is any. */
  Optional<String> contextNote(String command) {
    String cut = fields.getOrDefault("context-cut", "0");
    return cut.equals("0")
        ? Optional.empty()
        : Optional.of(
            "cordwood %s: of %s matches some context may be missing: too much would have to be read"
                .formatted(command, cut));
  }

  /**
   * The note on nodes that did not answer, if there are any.
   *
   * @param command that says it
   */
  public Optional<String> note(String command) {
    String start = "cordwood " + command + ": ";
    String nodes = fields.getOrDefault("missing", "").replace("; ", "\n" + start + "  ");
    String doubt =
        Stream.of(stop(), doubtText(), lack())
            .filter(text -> !text.isEmpty())
            .collect(Collectors.joining("\n" + start + "  "));
    String all = nodes + (nodes.isEmpty() || doubt.isEmpty() ? "" : "\n" + start + "  ") + doubt;
    if (isPossiblyIncomplete()) {
      return Optional.of(start + "records may be missing:\n" + start + "  " + all);
    }
    return all.isEmpty()
        ? Optional.empty()
        : Optional.of(start + "complete, though without:\n" + start + "  " + all);
  }
}
