package io.cordwood.query.scan;

import io.cordwood.common.segment.Block;
import io.cordwood.common.segment.Block.BatchSpan;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.common.wire.CorruptException;
import io.cordwood.common.wire.Labels;
import io.cordwood.query.match.Haystack;
import io.cordwood.query.match.Matcher;
import io.cordwood.query.request.Query;
import io.cordwood.query.request.Query.Detail;
import io.cordwood.query.result.BlockHits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Searches one block as a whole and collects its hits. The borders of a record are looked for
 * around a hit only; its position in its batch is counted only where it is needed. For one block,
 * one thread.
 */
public final class HitCollector {
  private static final int LF = '\n';

  private final Query query;
  private final Block block;
  private final Haystack payloads;
  private final boolean wantsBytes;
  private final boolean wantsPlaces;
  private final @Nullable BatchTally tally;
  private byte[] bytes = {};
  private int length;
  private int[] ends = {};
  private int[] places = {};
  private int hits;
  private final List<BlockHits.Group> groups = new ArrayList<>();

  private HitCollector(Query query, Block block, Haystack payloads) {
    this.query = query;
    this.block = block;
    this.payloads = payloads;
    this.wantsBytes = query.detail() == Detail.BYTES || query.detail() == Detail.ULIDS;
    this.wantsPlaces = query.detail() == Detail.ULIDS;
    this.tally = tally(query, block);
  }

  private static @Nullable BatchTally tally(Query query, Block block) {
    return switch (query.detail()) {
      case FIRST_PATTERN -> new PatternTally(query.firstPatterns());
      case LEVELS -> new LevelTally();
      case FIELD_GROUPS, FIELD_SETS -> fields(query, block, false);
      case FIELD_BYTES -> fields(query, block, true);
      case PLAN, COUNT, BYTES, ULIDS, TOPICS, RANGES, LABELS, INDEX -> null;
    };
  }

  private static BatchTally fields(Query query, Block block, boolean ofBytes) {
    return new FieldTally(query.grouping(), query.where().extract(), block.topic().name(), ofBytes);
  }

  /** Searches the block. What this gives holds nothing of the block. */
  public static BlockHits collect(Query query, Block block) throws CorruptException {
    return collect(query, block, Haystack.of(block.bytes()));
  }

  /** Searches a block whose payloads are elsewhere. */
  static BlockHits collect(Query query, Block block, Haystack payloads) throws CorruptException {
    var collector = new HitCollector(query, block, payloads);
    if (query.isByPlace()) {
      collector.pickBatchByBatch();
    } else if (query.takesOthers()) {
      collector.searchInverted();
    } else if (block.isUniform() && !(query.asksForLabels() && block.hasLabels())) {
      collector.searchWhole();
    } else {
      collector.searchRuns();
    }
    return collector.result();
  }

  private BlockHits result() {
    sortEqualUlids();
    return new BlockHits(
        block.topic(),
        Arrays.copyOf(bytes, length),
        query.detail().hasBytes() ? Arrays.copyOf(ends, hits) : new int[0],
        wantsPlaces ? Arrays.copyOf(places, hits) : new int[0],
        groups);
  }

  /** Hits are in the order of batches: those of equal ULIDs and other labels may not be. */
  private void sortEqualUlids() {
    for (int i = 1; i < groups.size(); i++) {
      if (groups.get(i).first().equals(groups.get(i - 1).first())) {
        groups.sort(
            Comparator.comparing(BlockHits.Group::first).thenComparing(BlockHits.Group::labels));
        return;
      }
    }
  }

  /** All batches have one delimiter and one matcher. */
  private void searchWhole() throws CorruptException {
    search(query.matcher(Labels.NONE), block.from(), block.to(), block.delimiter().value());
  }

  /** Those that follow each other with one delimiter and one matcher are searched in one go. */
  private void searchRuns() throws CorruptException {
    for (int i = 0; i < block.batches(); ) {
      BatchSpan batch = block.batch(i);
      Matcher matcher = query.matcher(batch.labels());
      int to = batch.to();
      for (i++; i < block.batches() && isSameRun(batch, to, matcher, block.batch(i)); i++) {
        to = block.batch(i).to();
      }
      search(matcher, batch.from(), to, delimiterOf(batch));
    }
  }

  private boolean isSameRun(BatchSpan first, int to, Matcher matcher, BatchSpan next) {
    return next.from() == to
        && next.delimiter() == first.delimiter()
        && (next.labels().equals(first.labels()) || query.matcher(next.labels()).equals(matcher));
  }

  /** Jumps from hit to hit, and looks for the batch of each. */
  private void search(Matcher matcher, int from, int to, byte delimiter) throws CorruptException {
    int hit = matcher.find(payloads, from, to, delimiter);
    while (hit >= 0) {
      int next = searchFrom(hit, block.batch(block.batchAt(hit)), matcher);
      hit = next >= to ? -1 : matcher.find(payloads, next, to, delimiter);
    }
  }

  private void searchInverted() throws CorruptException {
    for (int i = 0; i < block.batches(); i++) {
      if (query.topics().admit(block.batch(i).labels())) {
        searchInverted(block.batch(i));
      }
    }
  }

