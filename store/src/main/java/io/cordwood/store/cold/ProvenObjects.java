package io.cordwood.store.cold;

import io.cordwood.common.bucket.BucketException;
import io.cordwood.common.cold.BucketPlace;
import io.cordwood.common.cold.ColdCatalogue;
import io.cordwood.common.cold.ColdName;
import io.cordwood.common.cold.ColdObject;
import io.cordwood.common.cold.ColdReader;
import io.cordwood.common.run.LastUsed;
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
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares segments with the objects of a bucket, batch by batch. Of each object one block is read
 * before it counts: so its dictionary is right, and it is not in an archive. A segment that is not
 * all there is compared again once there are other objects. Some 100 bytes of memory for each batch
 * of a segment. One thread.
 */
public final class ProvenObjects implements BucketCopies {
  private static final Logger LOG = LoggerFactory.getLogger(ProvenObjects.class);

  /** Those before are found out again. */
  private static final int MOST_KNOWN = 10_000;

  private final ColdReader reader;
  private final Map<ColdName, Boolean> tried = new LastUsed<>(MOST_KNOWN);
  private final Map<Compared, Objects> unproven = new LastUsed<>(MOST_KNOWN);

  /** The place with which the last segment was compared. */
  private Optional<BucketPlace> listed = Optional.empty();

  /** A segment: compaction changes at least one of these. */
  private record Compared(UlidRange range, long records, long fileBytes, int blocks) {
    static Compared of(StoreSegment segment, int blocks) {
      return new Compared(segment.range(), segment.records(), segment.fileBytes(), blocks);
    }
  }

  /** The objects that a segment was compared with, by the sum of their hashes. */
  private record Objects(int number, long sum) {
    private static final int DIGITS = 16;

    static Objects of(List<ColdObject> objects) {
      long sum =
          objects.stream()
              .mapToLong(it -> Long.parseUnsignedLong(it.name().hash(), 0, DIGITS, 16))
              .sum();
      return new Objects(objects.size(), sum);
    }
  }

  public ProvenObjects(ColdReader reader) {
    this.reader = reader;
  }

  @Override
  public boolean haveAllOf(StoreSegment segment, Predicate<BlockInfo> wanted) throws IOException {
    Optional<BatchLists> lists = segment.lists();
    if (lists.isEmpty()) {
      return false; // Of an older version, until it is compacted or settled.
    }
    ColdCatalogue.Found found = reader.catalogue().proven(segment.range());
    listed = found.place();
    List<ColdObject> objects = found.objects();
    Objects known = Objects.of(objects);
    List<BlockInfo> blocks = segment.blocks().stream().filter(wanted).toList();
    Compared compared = Compared.of(segment, blocks.size());
    if (known.equals(unproven.get(compared))) {
      return false;
    }
    Set<BatchInfo> lacking = new HashSet<>();
    for (BlockInfo block : blocks) {
      lacking.addAll(lists.get().of(block));
    }
    boolean intact = true;
    for (ColdObject object : objects) {
      if (lacking.isEmpty()) {
        break;
      }
      intact &= remove(object, segment.range(), lacking);
    }
    if (!lacking.isEmpty() && intact) {
      unproven.put(compared, known);
    }
    return lacking.isEmpty();
  }

  @Override
  public Optional<BucketPlace> place() throws IOException {
    return reader.marked().filter(it -> listed.equals(Optional.of(it)));
  }

  /** Whether the object is intact. */
  private boolean remove(ColdObject object, UlidRange range, Set<BatchInfo> lacking)
      throws IOException {
    try {
      StoreSegment there = reader.open(object);
      try {
        boolean readable = isReadable(object, there);
        if (readable) {
          remove(there, range, lacking);
        }
        return readable;
      } finally {
        there.release();
      }
    } catch (CorruptException e) {
      reader.forget(object);
      LOG.warn("{}: damaged, proves nothing: {}", object.name(), e.getMessage());
      return false;
    } catch (BucketException e) {
      e.throwUnlessOfOneObject();
      LOG.warn("{}: proves nothing: {}", object.name(), e.getMessage());
      return false;
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
    if (tried.containsKey(object.name())) {
      return true;
    }
    try (var decoder = new BlockDecoder()) {
      if (there.read(there.blocks().getFirst(), decoder).damagedBatches() > 0) {
        return false;
      }
    }
    tried.put(object.name(), true);
    return true;
  }
}
