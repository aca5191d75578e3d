package io.cordwood.jmh;

import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.BatchMerge;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.wire.Delimiter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Is merging ever the bottleneck when segments are consumed or compacted?
 *
 * <p>One operation is one batch merged out of k streams in memory. Of 64 KiB a batch, 1 GB has
 * 15,000 of them; the rival is zstd level 1, which takes some 150 µs for a batch's payload. Batches
 * are dealt to the streams one by one, the worst case, or in runs of neighbours, as segments of
 * different times give.
 *
 * <p>Command: {@code java -jar jmh/target/benchmarks.jar BatchMerge}
 *
 * <p>Answer (2 vCPUs AMD EPYC, Zen 3, JDK 25, 21 November 2026; the best of 20 iterations of 0.2 s,
 * since the machine was shared): 29, 79 and 147 ns for 2, 8 and 64 streams one by one; 22, 48 and
 * 83 ns in runs. A GB takes 2 ms at worst: merging batches is never the bottleneck.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class BatchMergeBenchmark {
  private static final int BATCHES = 16_384;
  private static final int RECORDS_A_BATCH = 460;

  @Param({"2", "8", "64"})
  private int streams;

  /** Neighbouring batches that are in the same stream. */
  @Param({"1", "100"})
  private int run;

  private List<List<Batch>> dealt = List.of();
  private long mergedRecords;

  @Setup
  public void deal() {
    var random = new Random(1);
    ByteBuffer payload = ByteBuffer.allocate(1);
    dealt = new ArrayList<>();
    for (int i = 0; i < streams; i++) {
      dealt.add(new ArrayList<>());
    }
    List<Batch> stream = dealt.getFirst();
    for (int i = 0; i < BATCHES; i++) {
      if (i % run == 0) {
        stream = dealt.get(random.nextInt(streams));
      }
      var first = new Ulid((1_700_000_000_000L + i) << 16, random.nextLong());
      stream.add(new Batch(Topic.DEFAULT, Delimiter.LF, first, RECORDS_A_BATCH, payload));
    }
    dealt.forEach(each -> each.sort(Comparator.comparing(Batch::first)));
  }

  @Benchmark
  @OperationsPerInvocation(BATCHES)
  public long merge() throws IOException {
    List<BatchMerge.Stream> sources = new ArrayList<>();
    for (List<Batch> stream : dealt) {
      var batches = stream.iterator();
      sources.add(() -> batches.hasNext() ? batches.next() : null);
    }
    new BatchMerge(sources).run(batch -> mergedRecords += batch.records());
    return mergedRecords;
  }
}
