package io.cordwood.agent.journal;

import io.cordwood.common.wire.Origin;
import io.cordwood.forwarder.PreparedBatch;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a journal that were read and have not arrived. Those that are refused are held, to
 * be tried again, up to a number of bytes. What is beyond is put off: its origin is kept, and from
 * where on it can be read again. For all threads.
 */
final class SentEntries {
  /** Refused entries that are held. */
  static final int MOST_REFUSED_BYTES = 1 << 20;

  /** Besides, for the first one of each origin: it finds out whether the others would be taken. */
  private static final int MOST_PROBES_BYTES = 1 << 20;

  /** More origins than these that are put off are taken for all that there are. */
  private static final int MOST_ORIGINS = 1000;

  private final TreeMap<Place, Sent> waiting = new TreeMap<>();
  private final Set<String> cursors = new HashSet<>();
  private long refusedBytes;
  private String read;
  private long number;
  private long again;
  private @Nullable PutOff putOff;
  private @Nullable PutOff readAgain;

  /**
   * A place in the journal.
   *
   * @param number of the entries that were read for the first time, up to it
   * @param again other than 0 if it is read again, since that one or a later one was put off
   */
  private record Place(long number, long again) implements Comparable<Place> {
    private static final Comparator<Place> ORDER =
        Comparator.comparingLong(Place::number).thenComparingLong(Place::again);

    @Override
    public int compareTo(Place other) {
      return ORDER.compare(this, other);
    }
  }

  /** An entry on its way, or refused. */
  static final class Sent {
    private final Place place;
    private final String before;
    private final String cursor;
    private @Nullable PreparedBatch batch;
    private int bytes;
    private boolean isRefused;
    private boolean wasRefused;

    private Sent(Place place, String before, String cursor) {
      this.place = place;
      this.before = before;
      this.cursor = cursor;
    }

    /** Bytes that it holds. */
    int bytes() {
      return bytes;
    }
  }

  /**
   * A part of the journal with entries that are to be read again.
   *
   * @param number of its first entry
   * @param before the cursor before that
   * @param until the cursor of its last entry, or of a later one
   */
  record PutOff(long number, String before, String until, Set<Origin> origins) {
    /** Whether an entry of this origin may be one of them. */
    boolean mayHave(Origin origin) {
      return origins.size() > MOST_ORIGINS || origins.contains(origin);
    }

    private PutOff and(PutOff other) {
      Set<Origin> all = new HashSet<>(origins);
      all.addAll(other.origins);
      PutOff first = number <= other.number ? this : other;
      return new PutOff(first.number, first.before, "", all);
    }
  }

  /**
   * @param cursor of the last entry that is not wanted; empty for none
   */
  SentEntries(String cursor) {
    this.read = cursor;
  }

  /** The cursor up to which all have arrived. */
  synchronized String cursor() {
    long first = Long.MAX_VALUE;
    String before = read;
    if (!waiting.isEmpty()) {
      Sent head = waiting.firstEntry().getValue();
      first = head.place.number;
      before = head.before;
    }
    for (PutOff part : new PutOff[] {putOff, readAgain}) {
      if (part != null && part.number <= first) {
        first = part.number;
        before = part.before;
      }
    }
    return before;
  }

  /** The cursor of the last entry that was read for the first time. */
  synchronized String read() {
    return read;
  }

  /** An entry that was read for the first time; the next one is read when it is added. */
  synchronized Sent next(JournalEntry entry) {
    return new Sent(new Place(number + 1, 0), read, entry.cursor());
  }

  /** An entry that was read again; empty if it is here already. */
  synchronized Optional<Sent> again(PutOff part, JournalEntry entry) {
    return cursors.contains(entry.cursor())
        ? Optional.empty()
        : Optional.of(new Sent(new Place(part.number, ++again), part.before, entry.cursor()));
  }

  /** It is on its way from now on. */
  synchronized void add(Sent entry, PreparedBatch batch, int bytes) {
    entry.batch = batch;
    entry.bytes = bytes;
    if (entry.place.number > number) {
      number = entry.place.number;
      read = entry.cursor.isEmpty() ? read : entry.cursor;
    }
    waiting.put(entry.place, entry);
    cursors.add(entry.cursor);
  }

  /** It has arrived; whether it had been refused before, so that others may arrive too. */
  synchronized boolean arrived(Sent entry) {
    remove(entry);
    return entry.wasRefused;
  }

  private void remove(Sent entry) {
    waiting.remove(entry.place);
    cursors.remove(entry.cursor);
    entry.batch = null;
  }

  /** It is refused; whether it is put off, so that it holds nothing any more. */
  synchronized boolean refused(Sent entry) {
    PreparedBatch batch = entry.batch;
    if (batch == null) {
      return false;
    }
    entry.wasRefused = true;
    long all = refusedBytes + entry.bytes;
    if (all <= MOST_REFUSED_BYTES
        || (all <= MOST_REFUSED_BYTES + MOST_PROBES_BYTES && isFirstOf(batch.origin()))) {
      entry.isRefused = true;
      refusedBytes = all;
      return false;
    }
    remove(entry);
    putOff(new PutOff(entry.place.number, entry.before, "", Set.of(batch.origin())));
    return true;
  }

  private boolean isFirstOf(Origin origin) {
    return waiting.values().stream()
        .noneMatch(it -> it.isRefused && it.batch != null && it.batch.origin().equals(origin));
  }

  private void putOff(PutOff more) {
    PutOff known = putOff;
    boolean isKnown =
        known != null
            && known.number <= more.number
            && more.origins.stream().allMatch(known::mayHave);
    if (!isKnown) {
      putOff = known == null ? more : known.and(more);
    }
  }

  /** Those that are held, to be sent again. */
  synchronized List<PreparedBatch> takeRefused() {
    List<PreparedBatch> batches = new ArrayList<>();
    for (Sent entry : waiting.values()) {
      if (entry.isRefused && entry.batch != null) {
        entry.isRefused = false;
        batches.add(entry.batch);
      }
    }
    refusedBytes = 0;
    return batches;
  }

  /** Whether some are to be read again. */
  synchronized boolean arePutOff() {
    return putOff != null;
  }

  /** The part to read again now; empty if there is none, or one is being read. */
  synchronized Optional<PutOff> beginAgain() {
    PutOff part = putOff;
    if (part == null || readAgain != null) {
      return Optional.empty();
    }
    readAgain = new PutOff(part.number, part.before, read, part.origins);
    putOff = null;
    return Optional.of(readAgain);
  }

  /**
   * The part was read again: what of it has not arrived is on its way, or put off anew.
   *
   * @param isWhole else all of it is still to be read again
   */
  synchronized void endAgain(boolean isWhole) {
    PutOff part = readAgain;
    readAgain = null;
    if (!isWhole && part != null) {
      putOff(part);
    }
  }

  /** Whether all that was read has arrived. */
  synchronized boolean areNone() {
    return waiting.isEmpty() && putOff == null && readAgain == null;
  }
}
