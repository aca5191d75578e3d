package io.cordwood.store.consume;

import io.cordwood.common.ulid.Ulid;
import io.cordwood.store.claim.Claim;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Ingest segments of gathers that could not be written, whoever is to blame: each is gathered by
 * itself the next time, so that one of them keeps no other from being stored. For any thread.
 */
final class SuspectSegments {
  private static final int MOST = 1000;

  private final Set<Ulid> ids = new LinkedHashSet<>();

  synchronized boolean has(Claim claim) {
    return ids.contains(claim.id());
  }

  synchronized void add(List<Claim> claims) {
    claims.forEach(claim -> ids.add(claim.id()));
    while (ids.size() > MOST) {
      ids.remove(ids.iterator().next());
    }
  }

  synchronized void remove(List<Claim> claims) {
    claims.forEach(claim -> ids.remove(claim.id()));
  }
}
