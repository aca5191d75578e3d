package io.cordwood.query.match;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Blocks of records for tests, and all the records of a block that a matcher finds. */
final class Blocks {
  private Blocks() {}

  static byte[] of(List<byte[]> records, byte delimiter) {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    for (byte[] each : records) {
      block.writeBytes(each);
      block.write(delimiter);
    }
    return block.toByteArray();
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static boolean matches(Matcher matcher, String record) {
    byte[] block = of(List.of(bytes(record)), (byte) '\n');
    return matcher.find(block, 0, block.length, (byte) '\n') >= 0;
  }

  static boolean matches(PatternSpec spec, String record) {
    return matches(Matchers.compile(spec), record);
  }

  /** The numbers of the records that match, as a query would find them, wherever they stand. */
  static List<Integer> matching(Matcher matcher, byte[] block, byte delimiter) {
    List<Integer> found = matching(matcher, Haystack.of(block), block.length, delimiter);
    List<Integer> foundOffHeap = matching(matcher, offHeap(block), block.length, delimiter);
    if (!foundOffHeap.equals(found)) {
      throw new AssertionError("off the heap " + foundOffHeap + ", on it " + found);
    }
    return found;
  }

  private static List<Integer> matching(
      Matcher matcher, Haystack block, int length, byte delimiter) {
    List<Integer> found = new ArrayList<>();
    int from = 0;
    int number = 0;
    int at = matcher.find(block, 0, length, delimiter);
    while (at >= 0) {
      if (at < from) {
        throw new AssertionError("found at " + at + " when searched from " + from);
      }
      int start = block.startOf(from, at, delimiter);
      byte[] bytes = block.array(from, length);
      if (start < from || (start > from && bytes[start - 1] != delimiter)) {
        throw new AssertionError("no record begins at " + start);
      }
      for (int i = start; i < at; i++) {
        if (bytes[i] == delimiter) {
          throw new AssertionError("a record ends between " + start + " and " + at);
        }
      }
      number += block.count(from, at, delimiter);
      found.add(number++);
      from = block.endOf(at, length, delimiter) + 1;
      at = matcher.find(block, from, length, delimiter);
    }
    return found;
  }

  /** The bytes outside the heap. */
  static MemorySegment memory(byte[] bytes) {
    MemorySegment memory = Arena.ofAuto().allocate(bytes.length);
    MemorySegment.copy(bytes, 0, memory, ValueLayout.JAVA_BYTE, 0, bytes.length);
    return memory;
  }

  private static Haystack offHeap(byte[] block) {
    return Haystack.of(memory(block), new byte[block.length]);
  }
}
