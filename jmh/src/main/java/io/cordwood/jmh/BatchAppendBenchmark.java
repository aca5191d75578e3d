package io.cordwood.jmh;

import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.UlidStamper;
import io.cordwood.common.wire.Delimiter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What does it cost to make batches of raw lines and append them to a segment, by batch size?
 *
 * <p>One operation writes a new file of 16 MiB, an ingest segment: for each batch the lines are
 * counted, stamped and checksummed, and header and payload go out in one gathering write. Nothing
 * is forced. The rival writes the same payloads and does nothing else: the difference is what
 * identity and checksums cost. Files are made in {@code java.io.tmpdir}.
 *
 * <p>Command: {@code java -jar jmh/target/benchmarks.jar BatchAppend}
 *
 * <p>Answer (2 vCPUs AMD EPYC, Zen 3, JDK 25, 21 November 2026; the best of 20 iterations of 0.2 s,
 * since the machine was shared): 47 ms for batches of 4 KiB, 23 of 64 KiB, 19 of 256 KiB (0.87
 * GB/s), 21 of 1 MiB; the payloads alone 45, 30, 18 and 20. So the file system is what costs,
 * batches of 256 KiB are large enough, and identity and checksums are lost in the noise.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class BatchAppendBenchmark {
  private static final int SEGMENT_BYTES = 16 << 20;

  @Param({"4096", "65536", "262144", "1048576"})
  private int batchBytes;

  private final UlidStamper stamper = new UlidStamper(InstantSource.system());
  private ByteBuffer payload = ByteBuffer.allocate(0);
  private Path file = Path.of("");

  @Setup
  public void setUp() throws IOException {
    byte[] lines = Lines.ofBytes(batchBytes);
    payload = ByteBuffer.allocateDirect(lines.length).put(lines).flip();
    file = Files.createTempFile("cordwood-batch-append", ".tmp");
  }

  @TearDown
  public void deleteFile() throws IOException {
    Files.deleteIfExists(file);
  }

  @Benchmark
  public long batches() throws IOException {
    try (FileChannel segment = newFile()) {
      while (segment.position() < SEGMENT_BYTES) {
        int records = Delimiter.LF.countIn(payload);
        ByteBuffer header =
            Batch.head(Topic.DEFAULT, Delimiter.LF, stamper.stamp(records), records, payload);
        writeFully(segment, header, payload.duplicate());
      }
      return segment.position();
    }
  }

  @Benchmark
  public long payloadsOnly() throws IOException {
    try (FileChannel segment = newFile()) {
      while (segment.position() < SEGMENT_BYTES) {
        writeFully(segment, payload.duplicate());
      }
      return segment.position();
    }
  }

  private FileChannel newFile() throws IOException {
    return FileChannel.open(
        file,
        StandardOpenOption.WRITE,
        StandardOpenOption.CREATE,
        StandardOpenOption.TRUNCATE_EXISTING);
  }

  private static void writeFully(FileChannel file, ByteBuffer... buffers) throws IOException {
    while (buffers[buffers.length - 1].hasRemaining()) {
      file.write(buffers);
    }
  }
}
