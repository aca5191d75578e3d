package io.cordwood.common.segment;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds the intact blocks of a damaged store segment by walking its bytes, without its index, and
 * names what is damaged.
 *
 * @param blocks the intact ones, in the order of the file
 * @param damage each stretch that is neither an intact block nor, in an intact file, header,
 *     filter, index or footer
 */
public record SegmentSalvage(List<BlockInfo> blocks, List<CorruptException> damage) {

  /** Reads a whole segment file and checks every byte of it. An intact segment has no damage. */
  public static SegmentSalvage scan(ByteSource source) throws IOException {
    var walk = new Walk(source);
    walk.run();
    return new SegmentSalvage(List.copyOf(walk.blocks), List.copyOf(walk.damage));
  }

  /** The intact blocks as a segment without filter; empty if there are none. */
  public <S extends ByteSource & Closeable> Optional<StoreSegment> segment(S file)
      throws IOException {
    return blocks.isEmpty() ? Optional.empty() : Optional.of(StoreSegment.of(file, blocks));
  }

  private static final class Walk {
    private final ByteSource source;
    private final List<BlockInfo> blocks = new ArrayList<>();
    private final List<CorruptException> damage = new ArrayList<>();

    Walk(ByteSource source) {
      this.source = source;
    }

    void run() throws IOException {
      long end = endOfBlocks();
      try (var decoder = new BlockDecoder()) {
        long at = Math.min(StoreSegmentHeader.BYTES, end);
        while (at < end) {
          at = step(decoder, at, end);
        }
      }
    }

    /** The end of the blocks; if the segment's own account of that is damaged, the file's end. */
    private long endOfBlocks() throws IOException {
      try {
        SegmentFooter footer = StoreSegment.readFooter(source);
        var index = ByteBuffer.allocate((int) footer.indexBytes());
        source.read(index, footer.indexOffset());
        SegmentIndex.decode(index.flip(), footer.indexOffset());
        checkFilter(footer);
        return footer.filterOffset();
      } catch (CorruptException e) {
        damage.add(e);
        return source.size();
      }
    }

    private void checkFilter(SegmentFooter footer) throws IOException {
      if (footer.filterBytes() == 0) {
        return;
      }
      try {
        int damaged =
            BlockFilter.open(source, footer.filterOffset(), footer.filterBytes()).damagedPages();
        if (damaged > 0) {
          throw new CorruptException(
              footer.filterOffset(),
              "expected a filter, found %d damaged pages".formatted(damaged));
        }
      } catch (CorruptException e) {
        damage.add(e);
      }
    }

    private long step(BlockDecoder decoder, long at, long end) throws IOException {
      try {
        BlockInfo info = intact(decoder, at, end);
        blocks.add(info);
        return at + info.storedBytes();
      } catch (CorruptException e) {
        long next = nextIntact(decoder, at + 1, end);
        if (next < end || damage.isEmpty()) {
          damage.add(e);
        }
        return next;
      }
    }

    private long nextIntact(BlockDecoder decoder, long from, long end) throws IOException {
      for (long at = nextMagic(from, end); at < end; at = nextMagic(at + 1, end)) {
        try {
          intact(decoder, at, end);
          return at;
        } catch (CorruptException e) {
          // A magic inside of the damage: go on after it.
        }
      }
      return end;
    }

    private BlockInfo intact(BlockDecoder decoder, long at, long end) throws IOException {
      if (end - at < BlockHeader.BYTES) {
        throw new CorruptException(at, "expected a block, found " + (end - at) + " bytes");
      }
      var head = ByteBuffer.allocate((int) Math.min(BlockHeader.BYTES, end - at));
      source.read(head, at);
      BlockHeader header = BlockHeader.parse(head, 0, at);
      if (at + header.blockBytes() > end) {
        throw new CorruptException(
            at, "expected a block of %d bytes before %d".formatted(header.blockBytes(), end));
      }
      Block block = decoder.read(source, at, header.blockBytes());
      return new BlockInfo(
          blocks.size(),
          block.topic(),
          header.range(),
          at,
          header.blockBytes(),
          header.rawBytes(),
          header.batches(),
          header.records());
    }

    private long nextMagic(long from, long end) throws IOException {
      var window = ByteBuffer.allocate(64 << 10);
      long at = from;
      while (at <= end - BlockHeader.BYTES) {
        window.clear().limit((int) Math.min(window.capacity(), end - at));
        source.read(window, at);
        int last = window.limit() - Integer.BYTES;
        for (int i = 0; i <= last; i++) {
          if (window.getInt(i) == BlockHeader.MAGIC) {
            return at + i;
          }
        }
        at += last + 1;
      }
      return end;
    }
  }
}
