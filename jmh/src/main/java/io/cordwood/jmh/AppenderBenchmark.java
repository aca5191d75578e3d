package io.cordwood.jmh;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
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
import org.openjdk.jmh.infra.ThreadParams;

/**
 * For how long does an event that is logged hold its thread up, and what does it allocate, by where
 * it goes: to a node that is up, down or hung, or to a file, written at once or by the framework's
 * own asynchronous appender? How many events a second do several threads log?
 *
 * <p>One operation is one event with two parameters, about 100 bytes as text. In {@code paced},
 * events come at 50,000 a second from all threads together, since it is the single event that is
 * asked about; in {@code unpaced}, as fast as the threads can. The node is in the same process, and
 * its data in {@code java.io.tmpdir}. With the node down or hung, the memory is full after some
 * seconds; most events are dropped then. So are most of {@code unpaced} with the node up, while the
 * framework's asynchronous appenders make the threads wait.
 *
 * <p>Command, with 1, 8 and 64 for the number of threads: {@code java -jar
 * jmh/target/benchmarks.jar AppenderBenchmark -t 8 -prof gc}
 */
@State(Scope.Benchmark)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 2, time = 2)
@Measurement(iterations = 3, time = 2)
public class AppenderBenchmark {
  private static final long EVENTS_PER_SECOND = 50_000;

  /** Sleeping takes longer than asked for, by about so much. */
  private static final long PARK_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

  @Param private LoggingFramework framework = LoggingFramework.LOG4J2;
  @Param private LoggingTarget target = LoggingTarget.UP;

  @SuppressWarnings("NullAway.Init") // By setUp.
  private LoggingTarget.Opened opened;

  @SuppressWarnings("NullAway.Init") // By setUp.
  private LoggingFramework.Logs logs;

  /** The events of one thread, and when the next is due. */
  @State(Scope.Thread)
  public static class Events {
    private long periodNanos;
    private long nextNanos;
    private int number;

    @Setup
    public void setUp(ThreadParams threads) {
      periodNanos = TimeUnit.SECONDS.toNanos(threads.getThreadCount()) / EVENTS_PER_SECOND;
      nextNanos = System.nanoTime();
    }

    int next() {
      return number++;
    }
  }

  /** Waits, without taking the processor from others, until the next event is due. */
  @State(Scope.Thread)
  public static class Pace {
    @Setup(Level.Invocation)
    public void awaitNext(Events events) {
      long due =
          Math.max(events.nextNanos + events.periodNanos, System.nanoTime() - events.periodNanos);
      events.nextNanos = due;
      for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
        if (left > PARK_NANOS) {
          LockSupport.parkNanos(left - PARK_NANOS);
        } else {
          Thread.onSpinWait();
        }
      }
    }
  }

  @Setup
  public void setUp() throws IOException {
    opened = target.open();
    logs = framework.start(opened);
  }

  @TearDown
  public void close() throws IOException {
    logs.close();
    opened.close();
  }

  @Benchmark
  @BenchmarkMode(Mode.SampleTime)
  public void paced(Events events, Pace pace) {
    logs.log("GET", events.next());
  }

  @Benchmark
  @BenchmarkMode(Mode.Throughput)
  public void unpaced(Events events) {
    logs.log("GET", events.next());
  }
}
