package io.cordwood.query.loki;

import io.cordwood.common.http.server.Request;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.common.wire.Labels;
import io.cordwood.query.fields.Where;
import io.cordwood.query.fields.WhereMatchers;
import io.cordwood.query.gather.MultiPassQuery;
import io.cordwood.query.histogram.TopicsApi;
import io.cordwood.query.http.MatchingParams;
import io.cordwood.query.logql.LogqlException;
import io.cordwood.query.logql.Selected;
import io.cordwood.query.match.Matcher;
import io.cordwood.query.request.Query;
import io.cordwood.query.request.Query.Detail;
import io.cordwood.query.request.Topics;
import io.cordwood.query.scan.TopicSummary;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Makes the questions to the engine of what is selected, within what the one who asks may know of.
 *
 * @param passes in which topics are asked for
 */
record Questions(Request request, MultiPassQuery passes) {
  /** Those whose answers together are the records that are selected; each record is of one. */
  List<Query> of(Selected selected, UlidRange range, Detail detail) throws IOException {
    try {
      if (selected.areAllTopics()) {
        return selected.where().stream()
            .map(where -> query(selected, where, range, allowed(Topics.ALL), detail))
            .toList();
      }
      List<Query> queries = new ArrayList<>();
      for (Selected.Part part : selected.parts(names(selected, range))) {
        Set<Topic> names = new LinkedHashSet<>();
        part.topics().forEach(name -> names.add(new Topic(name)));
        Topics topics = allowed(new Topics(names, Set.of(), Labels.NONE));
        queries.add(query(selected, part.where(), range, topics, detail));
      }
      return queries;
    } catch (LogqlException e) {
      throw LokiParams.refused("query", e);
    }
  }

  /**
   * One for what is received from now on: its answers are more than what is selected, which {@link
   * Selected#selects} tells. Empty if nothing can be.
   */
  Optional<Query> live(Selected selected) {
    Topics topics =
        selected
            .topic()
            .filter(Questions::isTopic)
            .map(name -> new Topics(Set.of(new Topic(name)), Set.of(), Labels.NONE))
            .orElse(Topics.ALL);
    return LokiParams.checked("query", selected::where)
        .map(where -> query(selected, where, UlidRange.ALL, allowed(topics), Detail.ULIDS));
  }

  /** A question about all that the caller may see. */
  Query everything(UlidRange range, Detail detail) {
    return Query.everything(range, allowed(Topics.ALL), detail);
  }

  /** Whether {@link #of} asks all nodes which topics there are. */
  static boolean asksForTopics(Selected selected) {
    return !selected.areAllTopics() && selected.topic().isEmpty();
  }

  private List<String> names(Selected selected, UlidRange range) throws IOException {
    Optional<String> only = selected.topic();
    if (only.isPresent()) {
      return isTopic(only.get()) ? List.of(only.get()) : List.of();
    }
    return TopicsApi.gather(passes, everything(range, Detail.TOPICS)).stream()
        .map(TopicSummary::topic)
        .map(Topic::name)
        .toList();
  }

  private static boolean isTopic(String name) {
    try {
      return !new Topic(name).name().isEmpty();
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private Topics allowed(Topics asked) {
    return MatchingParams.allowed(request, asked);
  }

  private static Query query(
      Selected selected, Where where, UlidRange range, Topics topics, Detail detail) {
    return Query.matching(
        selected.pattern(),
        where,
        matcher(selected, where),
        selected.invert(),
        range,
        topics,
        detail);
  }

  private static Matcher matcher(Selected selected, Where where) {
    return LokiParams.checked(
        "query", () -> WhereMatchers.compile(selected.pattern(), selected.invert(), where));
  }
}
