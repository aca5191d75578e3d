package io.cordwood.forwarder;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** What several nodes have stored, as a reader sees it: sorted by ULID, without duplicates. */
public final class Archive {
  private final SortedMap<String, ReceivedBatch> batches = new TreeMap<>();
  private int duplicates;

  synchronized void add(ReceivedBatch batch) {
    ReceivedBatch before = batches.putIfAbsent(batch.ulid, batch);
    if (before != null) {
      duplicates++;
      if (!Arrays.equals(before.raw, batch.raw)) {
        throw new AssertionError("two batches with one ULID: " + batch.ulid);
      }
    }
  }

  public synchronized List<ReceivedBatch> batches() {
    return new ArrayList<>(batches.values());
  }

  /** Each record as text in which a character is a byte. */
  public List<String> records() {
    List<String> records = new ArrayList<>();
    for (ReceivedBatch batch : batches()) {
      batch.records().forEach(r -> records.add(new String(r, ISO_8859_1)));
    }
    return records;
  }

  public synchronized int duplicates() {
    return duplicates;
  }

  public synchronized long count() {
    return batches.values().stream().mapToLong(b -> b.count).sum();
  }
}
