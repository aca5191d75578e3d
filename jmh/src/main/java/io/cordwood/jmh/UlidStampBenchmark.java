package io.cordwood.jmh;

import com.github.f4b6a3.ulid.UlidCreator;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidStamper;
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
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What does a record's identity cost if the batch is stamped, not the record?
 *
 * <p>One operation gives a batch's records their ULIDs: one stamp, whatever their number. The rival
 * makes a monotonic ULID for each record by ulid-creator, as a store does that writes one before
 * each line. With one record a batch the two can be compared stamp by stamp.
 *
 * <p>Command: {@code java -jar jmh/target/benchmarks.jar UlidStamp}
 *
 * <p>Answer (2 vCPUs AMD EPYC, Zen 3, JDK 25, 21 November 2026; the best of 20 iterations of 0.2 s,
 * since the machine was shared): 40 to 48 ns a batch, which is the clock, whatever the number of
 * records: 0.1 ns a record of 460. One by one, ulid-creator takes 51 ns a record.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class UlidStampBenchmark {
  /** A record by itself; what a socket read of 64 KiB holds; the same of 256 KiB. */
  @Param({"1", "460", "1840"})
  private int records;

  private final UlidStamper stamper = new UlidStamper(InstantSource.system());

  @Benchmark
  public Ulid stampBatch() {
    return stamper.stamp(records);
  }

  @Benchmark
  public long ulidCreatorEachRecord() {
    long bits = 0;
    for (int i = 0; i < records; i++) {
      bits ^= UlidCreator.getMonotonicUlid().getLeastSignificantBits();
    }
    return bits;
  }
}
