package io.cordwood.query.api;

import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.wire.Labels;
import io.cordwood.query.gather.QueryExecution;
import io.cordwood.query.gather.QueryExecutor;
import io.cordwood.query.gather.Verdict;
import io.cordwood.query.http.ContextWanted;
import io.cordwood.query.request.ContextRecords;
import io.cordwood.query.request.ContextRecords.Anchor;
import io.cordwood.query.request.ContextRecords.Stream;
import io.cordwood.query.request.Query;
import io.cordwood.query.request.Query.Detail;
import io.cordwood.query.result.BlockHits;
import io.cordwood.query.result.ScanStats;
import io.cordwood.query.scan.AnswerMemory;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds the neighbours of matches on all nodes. It looks near each match first, and farther away
 * only for those whose neighbours are not all found, as long as that is not too much to read: what
 * would have to be read is known from the indexes. For the query's own thread.
 */
final class ContextSearch {
  /** How far from a match, step by step. */
  private static final List<Duration> REACHES =
      List.of(
          Duration.ofMillis(100),
          Duration.ofSeconds(2),
          Duration.ofSeconds(20),
          Duration.ofMinutes(2),
          Duration.ofMinutes(10));

  /** Raw bytes, copies included, that are searched for some matches at one step. */
  private static final long MAX_SEARCHED_BYTES = 256 << 20;

  /** Bytes of the neighbours of some matches, if the node has as much for one of its queries. */
  private static final long MAX_HELD_BYTES = 32 << 20;

  private final QueryExecutor executor;
  private final QueryExecutor.Options options;
  private final ContextWanted wanted;
  private final Labels only;
  private final AnswerMemory memory;
  private final BooleanSupplier abandoned;
  private final long beganNanos = System.nanoTime();
  private final ScanStats stats = new ScanStats();
  private @Nullable Verdict verdict;
  private long cut;

  /**
   * @param only labels that the batches of neighbours must have
   */
  ContextSearch(
      QueryExecutor executor,
      QueryExecutor.Options options,
      ContextWanted wanted,
      Labels only,
      AnswerMemory memory,
      BooleanSupplier abandoned) {
    this.executor = executor;
    this.options = options;
    this.wanted = wanted;
    this.only = only;
    this.memory = memory;
    this.abandoned = abandoned;
  }

  /** A record of a stream. */
  record Found(Topic topic, Labels labels, Ulid ulid, byte[] bytes, boolean isMatch) {
    Stream stream() {
      return Stream.of(topic, ulid);
    }

    long counter() {
      return ContextRecords.counter(ulid);
    }

    Anchor anchor() {
      return new Anchor(topic, ulid);
    }

    static Found of(BlockHits hits, BlockHits.Group group, int hit, boolean isMatch) {
      var record = hits.record(hit);
      byte[] bytes = new byte[record.remaining()];
      record.get(bytes);
      return new Found(hits.topic(), group.labels(), hits.ulid(group, hit), bytes, isMatch);
    }
  }

  /** Takes matches and their neighbours, and up to where all that match are among the matches. */
  @FunctionalInterface
  interface Taker {
    void take(Map<Stream, NavigableMap<Long, Found>> streams, Ulid reached) throws IOException;
  }

  /**
   * Gives the matches with what is around them: all at once, or if that is too much in parts.
   *
   * @param reached up to where all that match are among the matches
   */
  void around(List<Found> matches, Ulid reached, Taker taker) throws IOException {
    if (!aroundAll(matches, reached, taker)) {
      List<Found> first = matches.subList(0, matches.size() / 2);
      around(first, first.getLast().ulid(), taker);
      around(matches.subList(first.size(), matches.size()), reached, taker);
    }
  }

