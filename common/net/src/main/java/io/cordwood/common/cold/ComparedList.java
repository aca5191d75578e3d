package io.cordwood.common.cold;

import io.cordwood.common.bucket.Bucket;
import io.cordwood.common.ulid.UlidRange;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.time.LocalDate;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A list of cold objects, compared with what the bucket names, for who has seen no list before.
 *
 * @param lacking objects that are named and not over, and that the list lacks; they may be there
 * @param damaged manifests that say nothing, or say nothing of what is over
 */
public record ComparedList(ColdList list, List<ColdObject> lacking, int damaged) {
  public ComparedList {
    lacking = List.copyOf(lacking);
  }

  /**
   * Lists the objects that may have records of a range.
   *
   * @throws IOException if it does not list, or does not tell what it names
   */
  public static ComparedList of(Bucket bucket, UlidRange range) throws IOException {
    var registry = new SimpleMeterRegistry();
    try (var fetcher = new ColdFetcher(bucket, registry)) {
      var lacking = new TreeMap<String, ColdObject>();
      for (ColdObject named : new ColdManifests(bucket, fetcher, registry).unread(range)) {
        if (named.name().range().overlaps(range)) {
          lacking.put(named.name().key(), named);
        }
      }
      ColdList list = ColdList.of(bucket, range); // After what is named, and before what is over.
      list.objects().forEach(it -> lacking.remove(it.name().key()));
      Set<LocalDate> days = new HashSet<>();
      lacking.values().forEach(it -> days.add(it.name().day()));
      lacking.keySet().removeAll(new ColdEnds(bucket, fetcher, registry).of(range, days));
      int damaged = (int) registry.counter(DayLines.DAMAGED).count();
      return new ComparedList(list, List.copyOf(lacking.values()), damaged);
    }
  }

  /** Those that are listed, and those that should be. */
  public List<ColdObject> all() {
    return Stream.concat(list.objects().stream(), lacking.stream()).toList();
  }
}
