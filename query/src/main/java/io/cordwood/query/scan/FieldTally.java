package io.cordwood.query.scan;

import io.cordwood.common.segment.Varints;
import io.cordwood.common.wire.Labels;
import io.cordwood.query.fields.Extract;
import io.cordwood.query.fields.FieldFinder;
import io.cordwood.query.fields.GroupField;
import io.cordwood.query.fields.Grouping;
import io.cordwood.query.fields.Grouping.Each;
import io.cordwood.query.fields.RecordFields;
import io.cordwood.query.fields.ValueKind;
import io.cordwood.query.result.AnswerFormatException;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Counts a batch's records, or their bytes, by the values of fields. As bytes, with numbers as
 * {@link Varints}:
 *
 * <pre>
 *   tally   = { group }
 *   group   = length of the key, key, number of records or bytes, measure for each field that is measured, set
 *             for each whose different values are counted, and examples if these are wanted:
 *             their number, and the length and text of each
 *   key     = for each field: 0 if there is none, or length + 1 and the value
 *   measure = number of numbers, and if there are some: their sum, least and greatest (doubles), or
 *             each of them if the values are wanted
 *   set     = number of different values, and for each 64 bits that stand for it
 * </pre>
 *
 * One thread. A tally is not much larger than its batch.
 */
public final class FieldTally implements BatchTally {
  private static final int MAX_VARINT_BYTES = 10;
  private static final int FIRST_BYTES = 256;

  /** The most bytes of a record, or of a value, that are an example. */
  public static final int MAX_EXAMPLE = 300;

  private static final int MAX_VALUE = 80;

  private final Grouping grouping;
  private final FieldFinder record;
  private final Extract extract;
  private final byte @Nullable [] topic;
  private final boolean ofBytes;
  private final Map<Key, Cell> cells = new LinkedHashMap<>();
  private Labels labelled = Labels.NONE;
  private ByteBuffer key = ByteBuffer.allocate(FIRST_BYTES);

  /**
   * @param topic of the records; null if they have none
   */
  public FieldTally(Grouping grouping, Extract extract, @Nullable String topic) {
    this(grouping, extract, topic, false);
  }

  /**
   * @param ofBytes whether bytes of records are counted, not records
   */
  FieldTally(Grouping grouping, Extract extract, @Nullable String topic, boolean ofBytes) {
    this.grouping = grouping;
    this.record = new FieldFinder(extract);
    this.extract = extract;
    this.topic = topic == null ? null : topic.getBytes(StandardCharsets.UTF_8);
    this.ofBytes = ofBytes;
  }

  /** A key's bytes, or the front of an array that is used again. */
  private record Key(byte[] bytes, int length, int hash) {
    static Key of(byte[] bytes, int length) {
      int hash = 1;
      for (int i = 0; i < length; i++) {
        hash = 31 * hash + bytes[i];
      }
      return new Key(bytes, length, hash);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Key that
          && hash == that.hash
          && Arrays.equals(bytes, 0, length, that.bytes, 0, that.length);
    }

    @Override
    public int hashCode() {
      return hash;
    }
  }

  private static final class Cell {
    long count;
    final Measure[] measures;
    final LongSet[] sets;
    final List<byte[]> examples = new ArrayList<>();

    Cell(Grouping grouping) {
      this.measures = new Measure[grouping.of().size()];
      Arrays.setAll(measures, i -> new Measure());
      this.sets = new LongSet[grouping.sets()];
      Arrays.setAll(sets, i -> new LongSet());
    }

    void addExample(byte[] bytes, int from, int end, int mostBytes, int most) {
      if (examples.size() < most) {
        byte[] next = Arrays.copyOfRange(bytes, from, cut(bytes, from, end, mostBytes));
        if (examples.stream().noneMatch(each -> Arrays.equals(each, next))) {
          examples.add(next);
        }
      }
    }

    int maxBytes(boolean each) {
      int size = 0;
      for (Measure measure : measures) {
        size += measure.maxBytes(each);
      }
      for (LongSet set : sets) {
        size += MAX_VARINT_BYTES + Long.BYTES * set.size();
      }
      for (byte[] example : examples) {
        size += MAX_VARINT_BYTES + example.length;
      }
      size += MAX_VARINT_BYTES;
      return size;
    }