  /** Matches and what was found around them, by stream and place in it. */
  private static Map<Stream, NavigableMap<Long, Found>> byStream(List<Found> matches) {
    Map<Stream, NavigableMap<Long, Found>> streams = new LinkedHashMap<>();
    for (Found match : matches) {
      streams.computeIfAbsent(match.stream(), _ -> new TreeMap<>()).put(match.counter(), match);
    }
    return streams;
  }

  private boolean aroundAll(List<Found> matches, Ulid reached, Taker taker) throws IOException {
    Map<Stream, NavigableMap<Long, Found>> streams = byStream(matches);
    try (AnswerMemory.Share share = memory.open()) {
      if (!search(matches, streams, share)) {
        return false;
      }
      taker.take(streams, reached);
      return true;
    }
  }

  /** False if it is too much for that many matches, and they are not alone. */
  private boolean search(
      List<Found> matches, Map<Stream, NavigableMap<Long, Found>> streams, AnswerMemory.Share share)
      throws IOException {
    boolean alone = matches.size() == 1;
    List<Found> lacking = lacking(matches, streams);
    for (Duration reach : REACHES) {
      if (lacking.isEmpty()) {
        return true;
      }
      boolean first = reach.equals(REACHES.getFirst());
      var near =
          new ContextRecords(
              lacking.stream().map(Found::anchor).toList(), wanted.before(), wanted.after(), reach);
      Query query = Query.selected(near, near.range(), only, Detail.ULIDS);
      if (!(first && alone) && bytesToSearch(query) > MAX_SEARCHED_BYTES) {
        cut += first ? 0 : lacking.size();
        return !first;
      }
      if (!fetch(query, near, streams, share)) {
        cut += alone ? 1 : 0;
        return alone;
      }
      lacking = lacking(lacking, streams);
    }
    return true;
  }

  private List<Found> lacking(List<Found> matches, Map<Stream, NavigableMap<Long, Found>> streams) {
    return matches.stream()
        .filter(match -> {
          NavigableMap<Long, Found> records = streams.get(match.stream());
          long from = Math.max(0, match.counter() - wanted.before());
          long to = match.counter() + wanted.after();
          return records == null || records.subMap(from, true, to, true).size() < to - from + 1;
        })
        .toList();
  }

  private long bytesToSearch(Query query) throws IOException {
    var plan = new ScanStats();
    try (QueryExecution execution =
        executor.gather(
            query.with(Detail.PLAN), executor.since(beganNanos, options), plan, abandoned)) {
      execution.run((hits, group) -> true);
    }
    return plan.bytesInRange.get();
  }

  /** False if it is more than can be held; what was found until then is there. */
  private boolean fetch(
      Query query,
      ContextRecords near,
      Map<Stream, NavigableMap<Long, Found>> streams,
      AnswerMemory.Share share)
      throws IOException {
    long[] left = {MAX_HELD_BYTES};
    try (QueryExecution execution =
        executor.gather(query, executor.since(beganNanos, options), stats, abandoned)) {
      execution.run((hits, group) -> {
        for (int hit = group.from(); hit < group.to() && left[0] > 0; hit++) {
          var found = Found.of(hits, group, hit, false);
          if (near.places(found.topic(), found.ulid(), 1).length > 0
              && streams.get(found.stream()) != null
              && streams.get(found.stream()).putIfAbsent(found.counter(), found) == null) {
            left[0] -= share.take(found.bytes().length) ? found.bytes().length : MAX_HELD_BYTES;
          }
        }
        return left[0] > 0;
      });
      Verdict next = execution.verdict();
      verdict = verdict == null ? next : verdict.and(next);
    }
    return left[0] > 0;
  }

  ContextWanted wanted() {
    return wanted;
  }

  /** Matches whose neighbours were not looked for to the end, since that would be too much. */
  long cut() {
    return cut;
  }

  /** The statistics of its reads. */
  ScanStats stats() {
    return stats;
  }

  /** The verdict on all its questions; empty if there was none. */
  Optional<Verdict> verdict() {
    return Optional.ofNullable(verdict);
  }
}
