package io.cordwood.jmh;

import io.cordwood.query.logql.Logql;
import io.cordwood.query.logql.Selected;
import io.cordwood.query.match.CaptureRun;
import io.cordwood.query.match.Captures;
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
 * Captures between literals, found as such and by the program of their expression, in a thousand
 * lines of about 150 bytes.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 1, jvmArgsAppend = "--add-modules=jdk.incubator.vector")
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class CaptureBenchmark {
  private static final int LINES = 1000;

  /** Makes an expression one that is not told to be of literals. */
  private static final String OPAQUE = "(?:|)";

  @Param({"PATTERN", "REGEXP"})
  Stage stage = Stage.PATTERN;

  @Param({"LITERALS", "PROGRAM"})
  Way way = Way.LITERALS;

  private byte[] lines = {};
  private final int[] ends = new int[LINES];
  private CaptureRun run = new CaptureRun(Captures.of("(?<none>)"));

  /** Stages of LogQL. */
  public enum Stage {
    PATTERN("pattern `<_> [<thread>] <_> took <dur>, <bytes> bytes<_>`"),
    REGEXP("regexp `took (?P<dur>\\d+)ms, (?P<bytes>\\d+) bytes`");

    private final String text;

    Stage(String text) {
      this.text = text;
    }
  }

  /** How they are found. */
  public enum Way {
    LITERALS,
    PROGRAM
  }

  @Setup
  public void prepare() {
    lines = FieldLines.of("spring").next();
    int line = 0;
    for (int i = 0; i < lines.length; i++) {
      if (lines[i] == '\n') {
        ends[line++] = i;
      }
    }
    var selected = Selected.of(Logql.logs("{} | " + stage.text));
    String regex = selected.changes().parts().extract().texts().getFirst();
    run = new CaptureRun(Captures.of(way == Way.LITERALS ? regex : OPAQUE + regex));
  }

  @Benchmark
  @OperationsPerInvocation(LINES)
  public int find() {
    int found = 0;
    int from = 0;
    for (int end : ends) {
      found += run.find(lines, from, end) ? run.end(0) : 0;
      from = end + 1;
    }
    return found;
  }
}
