package io.cordwood.query.wire;

import io.cordwood.common.segment.SegmentSource.Evicted;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.query.request.Query;
import io.cordwood.query.result.BatchId;
import io.cordwood.query.result.BlockHits;
import io.cordwood.query.result.ScanStats;
import io.cordwood.query.result.SearchProgress;
import io.cordwood.query.result.Stop;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A piece of the answer of one node to another that gathers: its records in one tier. Integers are
 * big endian, numbers marked v are {@link io.cordwood.common.segment.Varints}.
 *
 * <pre>
 *   answer  ┌─────────┬─────────┬───────┬───────┬─ … ─┬───────┐
 *           │ "CWQA"  │ version │ head  │ frame │     │  end  │   version: 1 byte, {@link #VERSION}
 *           └────4────┴────1────┴───────┴───────┴─ … ─┴───────┘
 *
 *   frame   ┌──────┬────────┬──────────┬─────────┐   kind: one of those below
 *           │ kind │ length │ checksum │ payload │   length: of the payload, at most 8 MiB
 *           └──1───┴───4────┴────4─────┴─ length ┘   checksum: CRC-32C of kind and payload
 *
 *   head   1  │ detail 1 │ time 8 │ node … │        detail: of {@link Query.Detail}, its initial
 *                                                   time: {@code stampTime} in ms, -1 for none
 *                                                   node: {@link KnownNode}, any number, but for
 *                                                   those that the question says are known:
 *                                                   │ id length 1 │ id │ tiers 1 │ since 8 │ from 8 │
 *                                                   tiers: bit 0 ingest, bit 1 store
 *   hits   2  │ topic length 1 │ topic │ first ULID 16 │ records v │ place, length v v … │ bytes │
 *                                                   topic: of no length: as in the frame before
 *                                                   place: less the one before, with detail ULIDS
 *                                                   length: LF included, with detail BYTES, ULIDS
 *                                                   bytes: the records, each ended by LF
 *   passed 3  │ ULID 16 │                           no later hit is before it; also sent to show
 *                                                   that the search goes on
 *   end    4  │ number 8 × 9 │                      {@link ScanStats.Snapshot}, without matches
 *   missed 5  │ records 8 │                         received, but let go before they were searched
 *   stopped 6 │ limit 1 │ from 16 │ to 16 │         {@link Stop}; limit: its initial; not
 *                                                   all was searched. U and L say what is not
 *                                                   there, any number, each before the hits that
 *                                                   follow the hole; the others before the end
 *          │ 'E' 1 │ from 16 │ to 16 │ place │      {@link Evicted}, any number, after the head;
 *                                                   place: to the end, none if it is not known
 *   progress 7 │ number 8 × 4 │                     {@link SearchProgress}; only if it is asked for
 *   labelled 8 │ labels v │ length v │ labels │ as hits   the same of a batch with labels; only if
 *                                                   they are asked for. labels: number of the set
 *                                                   in the answer; followed by its length and
 *                                                   bytes if it is new, see {@link AnswerLabels}
 * </pre>
 *
 * A frame of hits has the matching records of one batch, so its topic, first ULID and labels are
 * the identity by which copies are recognized. They come in the order of {@link BatchId}, each
 * once. The head is sent as soon as the node knows what it will search, and not before that: a
 * record that is not in the answer was not there, or had moved on. An answer without an end was
 * broken off.
 *
 * <p>The answer of a node that is followed has the same form, but no order: batches are in it as
 * they are received, and only there are frames of missed records.
 */
public sealed interface AnswerFrame {
  /** "CWQA". */
  int MAGIC = 0x43575141;

  int VERSION = 1;
  int FRAME_HEAD_BYTES = 1 + Integer.BYTES + Integer.BYTES;
  int MAX_PAYLOAD_BYTES = 8 << 20;
  int STATISTICS = 9;
  int PROGRESS_NUMBERS = 4;

  byte HEAD = 1;
  byte HITS = 2;
  byte PASSED = 3;
  byte END = 4;
  byte MISSED = 5;
  byte STOPPED = 6;
  byte PROGRESS = 7;
  byte LABELLED = 8;

  /** In place of a limit: records were let go that a bucket has. */
  byte EVICTED = 'E';

  /** The code of a detail. */
  static byte code(Query.Detail detail) {
    return (byte) detail.name().charAt(0);
  }

  /** The code of a limit. */
  static byte code(Stop.Limit limit) {
    return (byte) limit.name().charAt(0);
  }

  /**
   * Sent when the node knows what it will search.
   *
   * @param stampTime as of {@link io.cordwood.common.segment.SegmentSource#stampTime}, asked before
   * @param known nodes that it knows and that the one who asks may not know; none if it does not
   *     say
   */
  record Head(Optional<Instant> stampTime, List<KnownNode> known) implements AnswerFrame {}

  /**
   * On no wire: a large frame of hits begins, which the reader gives next. Its checksum is not
   * known yet.
   *
   * @param first ULID of its batch
   * @param bytes of its payload
   */
  record Large(Ulid first, int bytes) implements AnswerFrame {}

  /** The matching records of one batch. */
  record Hits(BlockHits hits, BlockHits.Group group) implements AnswerFrame {}

  /** No later hit is before this ULID. */
  record Passed(Ulid ulid) implements AnswerFrame {}

  /** A number of records were received and not searched. */
  record Missed(long records) implements AnswerFrame {}

  /** Not all was searched. */
  record Stopped(Stop stop) implements AnswerFrame {}

  /** Records that the node let go of are in a bucket. */
  record Gone(Evicted evicted) implements AnswerFrame {}

  /** The search goes on, and has come so far. */
  record Advanced(SearchProgress progress) implements AnswerFrame {}

  /** All is said. */
  record End(ScanStats.Snapshot stats) implements AnswerFrame {}
}
