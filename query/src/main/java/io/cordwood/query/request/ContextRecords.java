package io.cordwood.query.request;

import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The records right before and after some others, in their streams. A stream is the records that
 * one sender has sent to one topic: its ULIDs have the same upper 48 of the 80 bits below the time,
 * and the lower 32 count its records.
 *
 * <pre>
 *   counter   … c-before … c-1 │ c │ c+1 … c+after …
 *             those before      it those after
 * </pre>
 *
 * <p>Only batches whose time is at most a reach away are searched. Immutable; safe for all threads.
 */
public final class ContextRecords implements Selection {
  /** As many as fit into a form if topics have long names. */
  static final int MAX = 500;

  /** The most that may be asked for before, and after, each. */
  public static final int MAX_EACH_SIDE = 1000;

  private static final long COUNTERS = 1L << 32;

  private final List<Anchor> anchors;
  private final int before;
  private final int after;
  private final Duration reach;
  private final Map<Stream, long[]> counters = new HashMap<>();
  private final Map<Topic, List<UlidRange>> times = new HashMap<>();

  /** A record whose neighbours are wanted. As text: {@code TOPIC/ULID}. */
  public record Anchor(Topic topic, Ulid ulid) {
    /**
     * Reads what {@link #toString} writes.
     *
     * @throws IllegalArgumentException if the text is none
     */
    public static Anchor parse(String text) {
      int slash = text.indexOf('/');
      if (slash < 0) {
        throw new IllegalArgumentException("expected TOPIC/ULID, found \"" + text + "\"");
      }
      return new Anchor(new Topic(text.substring(0, slash)), Ulid.parse(text.substring(slash + 1)));
    }

    Stream stream() {
      return Stream.of(topic, ulid);
    }

    @Override
    public String toString() {
      return topic + "/" + ulid;
    }
  }

  /** The records that one sender has sent to one topic. */
  public record Stream(Topic topic, long sender) {
    public static Stream of(Topic topic, Ulid ulid) {
      return new Stream(topic, (ulid.high() & 0xFFFF) << 32 | ulid.low() >>> 32);
    }
  }

  /**
   * @param anchors at most {@link #MAX}
   * @param reach how far from an anchor's time its neighbours' may be
   */
  public ContextRecords(List<Anchor> anchors, int before, int after, Duration reach) {
    this.anchors = List.copyOf(anchors);
    this.before = before;
    this.after = after;
    this.reach = reach;
    Map<Stream, List<Long>> byStream = new HashMap<>();
    for (Anchor anchor : anchors) {
      byStream.computeIfAbsent(anchor.stream(), _ -> new ArrayList<>()).add(counter(anchor.ulid()));
      times.computeIfAbsent(anchor.topic(), _ -> new ArrayList<>()).add(reached(anchor.ulid()));
    }
    byStream.forEach((stream, all) ->
        counters.put(stream, all.stream().mapToLong(Long::longValue).sorted().toArray()));
  }

  /** The position of a record in its stream. */
  public static long counter(Ulid ulid) {
    return ulid.low() & (COUNTERS - 1);
  }

  private UlidRange reached(Ulid ulid) {
    return new UlidRange(
        Ulid.firstOf(ulid.millis() - reach.toMillis()),
        Ulid.lastOf(ulid.millis() + reach.toMillis()));
  }

  public List<Anchor> anchors() {
    return anchors;
  }

  public int before() {
    return before;
  }

  public int after() {
    return after;
  }

  public Duration reach() {
    return reach;
  }

  /** From where to where, at the most. */
  public UlidRange range() {
    return anchors.stream().map(a -> reached(a.ulid())).reduce(UlidRange::union).orElseThrow();
  }

  @Override
  public boolean overlaps(Topic topic, UlidRange range) {
    return times.getOrDefault(topic, List.of()).stream().anyMatch(each -> each.overlaps(range));
  }

  @Override
  public int[] places(Topic topic, Ulid first, int records) {
    long[] wanted = counters.get(Stream.of(topic, first));
    if (wanted == null) {
      return new int[0];
    }
    long begin = counter(first);
    int[] places = new int[2 * wanted.length];
    int length = 0;
    for (long counter : wanted) {
      int from = Math.clamp(counter - before - begin, 0, records);
      int to = Math.clamp(counter + after + 1 - begin, 0, records);
      if (length > 0 && from <= places[length - 1]) {
        places[length - 1] = to;
      } else if (from < to) {
        places[length++] = from;
        places[length++] = to;
      }
    }
    return Arrays.copyOf(places, length);
  }
}
