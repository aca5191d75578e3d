package io.cordwood.dist.server;

import io.cordwood.common.cold.ColdName;
import io.cordwood.common.cold.ColdObject;
import io.cordwood.common.cold.ColdReader;
import io.cordwood.common.deletion.Tombstones;
import io.cordwood.common.deletion.Untouched;
import io.cordwood.common.deletion.WaitingDeletions;
import io.cordwood.common.segment.StoreSegment;
import io.cordwood.common.ulid.UlidRange;
import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;

/**
 * How a node is as far as it keeps tails of a bucket's objects, which have pieces of records in
 * them. One goes once a list lacks its object, so lists are made as long as there is one with
 * something deleted.
 */
final class BucketStatus implements NodeStatus.Part {
  private final ColdReader reader;
  private final Untouched<ColdName> untouched = Untouched.byName();

  BucketStatus(ColdReader reader) {
    this.reader = reader;
  }

  @Override
  public void addTo(WaitingDeletions waiting) {
    Tombstones deleted = waiting.known();
    List<ColdObject> kept = reader.kept(deleted::touches).toList();
    untouched.retain(kept.stream().map(ColdObject::name).collect(Collectors.toSet()));
    List<ColdName> held =
        kept.stream().filter(it -> holds(it, deleted)).map(ColdObject::name).toList();
    held.forEach(it -> waiting.within(it.range(), it + ": its tail is kept here until it is gone"));
    held.stream().map(ColdName::range).reduce(UlidRange::union).ifPresent(reader::refresh);
  }

  private boolean holds(ColdObject object, Tombstones deleted) {
    if (untouched.isKnown(object.name(), deleted)) {
      return false;
    }
    try {
      StoreSegment segment = reader.open(object);
      try {
        return untouched.without(deleted, object.name(), segment) != segment;
      } finally {
        segment.release();
      }
    } catch (IOException e) {
      return true; // Nobody knows what is in it.
    }
  }
}
