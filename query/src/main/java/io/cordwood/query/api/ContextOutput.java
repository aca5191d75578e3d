package io.cordwood.query.api;

import io.cordwood.common.run.LastUsed;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.query.api.ContextSearch.Found;
import io.cordwood.query.http.ContextWanted;
import io.cordwood.query.http.RecordFormat;
import io.cordwood.query.request.ContextRecords.Anchor;
import io.cordwood.query.request.ContextRecords.Stream;
import io.cordwood.query.request.Query;
import io.cordwood.query.result.BlockHits;
import io.cordwood.query.result.HitSink;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Writes matches with their context: groups of records that follow each other in one stream, in the
 * order of their first matches, each record once.
 *
 * <p>Matches come in ULID order. Some of them at a time are a window, for which {@link
 * ContextSearch} finds the neighbours:
 *
 * <pre>
 *   matches ──► window ──► ContextSearch ──► groups ──► format
 *                 256 matches, 256 KiB, or what there is when the next one is waited for
 * </pre>
 *
 * What follows a match and matches too is left to the window that it comes in as a match; so its
 * own context is found then, and the group goes on. For the query's own thread; holds a window and
 * its context, and of some streams how far they were given.
 */
final class ContextOutput implements HitSink {
  private static final int MAX_MATCHES = 256;
  private static final int MAX_WINDOW_RECORDS = 8192;
  private static final int MAX_MATCH_BYTES = 256 << 10;
  private static final int MAX_STREAMS = 1 << 16;
  private static final long WINDOW_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final Query query;
  private final ContextWanted wanted;
  private final ContextSearch search;
  private final RecordFormat format;
  private final OutputStream out;
  private final int maxMatches;

  /** Up to where streams were given. */
  private final Map<Stream, Long> given = new LastUsed<>(MAX_STREAMS);

  private List<Found> window = new ArrayList<>();
  private final Set<Anchor> anchors = new HashSet<>();
  private long windowBytes;
  private long beganNanos;
  private int groups;
  private @Nullable Stream lastStream;

  ContextOutput(Query query, ContextSearch search, RecordFormat format, OutputStream out) {
    this.query = query;
    this.wanted = search.wanted();
    this.search = search;
    this.format = format;
    this.out = out;
    this.maxMatches =
        Math.clamp(MAX_WINDOW_RECORDS / (wanted.before() + wanted.after() + 1), 1, MAX_MATCHES);
  }

  @Override
  public boolean accept(BlockHits hits, BlockHits.Group group) throws IOException {
    for (int hit = group.from(); hit < group.to(); hit++) {
      if (window.size() >= maxMatches || windowBytes >= MAX_MATCH_BYTES) {
        giveWindow(false); // Not before there is one more: after the last one nothing is left out.
      }
      var match = Found.of(hits, group, hit, true);
      if (!anchors.add(match.anchor())) {
        giveWindow(false); // Of other labels: each is the match of a window of its own.
        anchors.add(match.anchor());
      }
      beganNanos = window.isEmpty() ? System.nanoTime() : beganNanos;
      window.add(match);
      windowBytes += match.bytes().length;
    }
    return true;
  }

  @Override
  public void idle() throws IOException {
    if (!window.isEmpty() && System.nanoTime() - beganNanos >= WINDOW_NANOS) {
      giveWindow(false);
      out.flush();
    }
  }

  /** To be called once, when there are no more matches. */
  void end() throws IOException {
    if (!window.isEmpty()) {
      giveWindow(true);
    }
  }

  private void giveWindow(boolean last) throws IOException {
    List<Found> matches = window;
    window = new ArrayList<>();
    windowBytes = 0;
    anchors.clear();
    Ulid reached = matches.getLast().ulid();
    search.around(matches, last ? Ulid.MAX : reached, this::give);
  }

  /** Gives some streams' records, matches and their neighbours. */
  private void give(Map<Stream, NavigableMap<Long, Found>> streams, Ulid reached)
      throws IOException {
    List<List<Found>> all = new ArrayList<>();
    streams.forEach((stream, records) -> addGroups(stream, records, reached, all));
    all.sort(Comparator.comparing(ContextOutput::firstMatch));
    for (List<Found> group : all) {
      write(group);
    }
  }

  private static Ulid firstMatch(List<Found> group) {
    return group.stream().filter(Found::isMatch).findFirst().orElseThrow().ulid();
  }

  private void addGroups(
      Stream stream, NavigableMap<Long, Found> records, Ulid reached, List<List<Found>> groups) {
    long givenTo = given.getOrDefault(stream, -1L) + 1;
    long from = givenTo;
    List<Found> group = new ArrayList<>();
    long end = -1;
    for (Found match : records.values().stream().filter(Found::isMatch).toList()) {
      boolean wasGiven = match.counter() < givenTo; // One of the same ULID and other labels was.
      long begin = wasGiven ? match.counter() : Math.max(from, match.counter() - wanted.before());
      if (!group.isEmpty() && begin > end + 1) {
        groups.add(group);
        group = new ArrayList<>();
      }
      end = match.counter() + wanted.after();
      for (Found next : records.subMap(begin, true, end, true).values()) {
        if (next.ulid().isAfter(reached) && wouldMatch(next)) {
          break;
        }
        if (next.counter() >= from || (wasGiven && next.counter() == match.counter())) {
          group.add(next);
          from = Math.max(from, next.counter() + 1);
        }
      }
    }
    if (!group.isEmpty()) {
      groups.add(group);
    }
  }

  /** Whether a record will come as a match. */
  private boolean wouldMatch(Found record) {
    return query.range().contains(record.ulid())
        && wanted.matches(query, record.bytes(), record.labels());
  }

  private void write(List<Found> group) throws IOException {
    Found first = group.getFirst();
    Stream stream = first.stream();
    Long before = given.get(stream);
    boolean goesOn = stream.equals(lastStream) && before != null && first.counter() == before + 1;
    if (!goesOn) {
      format.beginGroup(++groups, out);
    }
    for (Found next : group) {
      byte[] line = Arrays.copyOf(next.bytes(), next.bytes().length + 1);
      line[line.length - 1] = '\n';
      var one = new BlockHits.Group(next.ulid(), next.labels(), 0, 1);
      var hits =
          new BlockHits(next.topic(), line, new int[] {line.length}, new int[1], List.of(one));
      if (next.isMatch()) {
        format.write(hits, one, out);
      } else {
        format.writeContext(hits, one, out);
      }
    }
    given.merge(stream, group.getLast().counter(), Math::max);
    lastStream = stream;
  }
}
