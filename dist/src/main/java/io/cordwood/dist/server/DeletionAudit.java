package io.cordwood.dist.server;

import io.cordwood.common.access.AuditLog;
import io.cordwood.common.deletion.Tombstone;
import io.cordwood.common.deletion.Tombstones;
import io.cordwood.common.ulid.Ulid;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Enters in the audit log which deletions this node has learned, from whomever, and which it has
 * carried out. Safe for all threads, which may block on the disk.
 */
final class DeletionAudit {
  private static final String NOBODY = "-";

  private final AuditLog log;
  private final Supplier<Tombstones> deletions;
  private Tombstones learned;
  private final Set<Ulid> carriedOut = new HashSet<>();

  /**
   * @param deletions all that this node knows; those of now are known already
   */
  DeletionAudit(AuditLog log, Supplier<Tombstones> deletions) {
    this.log = log;
    this.deletions = deletions;
    this.learned = deletions.get();
  }

  /** Enters those that were not known before. */
  synchronized void learned() {
    Tombstones known = deletions.get();
    for (Tombstone it : since(learned, known)) {
      enter(it.who(), "deletion " + it.id(), DeletionWords.line(it), "learned", it.namedRecords());
    }
    learned = known;
  }

  /**
   * Enters those that no file of this node has any more and that had not been entered since it
   * started, in one line.
   *
   * @param done all of which that is so
   */
  synchronized void carriedOut(Collection<Tombstone> done) {
    String ids =
        done.stream()
            .map(Tombstone::id)
            .filter(carriedOut::add)
            .map(Ulid::toString)
            .collect(Collectors.joining(" "));
    if (!ids.isEmpty()) {
      enter(NOBODY, "deletions", ids, "carried out", 0);
    }
  }

  private static Collection<Tombstone> since(Tombstones before, Tombstones now) {
    Set<Ulid> old = before.all().stream().map(Tombstone::id).collect(Collectors.toSet());
    return now.all().stream().filter(it -> !old.contains(it.id())).toList();
  }

  private void enter(String token, String what, String detail, String outcome, long records) {
    log.asked(new AuditLog.Entry(token, NOBODY, what, detail, outcome, Duration.ZERO, records, 0));
  }
}
