package io.cordwood.query.match;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * The kernel on the Vector API: compares two bytes of the needle at all positions of two vectors
 * with one branch, and looks closer only where both agree. Its class needs the module
 * jdk.incubator.vector; nothing but {@link Kernels} names it.
 */
final class VectorKernel implements Kernel {
  private static final VectorSpecies<Byte> SPECIES = ByteVector.SPECIES_PREFERRED;
  private static final int LANES = SPECIES.length();

  @Override
  public int find(byte[] bytes, int from, int to, Needle needle) {
    return needle.folded()
        ? findFolded(bytes, from, to, needle)
        : findExact(bytes, from, to, needle);
  }

  private static int findExact(byte[] bytes, int from, int to, Needle needle) {
    ByteVector first = ByteVector.broadcast(SPECIES, needle.first());
    ByteVector second = ByteVector.broadcast(SPECIES, needle.second());
    int a = needle.firstOffset();
    int b = needle.secondOffset();
    int end = to - needle.length() + 1;
    int i = from;
    for (; i <= end - 2 * LANES; i += 2 * LANES) {
      VectorMask<Byte> low = load(bytes, i + a).eq(first).and(load(bytes, i + b).eq(second));
      VectorMask<Byte> high =
          load(bytes, i + a + LANES).eq(first).and(load(bytes, i + b + LANES).eq(second));
      if (low.or(high).anyTrue()) {
        int found = needle.firstAt(bytes, i, low.toLong());
        found = found < 0 ? needle.firstAt(bytes, i + LANES, high.toLong()) : found;
        if (found >= 0) {
          return found;
        }
      }
    }
    return needle.firstBetween(bytes, i, end);
  }

  private static int findFolded(byte[] bytes, int from, int to, Needle needle) {
    ByteVector first = ByteVector.broadcast(SPECIES, needle.first());
    ByteVector second = ByteVector.broadcast(SPECIES, needle.second());
    ByteVector firstFold = ByteVector.broadcast(SPECIES, needle.firstFold());
    ByteVector secondFold = ByteVector.broadcast(SPECIES, needle.secondFold());
    int a = needle.firstOffset();
    int b = needle.secondOffset();
    int end = to - needle.length() + 1;
    int i = from;
    for (; i <= end - 2 * LANES; i += 2 * LANES) {
      VectorMask<Byte> low =
          load(bytes, i + a)
              .or(firstFold)
              .eq(first)
              .and(load(bytes, i + b).or(secondFold).eq(second));
      VectorMask<Byte> high =
          load(bytes, i + a + LANES)
              .or(firstFold)
              .eq(first)
              .and(load(bytes, i + b + LANES).or(secondFold).eq(second));
      if (low.or(high).anyTrue()) {
        int found = needle.firstAt(bytes, i, low.toLong());
        found = found < 0 ? needle.firstAt(bytes, i + LANES, high.toLong()) : found;
        if (found >= 0) {
          return found;
        }
      }
    }
    return needle.firstBetween(bytes, i, end);
  }

  private static ByteVector load(byte[] bytes, int at) {
    return ByteVector.fromArray(SPECIES, bytes, at);
  }

  @Override
  public int find(MemorySegment memory, int from, int to, Needle needle) {
    return needle.folded()
        ? findFolded(memory, from, to, needle)
        : findExact(memory, from, to, needle);
  }

  private static int findExact(MemorySegment memory, int from, int to, Needle needle) {
    ByteVector first = ByteVector.broadcast(SPECIES, needle.first());
    ByteVector second = ByteVector.broadcast(SPECIES, needle.second());
    int a = needle.firstOffset();
    int b = needle.secondOffset();
    int end = to - needle.length() + 1;
    int i = from;
    for (; i <= end - 2 * LANES; i += 2 * LANES) {
      VectorMask<Byte> low = load(memory, i + a).eq(first).and(load(memory, i + b).eq(second));
      VectorMask<Byte> high =
          load(memory, i + a + LANES).eq(first).and(load(memory, i + b + LANES).eq(second));
      if (low.or(high).anyTrue()) {
        int found = needle.firstAt(memory, i, low.toLong());
        found = found < 0 ? needle.firstAt(memory, i + LANES, high.toLong()) : found;
        if (found >= 0) {
          return found;
        }
      }
    }
    return needle.firstBetween(memory, i, end);
  }

