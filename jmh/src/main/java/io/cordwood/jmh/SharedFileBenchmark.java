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
 * Should bytes that are forced at once and bytes that are not share a file? The question of
 * CockroachDB's study of a storage engine for the Raft log alone, asked of our files.
 *
 * <p>One operation writes one batch that is not forced and one of the same size that is. In a
 * {@code shared} file each force takes the other batch along. In {@code own} files the unforced
 * ones are forced too, as a node does in fast mode: by another thread, a segment of 16 MiB at a
 * time, and the writer waits if that thread is late by a segment. So both bring all bytes to the
 * disk. Files grow; they are made in {@code java.io.tmpdir}.
 *
 * <p>Command: {@code java -jar jmh/target/benchmarks.jar SharedFile}
 *
 * <p>Answer (2 vCPUs AMD EPYC, a virtual disk, JDK 25, 21 November 2026; one run): both writes take
 * 168 µs in one file and 178 µs in two by 1 KiB, 426 and 332 by 64 KiB, 2,455 and 2,418 by 1 MiB;
 * on a busy machine three runs agreed on no difference. What decided for files of their own is
 * latency under a load that is not forced, which {@code bench/durability} measures.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 1, time = 1)
@Measurement(iterations = 3, time = 1)
public class SharedFileBenchmark {
  @Param({"1024", "4096", "16384", "65536", "262144", "1048576"})
  private int batchBytes;

  private ByteBuffer batch = ByteBuffer.allocate(0);
  private Path folder = Path.of("");

  @SuppressWarnings("NullAway.Init") // By setUp.
  private SegmentFile forced;

  @SuppressWarnings("NullAway.Init") // By setUp.
  private LateForcedFile unforced;

  @Setup
  public void setUp() throws IOException {
    batch = Lines.directOfBytes(batchBytes);
    folder = Files.createTempDirectory("cordwood-shared-file");
    forced = new SegmentFile(folder, "forced", FileKind.EXTENDED, SegmentFile.SEGMENT_BYTES);
    unforced = new LateForcedFile(folder);
  }

  @TearDown
  public void deleteFiles() throws IOException {
    unforced.close();
    forced.close();
    Files.delete(folder);
  }

  @Benchmark
  public void own() throws IOException {
    unforced.write(batch.duplicate());
    forced.write(batch.duplicate());
    forced.force();
  }

  @Benchmark
  public void shared() throws IOException {
    forced.write(batch.duplicate());
    forced.write(batch.duplicate());
    forced.force();
  }
}
