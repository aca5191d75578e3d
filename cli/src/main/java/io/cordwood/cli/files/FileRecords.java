package io.cordwood.cli.files;

import io.cordwood.cli.program.Failures;
import io.cordwood.cli.segment.SegmentReader;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.wire.CorruptException;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * The records of a file: lines, lines packed by gzip or zstd, or the records of a segment, told by
 * its first bytes. One thread.
 */
public final class FileRecords {
  /** In place of a file's name. */
  public static final String STANDARD_INPUT = "-";

  private static final int BUFFER_BYTES = 64 << 10;

  private final String name;
  private final byte delimiter;
  private final Consumer<String> complaints;

  /**
   * @param delimiter of lines; a segment says its own
   * @param complaints told what could not be read as it should be, while the rest was
   */
  public FileRecords(String name, byte delimiter, Consumer<String> complaints) {
    this.name = name;
    this.delimiter = delimiter;
    this.complaints = complaints;
  }

  /** Why a file cannot be read, and its name. */
  static String explain(String file, IOException e) {
    boolean isFolder = !file.equals(STANDARD_INPUT) && Files.isDirectory(Path.of(file));
    String reason = Failures.explain(e);
    return (reason.startsWith(file + ":") ? reason : file + ": " + reason)
        + (isFolder ? "; -r searches it" : "");
  }

  /** Gives all records to the sink, until it wants no more. */
  public void read(LineBlocks.Sink sink) throws IOException {
    if (name.equals(STANDARD_INPUT)) {
      readStream(System.in, sink);
      return;
    }
    Path path = Path.of(name);
    boolean isStream = !Files.isRegularFile(path) && !Files.isDirectory(path);
    if (isStream || !readSegment(path, sink)) {
      try (InputStream in = Files.newInputStream(path)) {
        readStream(in, sink);
      }
    }
  }

  private void readStream(InputStream in, LineBlocks.Sink sink) throws IOException {
    var buffered = new BufferedInputStream(in, BUFFER_BYTES);
    try (InputStream unpacked = LineInput.of(name, buffered, delimiter)) {
      readLines(unpacked, sink);
    }
  }

  private void readLines(InputStream in, LineBlocks.Sink sink) throws IOException {
    var lines = new LineBlocks(in, delimiter);
    lines.read(sink);
    if (lines.cutLines() > 0) {
      complaints.accept(
          "%s: expected lines of at most %d bytes, found %d times more, searched in parts"
              .formatted(name, LineBlocks.MAX_LINE_BYTES, lines.cutLines()));
    }
  }

  /** Whether it is one. */
  private boolean readSegment(Path path, LineBlocks.Sink sink) throws IOException {
    try (SegmentReader reader = SegmentReader.open(path)) {
      if (reader.kind() == SegmentReader.Kind.UNKNOWN) {
        return false;
      }
      reader.visit(new BatchRecords(sink));
      return true;
    }
  }

  private final class BatchRecords implements SegmentReader.Visitor {
    private final LineBlocks.Sink sink;
    private byte[] bytes = {};
    private boolean wanted = true;

    BatchRecords(LineBlocks.Sink sink) {
      this.sink = sink;
    }

    @Override
    public void batch(Batch batch) throws IOException {
      ByteBuffer payload = batch.payload();
      int length = payload.remaining();
      if (!wanted || length == 0) {
        return;
      }
      if (bytes.length < length) {
        bytes = new byte[length];
      }
      payload.get(payload.position(), bytes, 0, length);
      wanted = sink.take(bytes, 0, length, batch.delimiter().value());
    }

    @Override
    public void damage(CorruptException damage) {
      complaints.accept(name + ": " + damage.getMessage());
    }
  }
}
