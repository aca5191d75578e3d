package io.cordwood.query.match;

import java.util.Arrays;

/** A set of instructions at which threads of a program stand: sparse, cleared in no time. */
final class ThreadSet {
  private final int[] members;
  private final int[] places;
  private int size;

  ThreadSet(int capacity) {
    this.members = new int[capacity];
    this.places = new int[capacity];
  }

  boolean add(int pc) {
    int place = places[pc];
    if (place < size && members[place] == pc) {
      return false;
    }
    places[pc] = size;
    members[size++] = pc;
    return true;
  }

  int size() {
    return size;
  }

  int get(int index) {
    return members[index];
  }

  void clear() {
    size = 0;
  }

  int[] toArray() {
    return Arrays.copyOf(members, size);
  }
}
