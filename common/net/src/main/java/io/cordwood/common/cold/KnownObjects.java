package io.cordwood.common.cold;

import io.cordwood.common.ulid.UlidRange;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Objects by their days, each once, in arrays: some 90 bytes of memory each. One thread at a time
 * changes them; all others see each day as it was before a change or as it is after it.
 */
final class KnownObjects {
  private final ConcurrentSkipListMap<LocalDate, Day> days = new ConcurrentSkipListMap<>();

  /**
   * An object, and the list that had it first.
   *
   * @param nanos when that list was over: what came while it was made is not older; empty if it was
   *     one of a process before this, or if no list had it yet
   */
  record Seen(ColdObject object, Optional<Long> nanos) {
    ColdName name() {
      return object.name();
    }

    boolean isOlder(Duration age, long now) {
      return nanos.isPresent() && now - nanos.get() >= age.toNanos();
    }
  }

  /** The objects of a day, by their names; never changed. */
  private static final class Day {
    /** After those of the name. */
    private static final int BYTES = ColdName.WORDS;

    private static final int UPLOADED = BYTES + 1;
    private static final int NANOS = BYTES + 2;
    private static final int WORDS = BYTES + 3;

    private final String[] classes;
    private final boolean[] wereListed;
    private final long[] words;

    Day(Collection<Seen> objects) {
      classes = new String[objects.size()];
      wereListed = new boolean[objects.size()];
      words = new long[objects.size() * WORDS];
      int i = 0;
      for (Seen it : objects) {
        int at = i * WORDS;
        it.name().write(words, at);
        words[at + BYTES] = it.object.bytes();
        words[at + UPLOADED] = it.object.uploaded().toEpochMilli();
        words[at + NANOS] = it.nanos.orElse(0L);
        wereListed[i] = it.nanos.isPresent();
        classes[i] = it.name().retention();
        i++;
      }
    }

    void addTo(List<Seen> objects, Predicate<ColdName> wanted) {
      for (int i = 0; i < classes.length; i++) {
        int at = i * WORDS;
        ColdName name = ColdName.read(classes[i], words, at);
        if (wanted.test(name)) {
          Instant uploaded = Instant.ofEpochMilli(words[at + UPLOADED]);
          Optional<Long> nanos = wereListed[i] ? Optional.of(words[at + NANOS]) : Optional.empty();
          objects.add(new Seen(new ColdObject(name, words[at + BYTES], uploaded), nanos));
        }
      }
    }
  }

  /** Those that may have records of a range, by day and name. */
  List<Seen> in(UlidRange range) {
    LocalDate last = LocalDate.ofInstant(range.to().time(), ZoneOffset.UTC);
    List<Seen> found = new ArrayList<>();
    days.subMap(ColdName.dayOf(range), true, last, true)
        .values()
        .forEach(day -> day.addTo(found, name -> name.range().overlaps(range)));
    return found;
  }

  Stream<Seen> all() {
    return days.values().stream()
        .flatMap(day -> {
          List<Seen> found = new ArrayList<>();
          day.addTo(found, _ -> true);
          return found.stream();
        });
  }

  boolean hasOf(LocalDate day) {
    return days.containsKey(day);
  }

  int size() {
    return days.values().stream().mapToInt(day -> day.classes.length).sum();
  }

  /** Puts some, each in the place of one of the same name. */
  void put(Collection<Seen> objects) {
    Map<LocalDate, List<Seen>> byDay = new HashMap<>();
    objects.forEach(it -> byDay.computeIfAbsent(it.name().day(), _ -> new ArrayList<>()).add(it));
    byDay.forEach((day, news) -> change(day, all -> news.forEach(it -> all.put(it.name(), it))));
  }

  /** Removes some, as far as they are there. */
  void remove(Set<ColdName> names) {
    Map<LocalDate, List<ColdName>> byDay = new HashMap<>();
    names.forEach(it -> byDay.computeIfAbsent(it.day(), _ -> new ArrayList<>()).add(it));
    byDay.keySet().retainAll(days.keySet());
    byDay.forEach((day, gone) -> change(day, all -> gone.forEach(all::remove)));
  }

  private void change(LocalDate date, Consumer<Map<ColdName, Seen>> change) {
    var all = new TreeMap<ColdName, Seen>();
    Day day = days.get(date);
    if (day != null) {
      List<Seen> before = new ArrayList<>();
      day.addTo(before, _ -> true);
      before.forEach(it -> all.put(it.name(), it));
    }
    change.accept(all);
    if (all.isEmpty()) {
      days.remove(date);
    } else {
      days.put(date, new Day(all.values()));
    }
  }
}
