package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/** What nodes answered, each record once under its ULID, however many of them had it. */
final class FoundRecords {
  private static final int ULID_CHARS = 26;

  private final Map<String, String> byUlid = new HashMap<>();

  /** Takes an answer in format {@code ulid}; fails if a record is not the one found before. */
  void add(String answer) {
    // Not lines(): a CR belongs to the record.
    for (String line : answer.split("\n", -1)) {
      if (!line.isEmpty()) {
        String record = line.substring(ULID_CHARS + 1);
        String before = byUlid.putIfAbsent(line.substring(0, ULID_CHARS), record);
        assertThat(before == null || before.equals(record))
            .as("one record of one ULID, found '%s' and '%s'", before, line)
            .isTrue();
      }
    }
  }

  /** The numbers of the records of a load that are there; fails if one is there twice. */
  BitSet numbersOf(AcknowledgedLoad load) {
    BitSet numbers = new BitSet();
    String start = load.name() + " ";
    for (String record : byUlid.values()) {
      if (record.startsWith(start)) {
        int number = Integer.parseInt(record.substring(start.length()));
        assertThat(record).isEqualTo(load.record(number));
        assertThat(numbers.get(number)).as("'%s' is found twice", record).isFalse();
        numbers.set(number);
      }
    }
    return numbers;
  }

  int size() {
    return byUlid.size();
  }
}
