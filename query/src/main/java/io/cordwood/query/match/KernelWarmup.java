package io.cordwood.query.match;

import io.cordwood.common.run.Jvm;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the search loops on made-up records until the JIT compiler has seen enough of them. Without
 * it a server's first queries are many times slower than its later ones: the Vector API is slow
 * before it is compiled. Takes the calling thread until then, a second or so.
 */
public final class KernelWarmup {
  private static final Logger LOG = LoggerFactory.getLogger(KernelWarmup.class);

  /** Few: the costly compiler takes a whole method after a number of calls of it, however short. */
  private static final int BLOCK_BYTES = 8 * 1024;

  private static final int MARKED_BYTES = 1024;

  /** More than it takes, since code is compiled while it runs on. */
  private static final int ROUNDS = 4000;

  private static final byte LF = '\n';

  private static final List<PatternSpec> PATTERNS =
      List.of(
          PatternSpec.literal("nothing-like-it"),
          PatternSpec.literal("number 77 "),
          new PatternSpec("ERROR", false, true),
          PatternSpec.regex("number [0-9]+7 "),
          PatternSpec.regex("[0-9]{3}\\.[a-f]+x"));

  private static final AtomicBoolean BEGUN = new AtomicBoolean();

  private KernelWarmup() {}

  /**
   * Does it, unless somebody in this process has begun before: all share what is compiled.
   *
   * @param bound after which it ends if the compilers take so long
   */
  public static void runOnce(Duration bound) {
    if (Jvm.optimizes() && BEGUN.compareAndSet(false, true)) {
      if (Kernels.BEST instanceof SwarKernel) {
        LOG.info(
            "the JVM has no Vector API for this process: some searches take three times as long");
      }
      long _ = run(bound);
    }
  }

  /**
   * Returns how many records were found.
   *
   * @param bound after which it ends if the compilers take so long, but not within the first round
   */
  static long run(Duration bound) {
    long end = System.nanoTime() + bound.toNanos();
    byte[] block = block();
    Haystack heap = Haystack.of(block);
    Haystack offHeap = offHeap(block);
    List<Matcher> matchers = PATTERNS.stream().map(Matchers::compile).toList();
    long found = 0;
    for (int i = 0; i == 0 || (i < ROUNDS && System.nanoTime() - end < 0); i++) {
      for (Matcher matcher : matchers) {
        found += countMatches(matcher, heap, block.length);
        found += countMatches(matcher, offHeap, block.length);
      }
      found += Records.count(block, 0, block.length, LF) & 1;
      mark(block);
    }
    return found;
  }

  private static void mark(byte[] block) {
    var marker = new ByteMarker(new ByteMarks());
    for (int at = 0; at < MARKED_BYTES; at += ByteMarks.BYTES) {
      var _ = marker.mark(block, at, block.length);
    }
  }

  private static Haystack offHeap(byte[] block) {
    // Loads the class of segments on the heap, too: to load it later would void what is compiled.
    MemorySegment memory =
        Arena.ofAuto().allocate(block.length).copyFrom(MemorySegment.ofArray(block));
    return Haystack.of(memory, new byte[block.length]);
  }

  private static int countMatches(Matcher matcher, Haystack block, int length) {
    int count = 0;
    int from = 0;
    int at = matcher.find(block, from, length, LF);
    while (at >= 0) {
      count++;
      from = block.endOf(at, length, LF) + 1;
      at = matcher.find(block, from, length, LF);
    }
    return count;
  }

  private static byte[] block() {
    StringBuilder text = new StringBuilder(BLOCK_BYTES + 256);
    for (int i = 0; text.length() < BLOCK_BYTES; i++) {
      String level = i % 50 == 0 ? "Error" : "info";
      text.append("2024-05-01T12:00:00.").append(i % 1000).append("Z ").append(level);
      text.append(" [worker-").append(i % 7).append("] request number ").append(i).append(" took ");
      text.append(i % 977).append(".5 ms for /api/v1/items/").append(i * 31).append('\n');
    }
    return text.toString().getBytes(StandardCharsets.US_ASCII);
  }
}