    void put(ByteBuffer target, Grouping grouping) {
      Varints.put(target, count);
      for (Measure measure : measures) {
        measure.put(target, grouping.values());
      }
      for (LongSet set : sets) {
        Varints.put(target, set.size());
        set.forEach(target::putLong);
      }
      if (grouping.each() != Each.NOTHING) {
        Varints.put(target, examples.size());
        for (byte[] example : examples) {
          Varints.put(target, example.length);
          target.put(example);
        }
      }
    }
  }

  /** Numbers of a field. */
  static final class Measure {
    private int count;
    private double sum;
    private double least = Double.POSITIVE_INFINITY;
    private double greatest = Double.NEGATIVE_INFINITY;
    private double[] values = {};

    void add(double value, boolean keep) {
      if (keep) {
        values = count < values.length ? values : Arrays.copyOf(values, Math.max(4, 2 * count));
        values[count] = value;
      }
      count++;
      sum += value;
      least = Math.min(least, value);
      greatest = Math.max(greatest, value);
    }

    int maxBytes(boolean each) {
      return MAX_VARINT_BYTES + Double.BYTES * (each ? count : 3);
    }

    void put(ByteBuffer target, boolean each) {
      Varints.put(target, count);
      if (each) {
        for (int i = 0; i < count; i++) {
          target.putDouble(values[i]);
        }
      } else if (count > 0) {
        target.putDouble(sum).putDouble(least).putDouble(greatest);
      }
    }
  }

  @Override
  public void of(Labels labels) {
    record.of(labels);
    labelled = labels;
  }

  @Override
  public void add(byte[] bytes, int from, int end, byte delimiter) {
    if (grouping.each() == Each.FIELDS) {
      addFields(bytes, from, end);
      return;
    }
    record.in(bytes, from, end);
    key.clear();
    for (GroupField field : grouping.by()) {
      putKey(field.value(record, topic));
    }
    Cell cell = cell();
    cell.count += ofBytes ? end - from : 1;
    cell.addExample(bytes, from, end, MAX_EXAMPLE, grouping.each().examples());
    for (int i = 0; i < cell.measures.length; i++) {
      double value = record.number(grouping.of().get(i));
      if (Double.isFinite(value)) {
        cell.measures[i].add(value, grouping.values());
      }
    }
    for (int i = 0; i < cell.sets.length; i++) {
      byte[] value = grouping.distinct().get(i).value(record, topic);
      if (value != null) {
        cell.sets[i].add(ValueHash.of(value));
      }
    }
  }

  private void putKey(byte @Nullable [] value) {
    int room = MAX_VARINT_BYTES + (value == null ? 0 : value.length);
    if (key.remaining() < room) {
      key = ByteBuffer.allocate(2 * (key.capacity() + room)).put(key.flip());
    }
    Varints.put(key, value == null ? 0 : value.length + 1L);
    if (value != null) {
      key.put(value);
    }
  }

  /** Counts a record without a name, and its fields: those of one name and kind once. */
  private void addFields(byte[] bytes, int from, int end) {
    Set<Cell> counted = new HashSet<>();
    key.clear();
    putKey(null);
    putKey(null);
    cell().count++;
    RecordFields.of(bytes, from, end, extract, labelled)
        .forEach((name, value) -> {
          byte[] text = value.getBytes(StandardCharsets.UTF_8);
          key.clear();
          putKey(name.getBytes(StandardCharsets.UTF_8));
          putKey(ValueKind.of(value).word().getBytes(StandardCharsets.UTF_8));
          Cell cell = cell();
          if (counted.add(cell)) {
            cell.count++;
          }
          cell.sets[0].add(ValueHash.of(text));
          cell.addExample(text, 0, text.length, MAX_VALUE, grouping.each().examples());
        });
  }

  /** The end of a text that has a number of bytes at most, and whole characters. */
  private static int cut(byte[] bytes, int from, int to, int most) {
    int end = Math.min(to, from + most);
    while (end < to && end > from && (bytes[end] & 0xC0) == 0x80) {
      end--;
    }
    return end;
  }

