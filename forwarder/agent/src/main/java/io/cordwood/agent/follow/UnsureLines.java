package io.cordwood.agent.follow;

/**
 * Lines of which only a later one shows that they belong to the record before them. They belong to
 * it with that line, or the first of them begins another.
 */
final class UnsureLines {
  private static final int MOST = 50;

  private int first = -1;
  private int count;

  boolean isEmpty() {
    return first < 0;
  }

  /** Whether a line has to decide now. */
  boolean isFull() {
    return count >= MOST;
  }

  void add(int at) {
    first = firstOr(at);
    count++;
  }

  /** The place of the first of them; that of another line if there are none. */
  int firstOr(int at) {
    return first < 0 ? at : first;
  }

  void clear() {
    first = -1;
    count = 0;
  }
}
