package io.cordwood.common.cold;

import io.cordwood.common.bucket.Bucket;
import io.cordwood.common.bucket.BucketException;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The objects of a bucket, as far as this process knows. Services lose keys from their lists for
 * minutes, without an error: so a name that was seen once, in a list or in {@link ColdManifests},
 * stays known, over restarts too, and a list that lacks one is a failed list. Some 330 bytes of
 * memory an object. For all threads.
 */
public final class ColdCatalogue {
  private static final Logger LOG = LoggerFactory.getLogger(ColdCatalogue.class);
  private static final int MOST_LISTED = 64;

  /** Later ones have more digits than the days in names. */
  private static final LocalDate LAST_DAY = LocalDate.of(9998, 12, 31);

  private final Bucket bucket;
  private final ColdNames names;
  private final Counter refused;
  private final ColdTimes times;
  private final InstantSource clock;
  private final LongSupplier nanoTime;
  private final Consumer<ColdName> gone;
  private final ConcurrentSkipListMap<String, Seen> known = new ConcurrentSkipListMap<>();
  private final Set<String> absent = new ConcurrentSkipListSet<>();
  private final ColdManifests manifests;
  private final ColdEnds ends;
  private final ConcurrentSkipListMap<String, Seen> ending = new ConcurrentSkipListMap<>();
  private final ReentrantLock listing = new ReentrantLock();
  private volatile List<Listed> listed = List.of();

  /**
   * An object, and the list that had it first.
   *
   * @param nanos when that list was over: what came while it was made is not older; empty if it was
   *     one of a process before this, or if no list had it yet
   */
  private record Seen(ColdObject object, Optional<Long> nanos) {
    boolean isIn(UlidRange days) {
      return days.contains(object.name().range().from());
    }

    boolean isOlder(Duration age, long now) {
      return nanos.isPresent() && now - nanos.get() >= age.toNanos();
    }
  }

  /**
   * A list of whole days.
   *
   * @param nanos when it began
   * @param time the same by the clock, which goes on while the machine sleeps
   * @param place that was listed, if it has a mark
   * @param unread manifests of these days
   */
  private record Listed(
      UlidRange days,
      long nanos,
      Instant time,
      Optional<BucketPlace> place,
      List<UnreadManifest> unread) {
    boolean isForOnce() {
      return unread.stream().anyMatch(UnreadManifest::isPassing);
    }
  }

  /**
   * The objects that may have records of a range.
   *
   * @param ending others that were still there, though they were named as over: they may go at any
   *     time, and are not missed then
   * @param absent of the first ones, that the last list lacked
   * @param unread manifests that name others, perhaps
   * @param place that was listed; empty if it has no mark
   * @param listedNanos when the list began
   */
  public record Found(
      List<ColdObject> objects,
      List<ColdObject> ending,
      int absent,
      List<UnreadManifest> unread,
      Optional<BucketPlace> place,
      long listedNanos) {
    public Found {
      objects = List.copyOf(objects);
      unread = List.copyOf(unread);
      ending = List.copyOf(ending);
    }

    /** Those that are to be searched. */
    public List<ColdObject> all() {
      return Stream.concat(objects.stream(), ending.stream()).toList();
    }
  }

  /**
   * @param fetcher which stays the caller's
   * @param names that were seen by processes before
   * @param gone is told of each object that was named as over and that the last list lacked, by
   *     each list again
   */
  ColdCatalogue(
      Bucket bucket,
      ColdFetcher fetcher,
      ColdNames names,
      ColdTimes times,
      InstantSource clock,
      LongSupplier nanoTime,
      MeterRegistry registry,
      Consumer<ColdName> gone) {
    this.gone = gone;
    this.times = times;
    this.clock = clock;
    this.bucket = bucket;
    this.names = names;
    this.nanoTime = nanoTime;
    this.refused = registry.counter("cordwood.cold.lists.refused");
    this.manifests = new ColdManifests(bucket, fetcher, registry);
    this.ends = new ColdEnds(bucket, fetcher, registry);
    names.read().forEach(it -> known.put(it.name().key(), new Seen(it, Optional.empty())));
  }

  /**
   * The objects that may have records of a range, by a list that is half an hour old at most; makes
   * one if there is none.
   *
   * @throws IOException if there is none, and the bucket does not give one
   */
  public Found find(UlidRange range) throws IOException {
    UlidRange days = days(range);
    Optional<Listed> list = fresh(days);
    if (list.isEmpty()) {
      listing.lock();
      try {
        list = fresh(days);
        if (list.isEmpty()) {
          list = Optional.of(list(days));
        }
      } finally {
        listing.unlock();
      }
    }
    return found(range, list.get());
  }