  private Cell cell() {
    Key probe = Key.of(key.array(), key.position());
    Cell known = cells.get(probe);
    if (known != null) {
      return known;
    }
    byte[] own = Arrays.copyOf(probe.bytes, probe.length);
    var cell = new Cell(grouping);
    cells.put(new Key(own, own.length, probe.hash), cell);
    return cell;
  }

  @Override
  public boolean hasAny() {
    return !cells.isEmpty();
  }

  @Override
  public byte[] take() {
    int size = 0;
    for (Map.Entry<Key, Cell> each : cells.entrySet()) {
      size += 2 * MAX_VARINT_BYTES + each.getKey().length;
      size += each.getValue().maxBytes(grouping.values());
    }
    var encoded = ByteBuffer.allocate(size);
    cells.forEach((group, cell) -> {
      Varints.put(encoded, group.length);
      encoded.put(group.bytes, 0, group.length);
      cell.put(encoded, grouping);
    });
    cells.clear();
    return Arrays.copyOf(encoded.array(), encoded.position());
  }

  /** Takes what tallies hold, group by group. */
  public interface Sink {
    /**
     * The next group.
     *
     * @param key as a tally has it; each of its parts is well-formed
     * @param count of its records, or of their bytes
     */
    void group(ByteBuffer key, long count);

    /** A single number of a field of this group, or several of which only these are known. */
    void numbers(int field, long count, double sum, double least, double greatest);

    /** 64 bits that stand for a value of a field of this group. */
    void distinct(int field, long hash);

    /** The text of one of its records, or a value of it. */
    void example(ByteBuffer text);
  }

  /**
   * Reads a tally.
   *
   * @throws AnswerFormatException if the bytes are not of a tally of such a grouping
   */
  public static void read(ByteBuffer encoded, Grouping grouping, Sink sink) throws IOException {
    ByteBuffer rest = encoded.slice();
    try {
      while (rest.hasRemaining()) {
        ByteBuffer key = slice(rest, Varints.get(rest));
        checkKey(key.duplicate(), grouping.keys());
        sink.group(key, natural(Varints.get(rest)));
        for (int field = 0; field < grouping.of().size(); field++) {
          readMeasure(rest, field, grouping.values(), sink);
        }
        for (int field = 0; field < grouping.sets(); field++) {
          for (long left = Varints.get(rest); left > 0; left--) {
            sink.distinct(field, rest.getLong());
          }
        }
        if (grouping.each() != Each.NOTHING) {
          for (long left = Varints.get(rest); left > 0; left--) {
            sink.example(slice(rest, Varints.get(rest)));
          }
        }
      }
    } catch (BufferUnderflowException | IllegalArgumentException | IndexOutOfBoundsException e) {
      throw new AnswerFormatException("expected a tally of fields, found " + e);
    }
  }

  private static void readMeasure(ByteBuffer rest, int field, boolean each, Sink sink) {
    long count = Varints.get(rest);
    if (each) {
      for (long i = 0; i < count; i++) {
        double value = rest.getDouble();
        sink.numbers(field, 1, value, value, value);
      }
    } else if (count != 0) {
      sink.numbers(field, natural(count), rest.getDouble(), rest.getDouble(), rest.getDouble());
    }
  }

  private static void checkKey(ByteBuffer key, int fields) {
    for (int i = 0; i < fields; i++) {
      nextValue(key);
    }
    if (key.hasRemaining()) {
      throw new IllegalArgumentException("a key of more fields");
    }
  }

  /** The next value of a key; null if there is none. */
  public static @Nullable ByteBuffer nextValue(ByteBuffer key) {
    long length = Varints.get(key);
    return length == 0 ? null : slice(key, length - 1);
  }

  private static long natural(long count) {
    if (count < 0 || count > Integer.MAX_VALUE) {
      throw new IllegalArgumentException("a count of " + count);
    }
    return count;
  }

  private static ByteBuffer slice(ByteBuffer from, long length) {
    if (length < 0 || length > from.remaining()) {
      throw new IllegalArgumentException("a length of " + length);
    }
    ByteBuffer slice = from.slice(from.position(), (int) length);
    from.position(from.position() + (int) length);
    return slice;
  }
}
