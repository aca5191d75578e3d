package io.cordwood.common.cold;

import io.cordwood.common.cold.KnownObjects.Seen;
import io.cordwood.common.ulid.UlidRange;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** The objects that are named as over, as long as they are there; and tells which have gone. */
final class EndingObjects {
  private final Consumer<ColdName> gone;
  private final KnownObjects there = new KnownObjects();

  /**
   * @param gone is told of each object that was named as over and that the last list lacked, by
   *     each list again
   */
  EndingObjects(Consumer<ColdName> gone) {
    this.gone = gone;
  }

  /** Those that are there. */
  KnownObjects there() {
    return there;
  }

  /**
   * Takes note of a list. One that was ending may be the last of its day, whose names nobody reads
   * any more.
   *
   * @param over the names that are over
   * @param listed all that was listed
   * @return those that were there before, and have gone
   */
  Set<ColdName> note(UlidRange days, Set<ColdName> over, Map<ColdName, Seen> listed) {
    Set<ColdName> went = new HashSet<>();
    Set<ColdName> news = new HashSet<>(over);
    for (Seen it : there.in(days)) {
      news.remove(it.name());
      if (!listed.containsKey(it.name())) {
        went.add(it.name());
      }
    }
    over.stream().filter(it -> !listed.containsKey(it) && !went.contains(it)).forEach(gone);
    went.forEach(gone);
    there.remove(went);
    news.retainAll(listed.keySet());
    there.put(news.stream().map(listed::get).toList());
    return went;
  }
}