  private void pickBatchByBatch() throws CorruptException {
    for (int i = 0; i < block.batches(); i++) {
      BatchSpan batch = block.batch(i);
      if (!query.topics().admit(batch.labels())) {
        continue;
      }
      int[] places = query.selection().places(block.topic(), batch.first(), batch.records());
      var group = new GroupBuilder(batch);
      for (int at = 0; at < places.length; at += 2) {
        group.pick(places[at], places[at + 1]);
      }
      group.close();
    }
  }

  private static byte delimiterOf(BatchSpan batch) {
    return batch.delimiter().value();
  }

  /** Collects the batch's records from its first hit on; gives the batch's end. */
  private int searchFrom(int firstHit, BatchSpan batch, Matcher matcher) {
    var group = new GroupBuilder(batch);
    byte delimiter = delimiterOf(batch);
    int hit = firstHit;
    while (hit >= 0) {
      int start = payloads.startOf(batch.from(), hit, delimiter);
      int end = payloads.endOf(hit, batch.to(), delimiter);
      group.add(start, end);
      hit = end + 1 >= batch.to() ? -1 : matcher.find(payloads, end + 1, batch.to(), delimiter);
    }
    group.close();
    return batch.to();
  }

  private void searchInverted(BatchSpan batch) {
    var group = new GroupBuilder(batch);
    byte delimiter = delimiterOf(batch);
    int from = batch.from();
    while (from < batch.to()) {
      int hit = query.matcher().find(payloads, from, batch.to(), delimiter);
      int skipped = hit < 0 ? batch.to() : payloads.startOf(from, hit, delimiter);
      while (from < skipped) {
        int end = payloads.endOf(from, batch.to(), delimiter);
        group.add(from, end);
        from = end + 1;
      }
      from = hit < 0 ? from : payloads.endOf(hit, batch.to(), delimiter) + 1;
    }
    group.close();
  }

  /**
   * Takes the hits of one batch. Counts records only if the range cuts through the batch, or if
   * ULIDs are wanted.
   */
  private final class GroupBuilder {
    private final BatchSpan batch;
    private final int from = hits;
    private final boolean wholeInRange;
    private int counted;
    private int place;

    GroupBuilder(BatchSpan batch) {
      this.batch = batch;
      this.counted = batch.from();
      UlidRange range = query.range();
      Ulid last = batch.first().plus(batch.records() - 1L);
      this.wholeInRange = range.contains(batch.first()) && range.contains(last);
      if (tally != null) {
        tally.of(batch.labels());
      }
    }

    void add(int start, int end) {
      if (wantsPlaces || !wholeInRange) {
        place += payloads.count(counted, start, delimiterOf(batch));
        counted = start;
        if (!wholeInRange && !query.range().contains(batch.first().plus(place))) {
          return;
        }
      }
      if (tally != null) {
        tally.add(payloads.array(start, end + 1), start, end, delimiterOf(batch));
      } else if (!wantsBytes || copyWanted(start, end)) {
        take();
      }
    }

    private void take() {
      if (wantsPlaces) {
        places = withRoom(places);
        places[hits] = place;
      }
      hits++;
    }

    /** Takes those of some records that are in range. */
    void pick(int fromPlace, int toPlace) {
      if (wholeInRange && !wantsBytes) {
        hits += toPlace - fromPlace;
        return;
      }
      for (; place < toPlace; place++) {
        int end = wantsBytes ? payloads.endOf(counted, batch.to(), delimiterOf(batch)) : 0;
        boolean wanted =
            place >= fromPlace
                && (wholeInRange || query.range().contains(batch.first().plus(place)));
        if (wanted && (!wantsBytes || copyWanted(counted, end))) {
          take();
        }
        counted = end + 1;
      }
    }

    void close() {
      if (tally != null && tally.hasAny()) {
        byte[] summary = tally.take();
        copy(Haystack.of(summary), 0, summary.length);
        endRecord();
        hits++;
      }
      if (hits > from) {
        groups.add(new BlockHits.Group(batch.first(), batch.labels(), from, hits));
      }
    }
  }

  /** Copies a record, or its parts as a line each; false if there are none. */
  private boolean copyWanted(int start, int end) {
    if (query.subMatches().isEmpty()) {
      copy(payloads, start, end);
    } else {
      int[] parts = query.subMatches().get().in(payloads.array(start, end), start, end);
      for (int i = 0; i < parts.length; i += 2) {
        copy(payloads, parts[i], parts[i + 1]);
      }
      if (parts.length == 0) {
        return false;
      }
    }
    endRecord();
    return true;
  }

  private void endRecord() {
    ends = withRoom(ends);
    ends[hits] = length;
  }

  private void copy(Haystack from, int start, int end) {
    int size = end - start;
    if (bytes.length - length < size + 1) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + size + 1));
    }
    from.copy(start, end, bytes, length);
    length += size;
    bytes[length++] = LF;
  }

  private int[] withRoom(int[] numbers) {
    return hits < numbers.length ? numbers : Arrays.copyOf(numbers, Math.max(16, 2 * hits));
  }
}