  private static UlidRange days(UlidRange range) {
    LocalDate first = LocalDate.ofInstant(range.from().time(), ZoneOffset.UTC);
    LocalDate last = LocalDate.ofInstant(range.to().time(), ZoneOffset.UTC);
    Ulid end = last.isAfter(LAST_DAY) ? Ulid.MAX : Ulid.lastOf(start(last.plusDays(1)) - 1);
    return new UlidRange(Ulid.firstOf(start(first)), end);
  }

  private static long start(LocalDate day) {
    return day.atStartOfDay(ZoneOffset.UTC).toInstant().toEpochMilli();
  }

  private Optional<Listed> fresh(UlidRange days) {
    return listed.stream().filter(it -> it.days.contains(days) && isFresh(it)).findFirst();
  }

  private boolean isFresh(Listed it) {
    Duration passed = Duration.between(it.time, clock.instant());
    return nanoTime.getAsLong() - it.nanos < times.fresh().toNanos()
        && passed.abs().compareTo(times.fresh()) < 0;
  }

  private Listed list(UlidRange days) throws IOException {
    Instant time = clock.instant();
    long began = nanoTime.getAsLong();
    Optional<BucketPlace> place = BucketPlace.of(bucket);
    ColdManifests.Named named = manifests.news(days);
    know(named.objects()); // Before the list of objects: what is named then is there when listed.
    Set<String> before = new HashSet<>();
    Set<LocalDate> wanted = new HashSet<>();
    for (Seen it : seen(days)) {
      before.add(it.object.name().key());
      wanted.add(it.object.name().day());
    }
    ColdList list = ColdList.of(bucket, days);
    list.objects().forEach(it -> wanted.add(it.name().day()));
    Set<String> ended = ends.of(days, wanted);
    Optional<Long> over = Optional.of(nanoTime.getAsLong());
    Set<String> there = new HashSet<>();
    list.objects().forEach(it -> there.add(it.name().key()));
    tellGone(days, ended, there);
    forget(days, ended);
    before.removeAll(ended);
    List<ColdObject> news = new ArrayList<>();
    for (ColdObject object : list.objects()) {
      String key = object.name().key();
      if (ended.contains(key)) {
        ending.putIfAbsent(key, new Seen(object, over));
      } else {
        before.remove(key);
        add(object, over, news);
      }
    }
    names.add(news);
    before.removeAll(forgetMisread(before, list.objects()));
    if (!before.isEmpty()) {
      refuse(before);
    }
    var made = new Listed(days, began, time, samePlace(place), named.unread());
    if (!made.isForOnce()) {
      note(made);
    }
    return made;
  }

  /** One that was ending may be the last of its day, whose names nobody reads any more. */
  private void tellGone(UlidRange days, Set<String> ended, Set<String> there) {
    Set<String> lacking = new HashSet<>(ended);
    ending.values().stream()
        .filter(it -> it.isIn(days))
        .forEach(it -> lacking.add(it.object.name().key()));
    lacking.removeAll(there);
    for (String key : lacking) {
      ColdName.parse(key).ifPresent(gone);
      ending.remove(key);
    }
  }

  /** They are missed if the list that is made after this lacks them. */
  private void know(List<ColdObject> named) {
    List<ColdObject> news = new ArrayList<>();
    for (ColdObject it : named) {
      if (known.putIfAbsent(it.name().key(), new Seen(it, Optional.empty())) == null) {
        news.add(it);
      }
    }
    names.add(news);
  }

  /** The service or the mount at an address may become another one at any time. */
  private Optional<BucketPlace> samePlace(Optional<BucketPlace> before) throws IOException {
    Optional<BucketPlace> after = BucketPlace.of(bucket);
    if (!after.equals(before)) {
      throw new BucketException(
          BucketException.Kind.UNEXPECTED,
          "%s: its mark became another one during a list".formatted(bucket));
    }
    return after;
  }

  private void add(ColdObject object, Optional<Long> listedNanos, List<ColdObject> news) {
    String key = object.name().key();
    absent.remove(key);
    Seen last = known.get(key);
    boolean isNew = last == null || last.object.bytes() != object.bytes();
    if (isNew) {
      news.add(object); // Or another list had a wrong length.
    }
    if (last == null || isNew || last.nanos.isEmpty()) {
      known.put(key, new Seen(object, listedNanos));
    } else if (!last.object.equals(object)) {
      known.put(key, new Seen(object, last.nanos));
    }
  }

  private Set<String> forgetMisread(Set<String> lacking, List<ColdObject> list) {
    Set<String> misread = MisreadNames.among(lacking, list, bucket);
    known.keySet().removeAll(misread);
    absent.removeAll(misread);
    names.drop(misread);
    return misread;
  }

