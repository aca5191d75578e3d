package io.cordwood.cli.watch;

import io.cordwood.cli.alert.Counted;
import io.cordwood.cli.alert.Counts;
import io.cordwood.cli.alert.Rule;
import io.cordwood.cli.client.GrepStatistics;
import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.question.QueryString;
import io.cordwood.common.http.ApiParams;
import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.client.CliClient.Answer;
import io.cordwood.common.ulid.Ulid;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Has a node count: records alone, which costs it least, or by fields. Safe for all threads. */
final class NodeCounts implements Counts {
  private static final Duration SHORTEST_LIMIT = Duration.ofSeconds(10);
  private static final Duration LONGEST_LIMIT = Duration.ofMinutes(1);

  private static final int MAX_REASON = 500;

  private final NodeApi node;
  private final String query;
  private final Map<String, String> labels = new LinkedHashMap<>();
  private final Duration limit;

  /**
   * @param query which records, without times
   * @param by fields; may be empty
   * @param every how often it is asked, and so how long an answer may take
   */
  NodeCounts(NodeApi node, String query, List<String> by, Duration every) {
    this.node = node;
    by.forEach(field -> labels.put(field, GroupLines.label(field)));
    this.limit =
        every.compareTo(SHORTEST_LIMIT) < 0
            ? SHORTEST_LIMIT
            : every.compareTo(LONGEST_LIMIT) > 0 ? LONGEST_LIMIT : every;
    this.query = query + "&" + form(by);
  }

  private static QueryString form(List<String> by) {
    var form = new QueryString();
    if (by.isEmpty()) {
      return form.addIf(ApiParams.COUNT, true);
    }
    by.forEach(field -> form.add(ApiParams.BY, field));
    return form.add(ApiParams.TOP, Integer.toString(Rule.MAX_GROUPS + 1))
        .add(ApiParams.FORMAT, "json");
  }

  @Override
  public Counted count(Instant from, Instant to) {
    String range =
        new QueryString()
            .add(ApiParams.FROM, Ulid.firstOf(from.toEpochMilli()).toString())
            .add(ApiParams.TO, Ulid.lastOf(to.toEpochMilli() - 1).toString())
            .toString();
    String path = labels.isEmpty() ? ApiPaths.QUERY : ApiPaths.STATS;
    List<String> said = new ArrayList<>();
    try (Answer answer = node.ask(path, query + "&" + range, limit, said::add);
        InputStream body = answer.body()) {
      return labels.isEmpty() ? all(answer, body) : groups(answer, body);
    } catch (IOException | CommandException e) {
      said.add(String.valueOf(e.getMessage()));
      return Counted.failed(cut(String.join("; ", said)));
    }
  }

  private static Counted all(Answer answer, InputStream body) throws IOException {
    body.transferTo(OutputStream.nullOutputStream());
    GrepStatistics statistics = GrepStatistics.of(answer);
    return statistics.matches() < 0
        ? Counted.failed("expected a number of records, found none; does a node answer there?")
        : Counted.all(statistics.matches(), statistics.doubt().map(NodeCounts::cut));
  }

  private Counted groups(Answer answer, InputStream body) throws IOException {
    Map<Map<String, String>, Long> groups = GroupLines.read(body, labels);
    GrepStatistics statistics = GrepStatistics.of(answer);
    String left = statistics.fields().getOrDefault("groups-cut", "0");
    Optional<String> doubt = statistics.doubt().map(NodeCounts::cut);
    if (doubt.isEmpty() && !left.equals("0")) {
      doubt = Optional.of(left + " records are of values for which the node had no room");
    }
    long others =
        groups.size() <= Rule.MAX_GROUPS
            ? 0
            : groups.values().stream().mapToLong(Long::longValue).min().orElse(0);
    return new Counted(groups, others, doubt);
  }

  private static String cut(String reason) {
    return reason.length() <= MAX_REASON ? reason : reason.substring(0, MAX_REASON) + "…";
  }
}
