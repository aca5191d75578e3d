package io.cordwood.jmh;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
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
 * What does a forced write cost in a file that grows, in one that was filled with zeros before, and
 * in one that is used again, by the size of what is forced?
 *
 * <p>One operation is one write of {@code batchBytes} and one force. A file ends at 16 MiB; making
 * the next one, with its zeros and the forcing of its folder, is part of the time. Files are made
 * in {@code java.io.tmpdir}: it should be on the disk that is asked about.
 *
 * <p>Command: {@code java -jar jmh/target/benchmarks.jar ForcedWrite}
 *
 * <p>Answer (2 vCPUs AMD EPYC, a virtual disk, JDK 25, 21 November 2026; one run): by 1 KiB, 64 KiB
 * and 1 MiB a forced write takes 161, 286 and 1,327 µs in a file that grows; 0.69, 0.72 and 1.20 of
 * that in one of zeros; 0.68, 0.50 and 0.38 in one that is used again.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 1, time = 1)
@Measurement(iterations = 3, time = 1)
public class ForcedWriteBenchmark {
  @Param({"1024", "16384", "65536", "262144", "1048576"})
  private int batchBytes;

  @Param private FileKind kind = FileKind.EXTENDED;

  private ByteBuffer batch = ByteBuffer.allocate(0);
  private Path folder = Path.of("");

  @SuppressWarnings("NullAway.Init") // By setUp.
  private SegmentFile file;

  @Setup
  public void setUp() throws IOException {
    batch = Lines.directOfBytes(batchBytes);
    folder = Files.createTempDirectory("cordwood-forced-write");
    file = new SegmentFile(folder, "segment", kind, SegmentFile.SEGMENT_BYTES);
  }

  @TearDown
  public void deleteFiles() throws IOException {
    file.close();
    Files.delete(folder);
  }

  @Benchmark
  public void writeAndForce() throws IOException {
    file.write(batch.duplicate());
    file.force();
  }
}
