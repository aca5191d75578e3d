package io.cordwood.common.cold;

import io.cordwood.common.bucket.Bucket;
import io.cordwood.common.ulid.UlidRange;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The objects that a rule deletes, named in the bucket before they are deleted and for ever after:
 * so every reader knows why a list lacks them. One thread at a time.
 *
 * <pre>
 *   ended/2026-11-26/HASH    KEY    a line an object, as {@link DayLines} have them
 * </pre>
 */
public final class ColdEnds {
  static final String ROOT = "ended/";

  private final DayLines lines;
  private final Map<LocalDate, Set<ColdName>> ended = new HashMap<>();

  ColdEnds(Bucket bucket, ColdFetcher fetcher, MeterRegistry registry) {
    this.lines = new DayLines(bucket, ROOT, fetcher, registry);
  }

  /**
   * Names objects of one day. To do it again changes nothing.
   *
   * @throws IOException if that is not certain
   */
  public static void put(Bucket bucket, LocalDate day, List<ColdName> names) throws IOException {
    DayLines.put(bucket, ROOT, day, names.stream().map(ColdName::key).sorted().toList());
  }

  /**
   * The names that are over. Those in lines that do not read now are left out: so they are missed.
   *
   * @param days whole ones, to list at once
   * @param wanted the days of which they are read
   */
  Set<ColdName> of(UlidRange days, Set<LocalDate> wanted) throws IOException {
    Set<ColdName> names = new HashSet<>();
    if (wanted.isEmpty()) {
      return names;
    }
    for (DayLines.Part part : lines.news(days, wanted::contains).parts()) {
      Set<ColdName> ofDay = ended.computeIfAbsent(part.day(), _ -> new HashSet<>());
      for (String line : part.lines()) {
        ColdName.parse(line).filter(it -> it.day().equals(part.day())).ifPresent(ofDay::add);
      }
    }
    wanted.forEach(day -> names.addAll(ended.getOrDefault(day, Set.of())));
    return names;
  }
}