  /** Misses objects no more that a rule deletes. */
  private void forget(UlidRange days, Set<String> ended) {
    int forgotten = 0;
    for (String key : ended) {
      absent.remove(key);
      forgotten += known.remove(key) == null ? 0 : 1;
    }
    if (forgotten > 0) {
      LOG.info("{}: {} objects in {} are over by the rule for them", bucket, forgotten, days);
    }
  }

  private void refuse(Set<String> lacking) {
    refused.increment();
    absent.addAll(lacking);
    LOG.error(
        "{}: a list lacks {} objects that were listed or named before, which stay known: {} and"
            + " others",
        bucket,
        lacking.size(),
        lacking.iterator().next());
  }

  private void note(Listed list) {
    List<Listed> next = new ArrayList<>();
    for (Listed it : listed) {
      if (isFresh(it) && !list.days.contains(it.days)) {
        next.add(it);
      }
    }
    next.add(list);
    listed = List.copyOf(next.subList(Math.max(0, next.size() - MOST_LISTED), next.size()));
  }

  private List<Seen> seen(UlidRange range) {
    return seen(known, range);
  }

  private static List<Seen> seen(ConcurrentSkipListMap<String, Seen> all, UlidRange range) {
    String from = ColdName.prefix(LocalDate.ofInstant(range.from().time(), ZoneOffset.UTC));
    LocalDate last = LocalDate.ofInstant(range.to().time(), ZoneOffset.UTC);
    var of =
        last.isAfter(LAST_DAY)
            ? all.tailMap(from)
            : all.subMap(from, ColdName.prefix(last.plusDays(1)));
    return of.values().stream().filter(it -> it.object.name().range().overlaps(range)).toList();
  }

  private Found found(UlidRange range, Listed list) {
    List<ColdObject> objects = new ArrayList<>();
    int lacking = 0;
    for (Seen it : seen(range)) {
      objects.add(it.object);
      lacking += absent.contains(it.object.name().key()) ? 1 : 0;
    }
    List<ColdObject> over = seen(ending, range).stream().map(Seen::object).toList();
    List<UnreadManifest> unread =
        list.unread.stream().filter(it -> it.range().overlaps(range)).toList();
    return new Found(objects, over, lacking, unread, list.place, list.nanos);
  }

  /**
   * The objects that may have records of a range and that are in the bucket for everybody: a list
   * that was over {@link ColdTimes#proof} ago had them, and so has one that is half an hour old at
   * most.
   *
   * @throws IOException if the bucket does not give a list
   */
  public Found proven(UlidRange range) throws IOException {
    Found found = find(range);
    long now = nanoTime.getAsLong();
    List<ColdObject> proven =
        seen(range).stream()
            .filter(it -> !absent.contains(it.object.name().key()))
            .filter(it -> it.isOlder(times.proof(), now))
            .map(Seen::object)
            .toList();
    return new Found(proven, List.of(), 0, found.unread, found.place, found.listedNanos);
  }

  /**
   * How long one may still rely on a list that began then: what others delete on their disks after
   * that need not be in it.
   */
  Duration reliable(long listedNanos) {
    return times.proof().minusNanos(nanoTime.getAsLong() - listedNanos);
  }

  /**
   * The objects that were still there in the last list of their day, though they were named as over
   * in one of so long ago. Makes no request.
   */
  public List<ColdObject> ending(Duration age) {
    long now = nanoTime.getAsLong();
    return ending.values().stream().filter(it -> it.isOlder(age, now)).map(Seen::object).toList();
  }

  /**
   * The days of manifests that were read, by their keys, as far as nothing of these days is known
   * or still there. Makes no request.
   */
  public Map<String, LocalDate> needlessManifests() {
    listing.lock(); // What is named in those that are being read is not known yet.
    try {
      Map<String, LocalDate> needless = manifests.read();
      needless.values().removeIf(day -> hasOf(day, known) || hasOf(day, ending));
      return needless;
    } finally {
      listing.unlock();
    }
  }

  private static boolean hasOf(LocalDate day, ConcurrentSkipListMap<String, Seen> all) {
    String key = all.ceilingKey(ColdName.prefix(day));
    return key != null && key.startsWith(ColdName.prefix(day));
  }

  /** Those that are known, and those that are over and still there. */
  Stream<ColdObject> known() {
    return Stream.concat(known.values().stream(), ending.values().stream()).map(Seen::object);
  }

  /** Objects that are known. */
  public int size() {
    return known.size();
  }

  /** Objects that are known, and that the last list lacked. */
  public int absent() {
    return absent.size();
  }

  /** Whether something can be in a bucket alone: days that are over are, and what is old enough. */
  boolean mayHold(UlidRange range, Instant now) {
    return range.from().time().isBefore(now.minus(times.young()));
  }
}
