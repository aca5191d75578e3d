package io.cordwood.jmh;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
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
 * How many acknowledgements a second do files of which kind give to writers that each wait for
 * theirs?
 *
 * <p>Each of {@code waiters} virtual threads commits {@code groupBytes} of lines, and again as soon
 * as they are durable; one operation is four such rounds of each. A committer thread for each file
 * writes and forces for all that wait for it. {@code groups} are acknowledgements a second, {@code
 * forces} forces a second.
 *
 * <p>Files grow to 16 MiB together and are then replaced. The batches are those of a node; the
 * files are plain ones with the same writes, since a node's are tied to its event loops. Made in
 * {@code java.io.tmpdir}: it should be on the disk that is asked about.
 *
 * <p>Command: {@code java -jar jmh/target/benchmarks.jar GroupCommit}
 *
 * <p>Answer (2 vCPUs AMD EPYC, a virtual disk, JDK 25, 21 November 2026): groups of 4 KiB a second
 * with 1, 8, 64 and 512 waiting: one file for all 3,170, 17,440, 64,005, 109,312; a file for each
 * loop 0.87, 0.66, 1.05, 1.38 of that; own files 0.97, 0.52, 0.23, 0.11; forcing each record 0.05,
 * 0.04, 0.02, 0.01. With 512 waiting one force serves 293 groups in one file for all, 139 in a file
 * for each loop, one in own files.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 1, time = 1)
@Measurement(iterations = 3, time = 1)
public class GroupCommitBenchmark {
  /** The threads that share a file. */
  public enum Sharing {
    /** All: one committer. */
    ALL,
    /** The connections of an event loop, of which there are two. */
    LOOP,
    /** None: a file and a committer for each. */
    NONE,
    /** None, and each record is forced, as OK Log does. */
    NONE_EACH_RECORD
  }

  private static final int ROUNDS = 4;
  private static final int LOOPS = 2;
  private static final int SMALLEST_FILE_BYTES = 64 << 10;

  @Param({"1", "8", "64", "512"})
  private int waiters;

  @Param private Sharing sharing = Sharing.ALL;

  @Param("EXTENDED")
  private FileKind kind = FileKind.EXTENDED;

  @Param("4096")
  private int groupBytes;

  private final List<Committer> committers = new ArrayList<>();
  private ByteBuffer group = ByteBuffer.allocate(0);
  private Path folder = Path.of("");

  /** The counters besides operations. */
  @State(Scope.Thread)
  @AuxCounters(AuxCounters.Type.OPERATIONS)
  public static class Counters {
    public long groups;
    public long forces;
    private long forcesBefore;

    @Setup(Level.Iteration)
    public void start(GroupCommitBenchmark benchmark) {
      groups = 0;
      forcesBefore = benchmark.forces();
    }

    @TearDown(Level.Iteration)
    public void end(GroupCommitBenchmark benchmark) {
      forces = benchmark.forces() - forcesBefore;
    }
  }

  @Setup
  public void setUp() throws IOException {
    group = Lines.directOfBytes(groupBytes);
    folder = Files.createTempDirectory("cordwood-group-commit");
    int files =
        switch (sharing) {
          case ALL -> 1;
          case LOOP -> LOOPS;
          case NONE, NONE_EACH_RECORD -> waiters;
        };
    int fileBytes = Math.max(SegmentFile.SEGMENT_BYTES / files, SMALLEST_FILE_BYTES);
    for (int i = 0; i < files; i++) {
      var file = new SegmentFile(folder, "segment" + i, kind, fileBytes);
      committers.add(new Committer(file, sharing == Sharing.NONE_EACH_RECORD));
    }
  }

  @TearDown
  public void deleteFiles() throws IOException {
    committers.forEach(Committer::close);
    committers.clear();
    Files.delete(folder);
  }

  private long forces() {
    return committers.stream().mapToLong(Committer::forces).sum();
  }

  @Benchmark
  public void commit(Counters counters) {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < waiters; i++) {
        Committer committer = committers.get(i % committers.size());
        threads.execute(() -> commitRounds(committer));
      }
    }
    counters.groups += (long) waiters * ROUNDS;
  }

  private void commitRounds(Committer committer) {
    for (int round = 0; round < ROUNDS; round++) {
      committer.commit(group);
    }
  }
}
