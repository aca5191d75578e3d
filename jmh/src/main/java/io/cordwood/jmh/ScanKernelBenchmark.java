package io.cordwood.jmh;

import io.cordwood.query.match.Haystack;
import io.cordwood.query.match.Matcher;
import io.cordwood.query.match.Matchers;
import io.cordwood.query.match.PatternSpec;
import io.cordwood.query.match.Records;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Pattern;
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
 * How many bytes a nanosecond (that is GB/s) does one core search, for each kind of matcher, with
 * the Vector API, without it, and the plain way?
 *
 * <p>Workload: 64 blocks of 256 KiB of made-up log lines of about 120 bytes, in arrays or outside
 * the heap; every matching record is found. An operation is a byte.
 *
 * <p>A matcher takes the vector kernel if the JVM has the module for it: hence the two forks. The
 * rival makes a String of each line, and asks it or java.util.regex.
 *
 * <p>Command: {@code java -jar jmh/target/benchmarks.jar ScanKernel}
 *
 * <p>Answer (AMD EPYC, Zen 3, AVX2; thread CPU time over 256 MiB of real log lines in blocks of the
 * same size, since the machine was shared), with the Vector API and without: an absent literal 18
 * and 7 GB/s, ERROR 17 and 8.5, a literal in 3 % of the lines 19 and 8, error in any case 12 and 6,
 * a regular expression with a rare literal 11 to 17 and 6 to 7.7, with a choice of two literals 3.6
 * and 1.3, without a literal 1.1 (both). The rival's best iterations, on the same machine while it
 * was shared: 0.6 to 0.9 GB/s for literals, 0.01 for the choice of two. Outside the heap and in
 * arrays, with the Vector API, blocks in the processor's cache, on another day: an absent literal
 * 36 and 41, ERROR 29 and 25, error in any case 21 and 22.
 */
@State(Scope.Benchmark)
@SuppressWarnings("NullAway.Init") // JMH sets the fields before it calls
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class ScanKernelBenchmark {
  private static final int BLOCKS = 64;
  private static final int BLOCK_BYTES = 256 * 1024;
  private static final byte LF = '\n';
  private static final long SEED = 1;

  /** Kind and pattern: L literal, I literal in any case, R regular expression. */
  @Param({
    "L nosuchneedle42",
    "L ERROR",
    "L id=7",
    "I error",
    "R user (guest )?[a-z]+ failed",
    "R (WARN|ERROR).*9ms",
    "R [0-9]{3}\\.[a-f]+x"
  })
  private String pattern;

  private Matcher matcher;
  private Predicate<String> rival;
  private List<byte[]> blocks;
  private List<Haystack> blocksOffHeap;

  @Setup
  public void makeBlocks() {
    char kind = pattern.charAt(0);
    matcher = Matchers.compile(new PatternSpec(pattern.substring(2), kind == 'R', kind == 'I'));
    rival = rival(kind, pattern.substring(2));
    Random random = new Random(SEED);
    blocks = new ArrayList<>();
    blocksOffHeap = new ArrayList<>();
    for (int i = 0; i < BLOCKS; i++) {
      byte[] block = block(random);
      blocks.add(block);
      MemorySegment memory = Arena.global().allocate(BLOCK_BYTES);
      MemorySegment.copy(block, 0, memory, ValueLayout.JAVA_BYTE, 0, BLOCK_BYTES);
      blocksOffHeap.add(Haystack.of(memory, new byte[BLOCK_BYTES]));
    }
  }

  private static byte[] block(Random random) {
    StringBuilder text = new StringBuilder(BLOCK_BYTES);
    while (true) {
      int kind = random.nextInt(100);
      String level = kind == 0 ? "ERROR" : kind < 5 ? "WARN" : "INFO";
      String line =
          ("2024-05-01T12:%02d:%02d.%03dZ host-%d %s [worker-%d] request id=%d from 10.0.%d.%d"
                  + " took %dms, user %s\n")
              .formatted(
                  random.nextInt(60),
                  random.nextInt(60),
                  random.nextInt(1000),
                  random.nextInt(20),
                  level,
                  random.nextInt(8),
                  random.nextInt(1_000_000),
                  random.nextInt(256),
                  random.nextInt(256),
                  random.nextInt(500),
                  kind < 2 ? "guest bob failed" : "alice logged in");
      if (text.length() + line.length() > BLOCK_BYTES) {
        return text.append("\n".repeat(BLOCK_BYTES - text.length()))
            .toString()
            .getBytes(StandardCharsets.US_ASCII);
      }
      text.append(line);
    }
  }

  @Benchmark
  @OperationsPerInvocation(BLOCKS * BLOCK_BYTES)
  @Fork(value = 1, jvmArgsAppend = "--add-modules=jdk.incubator.vector")
  public long vectors() {
    return search();
  }

  @Benchmark
  @OperationsPerInvocation(BLOCKS * BLOCK_BYTES)
  @Fork(value = 1, jvmArgsAppend = "--add-modules=jdk.incubator.vector")
  public long offHeap() {
    long found = 0;
    for (Haystack block : blocksOffHeap) {
      found += search(block);
    }
    return found;
  }

  @Benchmark
  @OperationsPerInvocation(BLOCKS * BLOCK_BYTES)
  @Fork(1)
  public long plainJava() {
    return search();
  }

  @Benchmark
  @OperationsPerInvocation(BLOCKS * BLOCK_BYTES)
  @Fork(1)
  public long stringPerLine() {
    long found = 0;
    for (byte[] block : blocks) {
      for (int from = 0; from < BLOCK_BYTES; ) {
        int end = Records.endOf(block, from, BLOCK_BYTES, LF);
        String line = new String(block, from, end - from, StandardCharsets.ISO_8859_1);
        found += rival.test(line) ? 1 : 0;
        from = end + 1;
      }
    }
    return found;
  }

  private static Predicate<String> rival(char kind, String pattern) {
    return switch (kind) {
      case 'L' -> line -> line.contains(pattern);
      case 'I' -> Pattern.compile(Pattern.quote(pattern), Pattern.CASE_INSENSITIVE).asPredicate();
      default -> Pattern.compile(pattern).asPredicate();
    };
  }

  private long search() {
    long found = 0;
    for (byte[] block : blocks) {
      found += search(Haystack.of(block));
    }
    return found;
  }

  private long search(Haystack block) {
    long found = 0;
    int at = matcher.find(block, 0, BLOCK_BYTES, LF);
    while (at >= 0) {
      found++;
      int next = block.endOf(at, BLOCK_BYTES, LF) + 1;
      at = matcher.find(block, next, BLOCK_BYTES, LF);
    }
    return found;
  }
}
