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
 * @param unread manifests that name others, perhaps
 */
public record ComparedList(ColdList list, List<ColdObject> lacking, List<UnreadManifest> unread) {
  public ComparedList {
    lacking = List.copyOf(lacking);
    unread = List.copyOf(unread);
  }

  /**
   * Lists the objects that may have records of a range.
   *
   * @throws IOException if it does not list
   */
  public static ComparedList of(Bucket bucket, UlidRange range) throws IOException {
    var registry = new SimpleMeterRegistry();
    try (var fetcher = new ColdFetcher(bucket, registry)) {
      var lacking = new TreeMap<ColdName, ColdObject>();
      ColdManifests.Named news = new ColdManifests(bucket, fetcher, registry).news(range);
      for (ColdObject named : news.objects()) {
        if (named.name().range().overlaps(range)) {
          lacking.put(named.name(), named);
        }
      }
      ColdList list = ColdList.of(bucket, range); // After what is named, and before what is over.
      list.objects().forEach(it -> lacking.remove(it.name()));
      Set<LocalDate> days = new HashSet<>();
      lacking.keySet().forEach(it -> days.add(it.day()));
      lacking.keySet().removeAll(new ColdEnds(bucket, fetcher, registry).of(range, days));
      return new ComparedList(list, List.copyOf(lacking.values()), news.unread());
    }
  }

  /** Those that are listed, and those that should be. */
  public List<ColdObject> all() {
    return Stream.concat(list.objects().stream(), lacking.stream()).toList();
  }
}
