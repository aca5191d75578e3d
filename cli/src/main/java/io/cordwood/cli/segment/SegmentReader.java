package io.cordwood.cli.segment;

import io.cordwood.common.file.Filesystem;
import io.cordwood.common.file.ReadableFile;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.BlockDecoder;
import io.cordwood.common.segment.BlockInfo;
import io.cordwood.common.segment.IngestSegmentHeader;
import io.cordwood.common.segment.SegmentSalvage;
import io.cordwood.common.segment.StoreSegment;
import io.cordwood.common.wire.BatchScanner;
import io.cordwood.common.wire.CorruptException;
import io.cordwood.common.wire.IngestHeader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A segment file of either kind, told by its first bytes and read to its end over whatever damage
 * it has. One thread.
 */
public final class SegmentReader implements AutoCloseable {
  private final ReadableFile file;
  private final Kind kind;
  private int listBytes;

  /** Which format a file has. */
  public enum Kind {
    INGEST("ingest segment"),
    STORE("store segment"),
    UNKNOWN("no segment");

    private static final int STORE_MAGIC = 0xFD435753;

    private final String text;

    Kind(String text) {
      this.text = text;
    }

    private static Kind of(ReadableFile file) throws IOException {
      if (file.size() < Integer.BYTES) {
        return UNKNOWN;
      }
      ByteBuffer magic = ByteBuffer.allocate(Integer.BYTES);
      file.read(magic, 0);
      return of(magic.getInt(0));
    }

    /** By a file's first four bytes. */
    public static Kind of(int magic) {
      return switch (magic) {
        case IngestHeader.MAGIC -> INGEST;
        case STORE_MAGIC -> STORE;
        default -> UNKNOWN;
      };
    }

    @Override
    public String toString() {
      return text;
    }
  }

  /** Gets what is found, in the order of the file. */
  public interface Visitor {
    /** An intact batch; its payload is valid during the call. */
    void batch(Batch batch) throws IOException;

    /** Something that is not as it should be. */
    void damage(CorruptException damage) throws IOException;
  }

  private SegmentReader(ReadableFile file, Kind kind) {
    this.file = file;
    this.kind = kind;
  }

  /** Opens a file, whatever it holds; {@link #kind} says what that is. */
  public static SegmentReader open(Path path) throws IOException {
    if (Files.isDirectory(path)) {
      throw new IOException(path + ": expected a file, found a folder");
    }
    ReadableFile file = Filesystem.real().open(path);
    return new SegmentReader(file, Kind.of(file));
  }

  public Kind kind() {
    return kind;
  }

  long fileBytes() throws IOException {
    return file.size();
  }

  /** The blocks of a store segment, by its index, or those that are intact if that is damaged. */
  List<BlockInfo> blocks() throws IOException {
    if (kind != Kind.STORE) {
      return List.of();
    }
    try {
      return StoreSegment.open(file).blocks();
    } catch (CorruptException e) {
      return SegmentSalvage.scan(file).blocks();
    }
  }

  /** Bytes of the list of batches in a store segment that was visited; 0 if there is none. */
  int listBytes() {
    return listBytes;
  }

  /** Reads all batches; damage stops nothing. */
  public void visit(Visitor visitor) throws IOException {
    switch (kind) {
      case INGEST -> visitIngest(visitor);
      case STORE -> visitStore(visitor);
      case UNKNOWN ->
          visitor.damage(
              new CorruptException(
                  0, "expected a segment's magic FC435749 or FD435753, found none"));
    }
  }

  private void visitIngest(Visitor visitor) throws IOException {
    try {
      IngestSegmentHeader.read(file);
    } catch (CorruptException e) {
      visitor.damage(e);
    }
    BatchScanner scanner = IngestSegmentHeader.scan(file);
    boolean more = true;
    while (more) {
      switch (scanner.next()) {
        case BatchScanner.Intact intact -> visitor.batch(Batch.of(intact));
        case BatchScanner.Damage(_, _, CorruptException reason) -> visitor.damage(reason);
        case BatchScanner.End _ -> more = false;
      }
    }
  }

  private void visitStore(Visitor visitor) throws IOException {
    StoreSegment segment;
    try {
      segment = StoreSegment.open(file);
    } catch (CorruptException e) {
      visitSalvaged(visitor);
      return;
    }
    try {
      listBytes = segment.listBytes();
    } catch (CorruptException e) {
      visitor.damage(e);
    }
    visitBlocks(segment, visitor);
  }

  private void visitSalvaged(Visitor visitor) throws IOException {
    SegmentSalvage salvage = SegmentSalvage.scan(file);
    for (CorruptException damage : salvage.damage()) {
      visitor.damage(damage);
    }
    var segment = salvage.segment(file);
    if (segment.isPresent()) {
      visitBlocks(segment.get(), visitor);
    }
  }

  private static void visitBlocks(StoreSegment segment, Visitor visitor) throws IOException {
    try (BlockDecoder decoder = new BlockDecoder()) {
      for (BlockInfo block : segment.blocks()) {
        List<Batch> batches;
        try {
          batches = segment.read(block, decoder).toBatches();
        } catch (CorruptException e) {
          visitor.damage(e);
          continue;
        }
        for (Batch batch : batches) {
          visitor.batch(batch);
        }
      }
    }
  }

  /** Checks every byte, also those that hold no records. */
  List<CorruptException> verify() throws IOException {
    if (kind == Kind.STORE) {
      return SegmentSalvage.scan(file).damage();
    }
    List<CorruptException> found = new java.util.ArrayList<>();
    visit(
        new Visitor() {
          @Override
          public void batch(Batch batch) {
            // Intact: nothing to tell.
          }

          @Override
          public void damage(CorruptException damage) {
            found.add(damage);
          }
        });
    return found;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
