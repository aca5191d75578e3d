package io.cordwood.common.cold;

import io.cordwood.common.bucket.Bucket;
import io.cordwood.common.bucket.BucketException;
import io.cordwood.common.cold.KnownObjects.Seen;
import io.cordwood.common.cold.RecentLists.Listed;
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
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The objects of a bucket, as far as this process knows. Services lose keys from their lists for
 * minutes, without an error: so a name that was seen once, in a list or in {@link ColdManifests},
 * stays known, over restarts too, and a list that lacks one is a failed list. For all threads.
 */
public final class ColdCatalogue {
  private static final Logger LOG = LoggerFactory.getLogger(ColdCatalogue.class);

  /** Later ones have more digits than the days in names. */
  private static final LocalDate LAST_DAY = LocalDate.of(9998, 12, 31);

  private final Bucket bucket;
  private final ColdNames names;
  private final Counter refused;
  private final ColdTimes times;
  private final InstantSource clock;
  private final LongSupplier nanoTime;
  private final KnownObjects known = new KnownObjects();
  private final Set<ColdName> absent = ConcurrentHashMap.newKeySet();
  private final ColdManifests manifests;
  private final ColdEnds ends;
  private final EndingObjects ending;
  private final ReentrantLock listing = new ReentrantLock();
  private final RecentLists lists;

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
    this.times = times;
    this.clock = clock;
    this.bucket = bucket;
    this.names = names;
    this.nanoTime = nanoTime;
    this.refused = registry.counter("cordwood.cold.lists.refused");
    this.manifests = new ColdManifests(bucket, fetcher, registry);
    this.ends = new ColdEnds(bucket, fetcher, registry);
    this.ending = new EndingObjects(gone);
    this.lists = new RecentLists(times.fresh(), clock, nanoTime);
    known.put(names.read().stream().map(it -> new Seen(it, Optional.empty())).toList());
  }

  /**
   * The objects that may have records of a range, by a list that is half an hour old at most; makes
   * one if there is none.
   *
   * @throws IOException if there is none, and the bucket does not give one
   */
  public Found find(UlidRange range) throws IOException {
    UlidRange days = days(range);
    Optional<Listed> list = lists.of(days);
    if (list.isEmpty()) {
      listing.lock();
      try {
        list = lists.of(days);
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

  private Listed list(UlidRange days) throws IOException {
    Instant time = clock.instant();
    long began = nanoTime.getAsLong();
    Optional<BucketPlace> place = BucketPlace.of(bucket);
    ColdManifests.Named named = manifests.news(days);
    Map<ColdName, Seen> before = know(days, named.objects()); // What is named is there when listed.
    Set<LocalDate> wanted = new HashSet<>();
    before.keySet().forEach(it -> wanted.add(it.day()));
    ColdList list = ColdList.of(bucket, days);
    list.objects().forEach(it -> wanted.add(it.name().day()));
    Set<ColdName> over = ends.of(days, wanted);
    Optional<Long> listedNanos = Optional.of(nanoTime.getAsLong());
    Map<ColdName, Seen> listed = new LinkedHashMap<>();
    list.objects().forEach(it -> listed.put(it.name(), new Seen(it, listedNanos)));
    forget(days, before, over, listed);
    add(before, over, listed.values());
    before.keySet().removeAll(listed.keySet());
    forgetMisread(before.keySet(), list.objects());
    if (!before.isEmpty()) {
      refuse(before.keySet());
    }
    var made = new Listed(days, began, time, samePlace(place), named.unread());
    lists.add(made);
    return made;
  }

  /** All that is known. What is named is missed if the list that is made after this lacks it. */
  private Map<ColdName, Seen> know(UlidRange days, List<ColdObject> named) {
    Map<ColdName, Seen> all = new HashMap<>();
    known.in(days).forEach(it -> all.put(it.name(), it));
    List<Seen> news = new ArrayList<>();
    for (ColdObject it : named) {
      var seen = new Seen(it, Optional.empty());
      if (all.putIfAbsent(it.name(), seen) == null) {
        news.add(seen);
      }
    }
    known.put(news);
    names.add(news.stream().map(Seen::object).toList());
    return all;
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

  /** A length that differs is that of this list: another one had it wrong. */
  private void add(Map<ColdName, Seen> before, Set<ColdName> over, Collection<Seen> listed) {
    List<Seen> changed = new ArrayList<>();
    List<ColdObject> news = new ArrayList<>();
    for (Seen it : listed) {
      if (over.contains(it.name())) {
        continue;
      }
      absent.remove(it.name());
      Seen last = before.get(it.name());
      if (last == null || last.object().bytes() != it.object().bytes()) {
        news.add(it.object());
        changed.add(it);
      } else if (last.nanos().isEmpty() || !last.object().equals(it.object())) {
        changed.add(new Seen(it.object(), last.nanos().or(it::nanos)));
      }
    }
    known.put(changed);
    names.add(news);
  }

  private void forgetMisread(Set<ColdName> lacking, List<ColdObject> list) {
    Set<ColdName> misread = MisreadNames.among(lacking, list, bucket);
    known.remove(misread);
    absent.removeAll(misread);
    names.drop(misread);
    lacking.removeAll(misread);
  }

  /** Misses objects no more that a rule deletes, and drops the names of those that have gone. */
  private void forget(
      UlidRange days, Map<ColdName, Seen> before, Set<ColdName> over, Map<ColdName, Seen> listed) {
    Set<ColdName> went = ending.note(days, over, listed);
    int forgotten = 0;
    for (ColdName name : over) {
      absent.remove(name);
      if (before.remove(name) != null) {
        forgotten++;
        if (!listed.containsKey(name)) {
          went.add(name);
        }
      }
    }
    known.remove(over);
    names.drop(went);
    if (forgotten > 0) {
      LOG.info("{}: {} objects in {} are over by the rule for them", bucket, forgotten, days);
    }
  }

  private void refuse(Set<ColdName> lacking) {
    refused.increment();
    absent.addAll(lacking);
    LOG.error(
        "{}: a list lacks {} objects that were listed or named before, which stay known: {} and"
            + " others",
        bucket,
        lacking.size(),
        lacking.iterator().next());
  }

  private Found found(UlidRange range, Listed list) {
    List<ColdObject> objects = objects(known.in(range).stream());
    int lacking =
        absent.isEmpty()
            ? 0
            : (int) objects.stream().filter(it -> absent.contains(it.name())).count();
    List<ColdObject> over = objects(ending.there().in(range).stream());
    List<UnreadManifest> unread =
        list.unread().stream().filter(it -> it.range().overlaps(range)).toList();
    return new Found(objects, over, lacking, unread, list.place(), list.nanos());
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
        objects(
            known.in(range).stream()
                .filter(it -> !absent.contains(it.name()) && it.isOlder(times.proof(), now)));
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
    return objects(ending.there().all().filter(it -> it.isOlder(age, now)));
  }

  /**
   * The days of manifests that were read, by their keys, as far as nothing of these days is known
   * or still there. Makes no request.
   */
  public Map<String, LocalDate> needlessManifests() {
    listing.lock(); // What is named in those that are being read is not known yet.
    try {
      Map<String, LocalDate> needless = manifests.read();
      needless.values().removeIf(day -> known.hasOf(day) || ending.there().hasOf(day));
      return needless;
    } finally {
      listing.unlock();
    }
  }

  private static List<ColdObject> objects(Stream<Seen> seen) {
    return seen.map(Seen::object).toList();
  }

  /** Those that are known, and those that are over and still there. */
  Stream<ColdObject> known() {
    return Stream.concat(known.all(), ending.there().all()).map(Seen::object);
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
