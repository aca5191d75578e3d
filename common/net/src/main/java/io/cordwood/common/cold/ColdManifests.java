package io.cordwood.common.cold;

import io.cordwood.common.bucket.Bucket;
import io.cordwood.common.ulid.UlidRange;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The objects that were put, named in the bucket once they are there: so a reader that has never
 * seen one knows what a list lacks. For all threads.
 *
 * <pre>
 *   named/2026-11-26/HASH    KEY BYTES    a line an object, as {@link DayLines} have them
 * </pre>
 */
public final class ColdManifests {
  static final String ROOT = "named/";

  private final DayLines lines;

  ColdManifests(Bucket bucket, ColdFetcher fetcher, MeterRegistry registry) {
    this.lines = new DayLines(bucket, ROOT, fetcher, registry);
  }

  /**
   * Names objects of one day. To do it again changes nothing.
   *
   * @param objects of which it is known that they are there
   * @throws IOException if that is not certain
   */
  public static void put(Bucket bucket, LocalDate day, Collection<ColdObject> objects)
      throws IOException {
    List<String> lines =
        objects.stream().map(it -> it.name().key() + " " + it.bytes()).sorted().toList();
    DayLines.put(bucket, ROOT, day, lines);
  }

  /**
   * Names those objects of one day that are not named yet.
   *
   * @param objects of which it is known that they are there
   * @throws IOException if it is not certain that all are named now
   */
  public static void add(Bucket bucket, LocalDate day, Collection<ColdObject> objects)
      throws IOException {
    if (objects.isEmpty()) {
      return;
    }
    Set<ColdName> named = new HashSet<>();
    var registry = new SimpleMeterRegistry();
    try (var fetcher = new ColdFetcher(bucket, registry)) {
      var manifests = new ColdManifests(bucket, fetcher, registry);
      manifests.news(ColdName.rangeOf(day)).objects().forEach(it -> named.add(it.name()));
    }
    put(bucket, day, objects.stream().filter(it -> !named.contains(it.name())).toList());
  }

  /** The content of manifests that were not read before. */
  record Named(List<ColdObject> objects, List<UnreadManifest> unread) {
    Named {
      objects = List.copyOf(objects);
      unread = List.copyOf(unread);
    }
  }

  /**
   * Reads the manifests that were not read before.
   *
   * @param days whole ones
   */
  Named news(UlidRange days) throws IOException {
    List<ColdObject> named = new ArrayList<>();
    DayLines.News news = lines.news(days, _ -> true);
    for (DayLines.Part part : news.parts()) {
      Instant put = part.entry().modified();
      part.lines().forEach(line -> parse(line, part.day(), put).ifPresent(named::add));
    }
    return new Named(named, news.unread());
  }

  /** The keys of all manifests of a place, also of those that name what is over. */
  public static List<String> keys(Bucket bucket) throws IOException {
    List<String> keys = new ArrayList<>();
    for (String root : List.of(ROOT, ColdEnds.ROOT)) {
      bucket.listAll(root).forEach(it -> keys.add(it.key()));
    }
    return keys;
  }

  /** Lines of versions to come are left out. */
  private static Optional<ColdObject> parse(String line, LocalDate day, Instant put) {
    String[] words = line.split(" ", -1);
    if (words.length != 2) {
      return Optional.empty();
    }
    try {
      long bytes = Long.parseLong(words[1]);
      return ColdName.parse(words[0])
          .filter(it -> it.day().equals(day) && it.tailBytes() <= bytes)
          .map(it -> new ColdObject(it, bytes, put));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  /** The days of the manifests that were read and are still listed, by their keys. */
  Map<String, LocalDate> read() {
    return lines.read();
  }
}
