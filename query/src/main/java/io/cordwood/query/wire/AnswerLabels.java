package io.cordwood.query.wire;

import io.cordwood.common.wire.Labels;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The sets of labels that an answer has named: each is written once, and then called by its number.
 * Writer and reader count alike. When there is no room for one more, both forget all of them and
 * begin again. One thread.
 */
final class AnswerLabels {
  /** The bytes of all sets that are known at a time. */
  private static final int MAX_BYTES = 256 << 10;

  private final List<Labels> byNumber = new ArrayList<>();
  private final Map<Labels, Integer> numbers = new HashMap<>();
  private int bytes;

  /** The number of a set; that of the {@link #next} one if it has none. */
  int number(Labels labels) {
    return numbers.getOrDefault(labels, next());
  }

  /** The number that the next new set gets, unless there is no room; from 0. */
  int next() {
    return byNumber.size();
  }

  /** The set of a number, which is less than the {@link #next}. */
  Labels get(int number) {
    return byNumber.get(number);
  }

  /** Notes a new set. */
  void add(Labels labels) {
    if (bytes + labels.bytes().length > MAX_BYTES) {
      byNumber.clear();
      numbers.clear();
      bytes = 0;
    }
    numbers.put(labels, byNumber.size());
    byNumber.add(labels);
    bytes += labels.bytes().length;
  }
}
