package io.cordwood.query.histogram;

import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.query.gather.MultiPassQuery;
import io.cordwood.query.request.Query;
import io.cordwood.query.request.Query.Detail;
import io.cordwood.query.request.Spans;
import io.cordwood.query.result.BlockHits;
import io.cordwood.query.scan.BlockSummary;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts all records of some blocks by time: from the index where that is exact, and by reading
 * where it is not.
 *
 * <p>Blocks come in the order of their first ULIDs. Those of a topic whose ranges overlap form a
 * <i>stack</i>, which no other block reaches into:
 *
 * <pre>
 *   node A   ├─ 1 ─┤   ├── 2 ──┤     ├─ 3 ─┤
 *   node B   ├─ 1 ─┤     ├── 4 ──┤            1, a stack of copies: from the index, once
 *                                             2 and 4 may share batches: both are read
 *                                             3: from the index
 * </pre>
 *
 * A stack is counted from the index if all its blocks are the same bytes, and lie within one bucket
 * and within the range that is asked for. Others are read, some at a time. For one thread; holds
 * the stack that is open of each topic, and {@link Spans#MAX} spans.
 */
public final class IndexCount {
  private final Tally tally;
  private final UlidRange range;
  private final Reader reader;
  private final Map<Topic, Stack> open = new HashMap<>();
  private List<Spans.Span> toRead = new ArrayList<>();

  /** Counts what is in some spans by reading it. */
  @FunctionalInterface
  interface Reader {
    void read(Spans spans) throws IOException;
  }

  /** Receives the numbers. */
  public interface Tally {
    /** Whether the range lies within one bucket. */
    boolean isOne(UlidRange range);

    void add(long millis, long records);

    /** Adds the answer to a query for numbers. */
    default boolean addCounted(BlockHits hits, BlockHits.Group group) {
      add(group.first().millis(), group.size());
      return true;
    }
  }

  /** Counts all records in a query's range, of its topics. */
  public static void run(Query query, MultiPassQuery multiPassQuery, Tally tally)
      throws IOException {
    UlidRange range = query.range();
    var index =
        new IndexCount(
            tally,
            range,
            spans ->
                multiPassQuery.gather(
                    Query.selected(spans, range, Detail.COUNT), tally::addCounted));
    multiPassQuery.gather(query.with(Detail.INDEX), index::add);
    index.end();
  }

  IndexCount(Tally tally, UlidRange range, Reader reader) {
    this.tally = tally;
    this.range = range;
    this.reader = reader;
  }

  /** Takes the answer to a query for {@link BlockSummary}s. */
  boolean add(BlockHits hits, BlockHits.Group group) throws IOException {
    for (int hit = group.from(); hit < group.to(); hit++) {
      add(BlockSummary.decode(hits.topic(), group.first(), hits.record(hit)));
    }
    return true;
  }

  private void add(BlockSummary block) throws IOException {
    Stack stack = open.get(block.topic());
    if (stack != null && !block.range().from().isAfter(stack.to)) {
      stack.add(block);
    } else {
      open.put(block.topic(), new Stack(block));
      if (stack != null) {
        close(stack);
      }
    }
  }

  /** To be called once, last. */
  void end() throws IOException {
    for (Stack stack : open.values()) {
      close(stack);
    }
    read();
  }

  private void close(Stack stack) throws IOException {
    BlockSummary block = stack.first;
    boolean whole = range.contains(block.range());
    if (stack.copies && whole && tally.isOne(block.range())) {
      tally.add(block.range().from().millis(), block.records());
    } else {
      toRead.add(new Spans.Span(block.topic(), new UlidRange(block.range().from(), stack.to)));
      if (toRead.size() == Spans.MAX) {
        read();
      }
    }
  }

  private void read() throws IOException {
    if (!toRead.isEmpty()) {
      var spans = new Spans(toRead);
      toRead = new ArrayList<>();
      reader.read(spans);
    }
  }

  /** Blocks of a topic that overlap. */
  private static final class Stack {
    private final BlockSummary first;
    private Ulid to;
    private boolean copies = true;

    Stack(BlockSummary first) {
      this.first = first;
      this.to = first.range().to();
    }

    void add(BlockSummary block) {
      copies &= first.isCopyOf(block);
      to = block.range().to().isAfter(to) ? block.range().to() : to;
    }
  }
}
