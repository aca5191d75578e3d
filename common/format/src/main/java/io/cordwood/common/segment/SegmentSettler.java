package io.cordwood.common.segment;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * Writes a store segment anew in its settled form, in which it is kept for long: the same blocks
 * with the same filter, each compressed harder, and with a dictionary of the segment's own bytes.
 *
 * <pre>
 *   16      header
 *           dictionary   {@link SegmentDictionary}
 *           blocks       in the same order, with the same batches; {@link BlockHeader}
 *           dictionary   again
 *           filter       copied
 *           index        {@link SegmentIndex}
 *           list         {@link BatchSection}
 *   96      footer
 * </pre>
 *
 * <p>A block that would not be smaller is copied. Nothing is durable until the caller has forced
 * the file and its folder. Memory: two blocks, some MiB of the library's, and some 8 bytes a batch.
 * One thread.
 */
public final class SegmentSettler implements AutoCloseable {
  /** Most bytes of a filter that are copied at once. */
  private static final int COPIED_BYTES = 64 << 10;

  private final StoreSegment source;
  private final SegmentOutput output;
  private final BlockDecoder decoder = new BlockDecoder();
  private final Iterator<BlockInfo> next;
  private final List<BlockInfo> written = new ArrayList<>();
  private final BatchSectionWriter list = new BatchSectionWriter();
  private final DictionaryChoice choice;
  private ByteBuffer dictionary = ByteBuffer.allocate(0);

  /** A source that cannot be read, or is damaged; the cause says where. */
  public static final class SourceException extends IOException {
    private static final long serialVersionUID = 1;

    SourceException(IOException cause) {
      super(cause.getMessage(), cause);
    }
  }

  /** Something that is read of the source. */
  private interface Read<T> {
    T get() throws IOException;
  }

  /**
   * Begins the segment.
   *
   * @param source not settled; open for as long as this is used
   * @param target at its present end, which must be its start; stays the caller's
   * @throws SourceException if the source cannot be read
   */
  public SegmentSettler(StoreSegment source, WritableByteChannel target) throws IOException {
    this.source = source;
    this.output = new SegmentOutput(target);
    List<BlockInfo> all = read(source::blocks);
    this.next = all.iterator();
    this.choice = new DictionaryChoice(source, all, decoder);
  }

  private static <T> T read(Read<T> what) throws IOException {
    try {
      return what.get();
    } catch (IOException e) {
      throw new SourceException(e);
    }
  }

  /**
   * Reads a block to choose the dictionary, writes the next block, or what comes after the last.
   *
   * @return bytes of the block before compression; 0 when all is written
   * @throws SourceException if the source cannot be read
   */
  public int step() throws IOException {
    if (!choice.isMade()) {
      return read(choice::step);
    }
    if (output.offset() == 0) {
      dictionary = SegmentDictionary.encode(choice.chosen().dictionary());
      output.write(StoreSegmentHeader.encode(StoreSegmentHeader.VERSION));
      output.write(dictionary.duplicate());
    }
    if (!next.hasNext()) {
      finish();
      return 0;
    }
    BlockInfo info = next.next();
    Block block = read(() -> source.read(info, decoder));
    Optional<ByteBuffer> settled = choice.chosen().of(block, info);
    ByteBuffer bytes = settled.isPresent() ? settled.get() : read(() -> copy(info));
    written.add(info.at(output.offset(), bytes.remaining()).withTable(block.from()));
    read(() -> {
      list.add(block);
      return list;
    });
    output.write(bytes);
    return info.rawBytes();
  }

  private ByteBuffer copy(BlockInfo info) throws IOException {
    var bytes = ByteBuffer.allocate(info.storedBytes());
    source.source().read(bytes, info.offset());
    return bytes.flip();
  }

  private void finish() throws IOException {
    output.write(dictionary.duplicate());
    SegmentFooter was = read(() -> StoreSegment.readFooter(source.source()));
    long filterOffset = output.offset();
    copyFilter(was);
    output.finish(
        filterOffset,
        written,
        list,
        (index, filter) ->
            new SegmentFooter(
                index,
                filter,
                was.records(),
                was.payloadBytes(),
                was.range(),
                dictionary.limit(),
                StoreSegmentHeader.VERSION));
  }

  private void copyFilter(SegmentFooter was) throws IOException {
    read(() -> {
      SegmentCheck.checkFilter(source.source(), was);
      return was;
    });
    long end = was.filter().end();
    for (long at = was.filter().offset(); at < end; at += COPIED_BYTES) {
      long from = at;
      var bytes = ByteBuffer.allocate((int) Math.min(COPIED_BYTES, end - at));
      output.write(
          read(() -> {
            source.source().read(bytes, from);
            return bytes.flip();
          }));
    }
  }

  @Override
  public void close() {
    decoder.close();
    choice.close();
  }
}
