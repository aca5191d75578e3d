package io.cordwood.sim;

import io.cordwood.common.http.KnownParts;
import io.cordwood.common.segment.BatchInfo;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.store.StorePeer;
import io.cordwood.store.repair.SimRepair;
import java.io.IOException;
import java.time.Duration;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;

/** What a store asks others of what they hold. */
record SimHoldings(SimStore asking) implements SimRepair.Calls {
  private static final long CALL = Duration.ofSeconds(10).toNanos();

  @Override
  public String slices(StorePeer peer, Optional<KnownParts> known) throws IOException {
    SimCluster cluster = asking.cluster;
    SimStore other = asking.store(peer);
    String told =
        cluster.network.call(
            Costs.Kind.SLICES, asking, other, CALL, () -> other.table().text(known));
    int sums = known.map(KnownParts::toString).orElse("").length();
    cluster.costs.bytes(Costs.Kind.SLICES, sums + told.length());
    return told;
  }

  @Override
  public NavigableSet<BatchInfo> batches(StorePeer peer, UlidRange range) throws IOException {
    SimStore other = asking.store(peer);
    return asking.cluster.network.call(
        Costs.Kind.LISTING,
        asking,
        other,
        CALL,
        () -> {
          NavigableSet<BatchInfo> found = new TreeSet<>();
          other.stored().all().stream()
              .filter(batch -> range.contains(batch.first()))
              .forEach(found::add);
          return found;
        });
  }
}
