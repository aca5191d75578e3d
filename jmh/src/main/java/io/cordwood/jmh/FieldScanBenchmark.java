package io.cordwood.jmh;

import io.cordwood.query.fields.Where;
import io.cordwood.query.fields.WhereMatchers;
import io.cordwood.query.match.Matcher;
import io.cordwood.query.match.PatternSpec;
import io.cordwood.query.match.Records;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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
 * How many megabytes a second does one core search for conditions on fields?
 *
 * <p>Workload: lines of {@link FieldLines} in blocks of some 400 KB; every matching record is
 * found. An operation is a megabyte, roughly. The first question is the rival: no fields, but the
 * text of the second one.
 *
 * <p>Command: {@code java -jar jmh/target/benchmarks.jar FieldScan}
 *
 * <p>Answer (AMD EPYC, thread CPU time of the best of 40 passes, since the machine was shared; JSON
 * and logfmt, in GB/s): the text 34 and 41, as a condition 14 and 12, status>=500 1.4 and 1.5,
 * dur>1.9s, whose numbers have units, 0.7 and 0.7. With GET, in a third of the lines, the condition
 * level=fatal takes as long as alone: 41 and 32 beside 40 and 31; 10 and 9 if fields were looked
 * for in each line with GET.
 */
@State(Scope.Benchmark)
@SuppressWarnings("NullAway.Init") // JMH sets the fields before it calls
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 1, jvmArgsAppend = "--add-modules=jdk.incubator.vector")
public class FieldScanBenchmark {
  private static final int MEGABYTES = 4;
  private static final byte LF = '\n';

  @Param({"json", "logfmt", "spring"})
  private String form;

  @Param({"fatal", "level=fatal", "level=error", "GET level=fatal", "status>=500", "dur>1.9s"})
  private String question;

  private Matcher matcher;
  private List<byte[]> blocks;

  @Setup
  public void makeBlocks() {
    Map<Boolean, List<String>> words =
        Stream.of(question.split(" ", -1))
            .collect(Collectors.partitioningBy(word -> word.contains("=") || word.contains(">")));
    String pattern = String.join("", words.getOrDefault(false, List.of()));
    Where where = Where.parse(words.getOrDefault(true, List.of()));
    matcher = WhereMatchers.compile(PatternSpec.literal(pattern), false, where);
    FieldLines lines = FieldLines.of(form);
    blocks = new ArrayList<>();
    for (long bytes = 0; bytes < MEGABYTES * 1_000_000L; bytes += blocks.getLast().length) {
      blocks.add(lines.next());
    }
  }

  @Benchmark
  @OperationsPerInvocation(MEGABYTES)
  public long search() {
    long found = 0;
    for (byte[] block : blocks) {
      int at = 0;
      while (at < block.length) {
        int hit = matcher.find(block, at, block.length, LF);
        if (hit < 0) {
          break;
        }
        found++;
        at = Records.endOf(block, hit, block.length, LF) + 1;
      }
    }
    return found;
  }
}
