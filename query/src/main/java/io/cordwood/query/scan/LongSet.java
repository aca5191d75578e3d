package io.cordwood.query.scan;

import java.util.function.LongConsumer;

/** Different numbers, in a table with a place for twice as many. One thread. */
public final class LongSet {
  private static final int FIRST_PLACES = 8;

  /** Marks a free place; this number itself is held apart. */
  private static final long FREE = 0;

  private long[] places = new long[FIRST_PLACES];
  private boolean hasFree;
  private int size;

  /** Adds a number, whose bits are mixed well. */
  public void add(long number) {
    if (number == FREE) {
      size += hasFree ? 0 : 1;
      hasFree = true;
    } else if (put(number)) {
      size++;
      if (2 * size > places.length) {
        grow();
      }
    }
  }

  private boolean put(long number) {
    int at = (int) number & (places.length - 1);
    while (places[at] != FREE) {
      if (places[at] == number) {
        return false;
      }
      at = (at + 1) & (places.length - 1);
    }
    places[at] = number;
    return true;
  }

  private void grow() {
    long[] before = places;
    places = new long[2 * before.length];
    for (long number : before) {
      if (number != FREE) {
        put(number);
      }
    }
  }

  public int size() {
    return size;
  }

  /** Gives each of them, in no order. */
  public void forEach(LongConsumer each) {
    if (hasFree) {
      each.accept(FREE);
    }
    for (long number : places) {
      if (number != FREE) {
        each.accept(number);
      }
    }
  }
}
