package io.cordwood.store.cold;

import io.cordwood.common.cold.BucketPlace;
import io.cordwood.common.cold.ColdName;
import io.cordwood.common.cold.ColdObject;
import io.cordwood.common.cold.ColdReader;
import io.cordwood.common.segment.BatchInfo;
import io.cordwood.common.segment.BatchLists;
import io.cordwood.common.segment.BlockDecoder;
import io.cordwood.common.segment.BlockInfo;
import io.cordwood.common.segment.StoreSegment;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.common.wire.CorruptException;
import io.cordwood.store.BucketCopies;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares segments with the objects of a bucket, batch by batch. Of each object one block is read
 * before it counts: so its dictionary is right, and it is not in an archive. Some 100 bytes of
 * memory for each batch of a segment. One thread.
 */
public final class ProvenObjects implements BucketCopies {
  private static final Logger LOG = LoggerFactory.getLogger(ProvenObjects.class);

  private final ColdReader reader;
  private final Set<ColdName> tried = new HashSet<>();

  public ProvenObjects(ColdReader reader) {
    this.reader = reader;
  }

  @Override
  public boolean haveAllOf(StoreSegment segment) throws IOException {
    Optional<BatchLists> lists = segment.lists();
    if (lists.isEmpty()) {
      return false; // Of an older version, until it is compacted or settled.
    }
    List<ColdObject> objects = reader.catalogue().proven(segment.range());
    Set<BatchInfo> lacking = new HashSet<>();
    for (BlockInfo block : segment.blocks()) {
      lacking.addAll(lists.get().of(block));
    }
    for (ColdObject object : objects) {
      if (lacking.isEmpty()) {
        break;
      }
      remove(object, segment.range(), lacking);
    }
    return lacking.isEmpty();
  }

  @Override
  public Optional<BucketPlace> place() throws IOException {
    return reader.marked();
  }

  private void remove(ColdObject object, UlidRange range, Set<BatchInfo> lacking)
      throws IOException {
    try {
      StoreSegment there = reader.open(object);
      try {
        if (isReadable(object, there)) {
          remove(there, range, lacking);
        }
      } finally {
        there.release();
      }
    } catch (CorruptException e) {
      LOG.warn("{}: damaged, proves nothing: {}", object.name(), e.getMessage());
    }
  }

  private static void remove(StoreSegment there, UlidRange range, Set<BatchInfo> lacking)
      throws IOException {
    Optional<BatchLists> lists = there.lists();
    if (lists.isEmpty()) {
      return;
    }
    for (BlockInfo block : there.blocks()) {
      if (block.range().overlaps(range)) {
        lists.get().of(block).forEach(lacking::remove);
      }
    }
  }

  private boolean isReadable(ColdObject object, StoreSegment there) throws IOException {
    if (tried.contains(object.name())) {
      return true;
    }
    try (var decoder = new BlockDecoder()) {
      if (there.read(there.blocks().getFirst(), decoder).damagedBatches() > 0) {
        return false;
      }
    }
    tried.add(object.name());
    return true;
  }
}
