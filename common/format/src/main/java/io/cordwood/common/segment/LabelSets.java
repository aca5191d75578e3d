package io.cordwood.common.segment;

import io.cordwood.common.wire.CorruptException;
import io.cordwood.common.wire.Labels;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The different labels of a block's batches, each once, in the order of their first use. They are
 * numbered from 1; 0 stands for none.
 *
 * <pre>
 *   varint  bytes of what follows
 *           each set: {@link Labels#bytes()}, then NUL, which is in none
 * </pre>
 *
 * <p>So their text stands in one piece, as a block's filter wants it. For one block at a time, one
 * thread.
 */
final class LabelSets {
  /** Their text, with the NUL after each, takes a block to its end. */
  static final int MAX_BYTES = 256 << 10;

  /** Those of a block without labels. */
  static final Labels[] NONE = {Labels.NONE};

  private static final int LENGTH_BYTES = 5;

  private final Map<Labels, Integer> numbers = new HashMap<>();
  private final List<Labels> sets = new ArrayList<>();
  private ByteBuffer text = ByteBuffer.allocate(0);
  private Labels last = Labels.NONE;
  private int lastNumber;

  boolean isEmpty() {
    return sets.isEmpty();
  }

  /** The sets, from number 1 on. */
  List<Labels> sets() {
    return List.copyOf(sets);
  }

  /** Whether there is room for more labels. */
  boolean hasRoomFor(Labels labels) {
    return labels.isEmpty()
        || text.position() + labels.bytes().length < MAX_BYTES
        || numbers.containsKey(labels);
  }

  /** The number of labels, which are added if they are new. */
  int number(Labels labels) {
    if (!labels.equals(last)) {
      lastNumber = labels.isEmpty() ? 0 : numbers.computeIfAbsent(labels, this::add);
      last = labels;
    }
    return lastNumber;
  }

  private int add(Labels labels) {
    byte[] bytes = labels.bytes();
    if (text.remaining() <= bytes.length) {
      int capacity = Math.max(2 * text.capacity(), text.position() + bytes.length + 1);
      text = ByteBuffer.allocate(capacity).put(text.flip());
    }
    text.put(bytes).put((byte) 0);
    sets.add(labels);
    return sets.size();
  }

  /** Their text; valid until the next set is added after a {@link #clear}. */
  ByteBuffer text() {
    return text.duplicate().flip();
  }

  /** Their form in a block; nothing if there are none. */
  ByteBuffer encode() {
    if (isEmpty()) {
      return ByteBuffer.allocate(0);
    }
    var encoded = ByteBuffer.allocate(LENGTH_BYTES + text.position());
    Varints.put(encoded, text.position());
    return encoded.put(text()).flip();
  }

  void clear() {
    numbers.clear();
    sets.clear();
    text.clear();
    last = Labels.NONE;
    lastNumber = 0;
  }

  /**
   * Reads the sets at a table's position, which then stands after them.
   *
   * @return by their numbers
   */
  static Labels[] decode(ByteBuffer table, long offset) throws CorruptException {
    try {
      return decode(text(table));
    } catch (RuntimeException e) {
      throw new CorruptException(
          offset, "expected the labels of a block's batches, found " + e.getMessage());
    }
  }

  /** The text at a table's position, which then stands after it. */
  private static ByteBuffer text(ByteBuffer table) {
    int bytes = Math.toIntExact(Varints.get(table));
    ByteBuffer text = table.slice(table.position(), bytes);
    table.position(table.position() + bytes);
    return text;
  }

  /** Sets as they stand in a row, each with its NUL, in a buffer on the heap. */
  static Labels[] decode(ByteBuffer text) {
    List<Labels> sets = new ArrayList<>();
    sets.add(Labels.NONE);
    int offset = text.arrayOffset();
    byte[] all = text.array();
    // A string finds a character many bytes at a time; an array does not.
    String searched = new String(all, offset, text.limit(), StandardCharsets.ISO_8859_1);
    int from = 0;
    for (int nul = searched.indexOf(0); nul >= 0; nul = searched.indexOf(0, from)) {
      sets.add(Labels.decode(Arrays.copyOfRange(all, offset + from, offset + nul)));
      from = nul + 1;
    }
    if (from < text.limit() || sets.size() == 1 || sets.lastIndexOf(Labels.NONE) > 0) {
      throw new IllegalArgumentException("sets of labels that do not end");
    }
    return sets.toArray(Labels[]::new);
  }
}
