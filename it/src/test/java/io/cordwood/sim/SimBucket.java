package io.cordwood.sim;

import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;

/** A place for objects, as it is; {@link SimBucketClient} is how nodes see it. For all threads. */
final class SimBucket {
  private final NavigableMap<String, Stored> objects = new ConcurrentSkipListMap<>();

  /**
   * An object.
   *
   * @param since when the first one of that key was put
   * @param nanos when this one was
   */
  record Stored(byte[] bytes, long since, long nanos) {}

  void put(String key, byte[] bytes, long nanos) {
    objects.merge(
        key,
        new Stored(bytes, nanos, nanos),
        (before, now) -> new Stored(bytes, before.since, now.nanos));
  }

  void delete(String key) {
    objects.remove(key);
  }

  Optional<Stored> get(String key) {
    return Optional.ofNullable(objects.get(key));
  }

  /** In the order of keys. */
  Map<String, Stored> after(String key) {
    return objects.tailMap(key, false);
  }
}
