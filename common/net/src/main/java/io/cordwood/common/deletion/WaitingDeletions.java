package io.cordwood.common.deletion;

import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The deletions that a node knows, and why some are not carried out there yet: each part of it that
 * has files adds what it knows. One thread.
 */
public final class WaitingDeletions {
  private final Tombstones known;
  private final Map<Ulid, Set<String>> reasons = new HashMap<>();

  /** All count as carried out until something else is added. */
  public WaitingDeletions(Tombstones known) {
    this.known = known;
  }

  public Tombstones known() {
    return known;
  }

  /** Adds all but those that are carried out. */
  public void allBut(Tombstones done, String why) {
    if (!done.equals(known)) {
      add(it -> !done.contains(it), why);
    }
  }

  /** Adds those that name records of a range, of whatever topics. */
  public void within(UlidRange range, String why) {
    if (known.touches(range)) {
      add(it -> it.range().overlaps(range), why);
    }
  }

  private void add(Predicate<Tombstone> which, String why) {
    for (Tombstone it : known.all()) {
      if (which.test(it)) {
        reasons.computeIfAbsent(it.id(), _ -> new LinkedHashSet<>()).add(why);
      }
    }
  }

  /** Those that are carried out. */
  public Collection<Tombstone> carriedOut() {
    return known.all().stream().filter(it -> !reasons.containsKey(it.id())).toList();
  }

  /** Why a deletion is not carried out; empty if it is. */
  public Optional<String> why(Tombstone deletion) {
    return Optional.ofNullable(reasons.get(deletion.id())).map(all -> String.join("; ", all));
  }
}