  private static int findFolded(MemorySegment memory, int from, int to, Needle needle) {
    ByteVector first = ByteVector.broadcast(SPECIES, needle.first());
    ByteVector second = ByteVector.broadcast(SPECIES, needle.second());
    ByteVector firstFold = ByteVector.broadcast(SPECIES, needle.firstFold());
    ByteVector secondFold = ByteVector.broadcast(SPECIES, needle.secondFold());
    int a = needle.firstOffset();
    int b = needle.secondOffset();
    int end = to - needle.length() + 1;
    int i = from;
    for (; i <= end - 2 * LANES; i += 2 * LANES) {
      VectorMask<Byte> low =
          load(memory, i + a)
              .or(firstFold)
              .eq(first)
              .and(load(memory, i + b).or(secondFold).eq(second));
      VectorMask<Byte> high =
          load(memory, i + a + LANES)
              .or(firstFold)
              .eq(first)
              .and(load(memory, i + b + LANES).or(secondFold).eq(second));
      if (low.or(high).anyTrue()) {
        int found = needle.firstAt(memory, i, low.toLong());
        found = found < 0 ? needle.firstAt(memory, i + LANES, high.toLong()) : found;
        if (found >= 0) {
          return found;
        }
      }
    }
    return needle.firstBetween(memory, i, end);
  }

  private static ByteVector load(MemorySegment memory, int at) {
    return ByteVector.fromMemorySegment(SPECIES, memory, at, ByteOrder.LITTLE_ENDIAN);
  }

  @Override
  public int first(byte[] bytes, int from, int to, byte value) {
    int i = from;
    for (; i <= to - LANES; i += LANES) {
      long found = load(bytes, i).eq(value).toLong();
      if (found != 0) {
        return i + Long.numberOfTrailingZeros(found);
      }
    }
    while (i < to && bytes[i] != value) {
      i++;
    }
    return i;
  }

  @Override
  public int count(byte[] bytes, int from, int to, byte value) {
    ByteVector wanted = ByteVector.broadcast(SPECIES, value);
    int count = 0;
    int i = from;
    for (; i <= to - LANES; i += LANES) {
      count += load(bytes, i).compare(VectorOperators.EQ, wanted).trueCount();
    }
    for (; i < to; i++) {
      count += bytes[i] == value ? 1 : 0;
    }
    return count;
  }

  @Override
  public int count(MemorySegment memory, int from, int to, byte value) {
    ByteVector wanted = ByteVector.broadcast(SPECIES, value);
    int count = 0;
    int i = from;
    for (; i <= to - LANES; i += LANES) {
      count += load(memory, i).compare(VectorOperators.EQ, wanted).trueCount();
    }
    for (; i < to; i++) {
      count += memory.get(ValueLayout.JAVA_BYTE, i) == value ? 1 : 0;
    }
    return count;
  }

  @Override
  public boolean mark(byte[] bytes, int from, ByteMarks marks) {
    long words = 0;
    long capitals = 0;
    long digits = 0;
    long spaces = 0;
    long colons = 0;
    long equals = 0;
    long quotes = 0;
    long escapes = 0;
    long tabs = 0;
    long opening = 0;
    long closing = 0;
    for (int i = 0; i < ByteMarks.BYTES; i += LANES) {
      ByteVector part = load(bytes, from + i);
      VectorMask<Byte> digit = part.sub((byte) '0').compare(VectorOperators.ULT, (byte) 10);
      VectorMask<Byte> letter =
          part.or((byte) 0x20).sub((byte) 'a').compare(VectorOperators.ULT, (byte) 26);
      words |= letter.or(digit).or(part.eq((byte) '_')).toLong() << i;
      capitals |= part.sub((byte) 'A').compare(VectorOperators.ULT, (byte) 26).toLong() << i;
      digits |= digit.toLong() << i;
      spaces |= part.eq((byte) ' ').toLong() << i;
      colons |= part.eq((byte) ':').toLong() << i;
      equals |= part.eq((byte) '=').toLong() << i;
      quotes |= part.eq((byte) '"').toLong() << i;
      escapes |= part.eq((byte) 0x1b).toLong() << i;
      tabs |= part.eq((byte) '\t').toLong() << i;
      opening |= part.eq((byte) '[').toLong() << i;
      closing |= part.eq((byte) ']').toLong() << i;
    }
    marks.words = words;
    marks.capitals = capitals;
    marks.digits = digits;
    marks.spaces = spaces;
    marks.colons = colons;
    marks.equals = equals;
    marks.quotes = quotes;
    marks.escapes = escapes;
    marks.tabs = tabs;
    marks.opening = opening;
    marks.closing = closing;
    return true;
  }

  @Override
  public int mostNeedles() {
    return 16;
  }
}
