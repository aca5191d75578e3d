package io.cordwood.common.segment;

import io.cordwood.common.file.ByteSource;
import io.cordwood.common.wire.CorruptException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds the intact blocks of a damaged store segment by walking its bytes, without its index, and
 * names what is damaged.
 */
public final class SegmentSalvage {
  private final List<BlockInfo> blocks;
  private final List<CorruptException> damage;
  private final Optional<SegmentDictionary> dictionary;

  private SegmentSalvage(Walk walk) {
    this.blocks = List.copyOf(walk.blocks);
    this.damage = List.copyOf(walk.damage);
    this.dictionary = walk.dictionary;
  }

  /** The intact blocks, in the order of the file. */
  public List<BlockInfo> blocks() {
    return blocks;
  }

  /**
   * Each stretch that is neither an intact block nor, in an intact file, header, dictionary,
   * filter, index, list or footer.
   */
  public List<CorruptException> damage() {
    return damage;
  }

  /** Reads a whole segment file and checks every byte of it. An intact segment has no damage. */
  public static SegmentSalvage scan(ByteSource source) throws IOException {
    var walk = new Walk(source);
    walk.run();
    return new SegmentSalvage(walk);
  }

  /** The intact blocks as a segment without filter; empty if there are none. */
  public <S extends ByteSource & Closeable> Optional<StoreSegment> segment(S file)
      throws IOException {
    return blocks.isEmpty()
        ? Optional.empty()
        : Optional.of(StoreSegment.of(file, blocks, dictionary));
  }

  private static final class Walk {
    private final ByteSource source;
    private final List<BlockInfo> blocks = new ArrayList<>();
    private final List<CorruptException> damage = new ArrayList<>();
    private Optional<SegmentDictionary> dictionary = Optional.empty();
    private Optional<BatchSection.Tables> list = Optional.empty();
    private boolean hasDictionary = true;

    Walk(ByteSource source) {
      this.source = source;
    }

    void run() throws IOException {
      long end = endOfBlocks();
      dictionary = findDictionary(end).map(SegmentDictionary::of);
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
        var index = ByteBuffer.allocate((int) footer.index().bytes());
        source.read(index, footer.index().offset());
        List<BlockInfo> listed = SegmentIndex.decode(index.flip(), footer.index().offset());
        hasDictionary = footer.dictionaryBytes() > 0;
        check(() -> SegmentCheck.checkFilter(source, footer));
        check(() -> {
          SegmentCheck.checkBatches(source, footer, listed);
          Optional<BatchSection> all = StoreSegment.readBatches(source, footer, listed);
          list = all.isPresent() ? Optional.of(all.get().tables(listed)) : Optional.empty();
        });
        return footer.filter().offset();
      } catch (CorruptException e) {
        damage.add(e);
        return source.size();
      }
    }

    /** Before the blocks, or after them, wherever that is. */
    private Optional<byte[]> findDictionary(long end) throws IOException {
      if (!hasDictionary || isOfVersion1(end)) {
        return Optional.empty();
      }
      long at = Math.min(StoreSegmentHeader.BYTES, end);
      while (at < end) {
        try {
          return Optional.of(SegmentDictionary.read(source, at));
        } catch (CorruptException e) {
          at = nextMagic(SegmentDictionary.MAGIC, at + 1, end);
        }
      }
      return Optional.empty();
    }

    private boolean isOfVersion1(long end) throws IOException {
      if (end < StoreSegmentHeader.BYTES) {
        return true;
      }
      var header = ByteBuffer.allocate(StoreSegmentHeader.BYTES);
      source.read(header, 0);
      try {
        return StoreSegmentHeader.check(header) == StoreSegmentHeader.VERSION_PLAIN;
      } catch (CorruptException e) {
        return false;
      }
    }

    private interface Check {
      void run() throws IOException;
    }

    private void check(Check what) throws IOException {
      try {
        what.run();
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
        return beyondNoBlock(decoder, at, end, e);
      }
    }

    private long beyondNoBlock(BlockDecoder decoder, long at, long end, CorruptException noBlock)
        throws IOException {
      CorruptException found = noBlock;
      if (nextMagic(SegmentDictionary.MAGIC, at, Math.min(end, at + BlockHeader.BYTES)) == at) {
        try {
          var _ = SegmentDictionary.read(source, at);
          return at + SegmentDictionary.fileBytes(source, at);
        } catch (CorruptException e) {
          found = e;
        }
      }
      long next = nextIntact(decoder, at + 1, end);
      if (next < end || damage.isEmpty()) {
        damage.add(found);
      }
      return next;
    }

    private long nextIntact(BlockDecoder decoder, long from, long end) throws IOException {
      int magic = BlockHeader.MAGIC;
      for (long at = nextMagic(magic, from, end); at < end; at = nextMagic(magic, at + 1, end)) {
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
      Block block = decoder.read(source, at, header.blockBytes(), dictionary);
      if (list.isPresent()) {
        BatchSection.Tables tables = list.get();
        check(() -> tables.check(block, at));
      }
      return new BlockInfo(
          blocks.size(),
          block.topic(),
          header.range(),
          at,
          header.blockBytes(),
          header.rawBytes(),
          header.batches(),
          header.records(),
          header.tableBytes());
    }

    private long nextMagic(int magic, long from, long end) throws IOException {
      var window = ByteBuffer.allocate(64 << 10);
      long at = from;
      while (at <= end - Integer.BYTES) {
        window.clear().limit((int) Math.min(window.capacity(), end - at));
        source.read(window, at);
        int last = window.limit() - Integer.BYTES;
        for (int i = 0; i <= last; i++) {
          if (window.getInt(i) == magic) {
            return at + i;
          }
        }
        at += last + 1;
      }
      return end;
    }
  }
}
