package io.cordwood.jmh;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
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
 * For how long does an event that is logged hold its thread up, and what does it allocate, by where
 * it goes: to a node that is up, down or hung, or to a file, written at once or by the framework's
 * own asynchronous appender?
 *
 * <p>One operation is one event with two parameters, about 100 bytes as text. Events come at 50,000
 * a second from one thread, since it is the single event that is asked about. The node is in the
 * same process, and its data in {@code java.io.tmpdir}. With the node down or hung, the memory is
 * full after some seconds; most events are dropped then.
 *
 * <p>Command: {@code java -jar jmh/target/benchmarks.jar AppenderBenchmark -prof gc}
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 2, time = 2)
@Measurement(iterations = 3, time = 2)
public class AppenderBenchmark {
  private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1) / 50_000;

  @Param private LoggingFramework framework = LoggingFramework.LOG4J2;
  @Param private LoggingTarget target = LoggingTarget.UP;

  @SuppressWarnings("NullAway.Init") // By setUp.
  private LoggingTarget.Opened opened;

  @SuppressWarnings("NullAway.Init") // By setUp.
  private LoggingFramework.Logs logs;

  private long nextNanos = System.nanoTime();
  private int number;

  @Setup
  public void setUp() throws IOException {
    opened = target.open();
    logs = framework.start(opened);
  }

  @Setup(Level.Invocation)
  public void awaitNext() {
    nextNanos = Math.max(nextNanos + PERIOD_NANOS, System.nanoTime() - PERIOD_NANOS);
    while (System.nanoTime() < nextNanos) {
      Thread.onSpinWait();
    }
  }

  @TearDown
  public void close() throws IOException {
    logs.close();
    opened.close();
  }

  @Benchmark
  public void log() {
    logs.log("GET", number++);
  }
}
