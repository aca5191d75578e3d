package io.cordwood.common.segment;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;
import io.cordwood.common.wire.CorruptException;
import io.cordwood.common.wire.Labels;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The labels of a segment's batches, each once, and what there is of each.
 *
 * <pre>
 *   varint  text     bytes of the sets
 *           sets     each: {@link Labels#bytes()}, then NUL; numbered from 1, 0 stands for none
 *           sums     for each topic and labels in it, up to the end:
 *             varint  topic    number in the order of the index, from 0
 *             varint  set
 *             varint  records
 *             varint  bytes    of the payloads
 *             varint  first    milliseconds since 1970 of the first ULID of the first batch
 *             varint  last     milliseconds from that to the one of the last batch
 * </pre>
 *
 * <p>All of that is compressed with zstd.
 */
record LabelPart(Labels[] sets, List<LabelSummary> summaries) {
  /** The most bytes before compression; a segment with more has no list. */
  static final int MAX_BYTES = 64 << 20;

  private static final int COMPRESSION_LEVEL = 3;
  private static final int MOST_SUM_BYTES = 6 * 10;

  /**
   * Writes it.
   *
   * @param numbers of the sets, from 1 on, in that order
   * @param textBytes of all of them, each with its NUL
   * @return empty if it would be too long
   */
  static byte[] raw(Map<Labels, Integer> numbers, long textBytes, LabelTotals<Labels> totals) {
    long most = textBytes + 10 + (long) MOST_SUM_BYTES * totals.size();
    if (most > MAX_BYTES) {
      return new byte[0];
    }
    var raw = ByteBuffer.allocate((int) most);
    Varints.put(raw, textBytes);
    numbers.keySet().forEach(labels -> raw.put(labels.bytes()).put((byte) 0));
    List<Topic> topics = new ArrayList<>();
    totals.forEach((topic, labels, sum) -> {
      if (topics.isEmpty() || !topics.getLast().equals(topic)) {
        topics.add(topic);
      }
      Varints.put(raw, topics.size() - 1L);
      Varints.put(raw, numbers.getOrDefault(labels, 0));
      Varints.put(raw, sum.records());
      Varints.put(raw, sum.bytes());
      Varints.put(raw, sum.firstMillis());
      Varints.put(raw, sum.lastMillis() - sum.firstMillis());
    });
    return Arrays.copyOf(raw.array(), raw.position());
  }

  static byte[] compressed(byte[] raw) {
    return Zstd.compress(raw, COMPRESSION_LEVEL);
  }

  /** Reads what {@link #compressed} gave. */
  static LabelPart decode(ByteBuffer stored, int rawBytes, List<BlockInfo> blocks, long offset)
      throws CorruptException {
    try {
      byte[] bytes = new byte[stored.limit()];
      stored.get(0, bytes);
      byte[] raw = Zstd.decompress(bytes, rawBytes);
      if (raw.length != rawBytes) {
        throw new IllegalArgumentException(raw.length + " bytes");
      }
      return decode(ByteBuffer.wrap(raw), blocks.stream().map(BlockInfo::topic).distinct());
    } catch (ZstdException | IllegalArgumentException | java.nio.BufferUnderflowException e) {
      throw new CorruptException(offset, "expected the labels of a list of batches, found " + e);
    } catch (IndexOutOfBoundsException | ArithmeticException e) {
      throw new CorruptException(offset, "expected the sums of a list of batches, found " + e);
    }
  }

  private static LabelPart decode(ByteBuffer raw, Stream<Topic> ofBlocks) {
    List<Topic> topics = ofBlocks.toList();
    int textBytes = Math.toIntExact(Varints.get(raw));
    Labels[] sets = LabelSets.decode(raw.slice(raw.position(), textBytes));
    raw.position(raw.position() + textBytes);
    var totals = new LabelTotals<Labels>();
    while (raw.hasRemaining()) {
      Topic topic = topics.get(Math.toIntExact(Varints.get(raw)));
      Labels labels = sets[Math.toIntExact(Varints.get(raw))];
      long records = Varints.get(raw);
      long bytes = Varints.get(raw);
      long first = Varints.get(raw);
      totals.add(topic, labels, records, bytes, first, Math.addExact(first, Varints.get(raw)));
    }
    return new LabelPart(sets, LabelTotals.summaries(totals));
  }

  /** Whether these are the labels of some batches, and their sums. */
  boolean isOf(LabelTotals<Long> batches, long[] identities) {
    boolean same = sets.length == identities.length && batches.size() == summaries.size();
    for (int i = 0; same && i < sets.length; i++) {
      same = sets[i].identity() == identities[i];
    }
    List<LabelSummary> left = new ArrayList<>(summaries.reversed());
    boolean[] equal = {same};
    batches.forEach((topic, identity, total) -> {
      if (equal[0]) {
        LabelSummary next = left.removeLast();
        equal[0] =
            next.topic().equals(topic) && next.labels().identity() == identity && total.isOf(next);
      }
    });
    return equal[0];
  }
}
