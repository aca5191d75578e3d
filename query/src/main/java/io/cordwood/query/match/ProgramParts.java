package io.cordwood.query.match;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a record that a program matches. Working memory: a few integers an instruction and
 * one for each byte of the record.
 */
final class ProgramParts implements SubMatches {
  private final ReversedProgram program;
  private final AtomicReference<@Nullable ReversedRun> idleRun = new AtomicReference<>();

  ProgramParts(Program program) {
    this.program = new ReversedProgram(program);
  }

  @Override
  public int[] in(byte[] bytes, int from, int to) {
    ReversedRun run = run(bytes, from, to);
    int[] parts = new int[2];
    int size = 0;
    for (int at = from; at < to; at++) {
      int end = run.end(at - from);
      if (end > at && !Utf8.isInside(bytes, from, at)) {
        parts = size == parts.length ? Arrays.copyOf(parts, 2 * size) : parts;
        parts[size++] = at;
        parts[size++] = end;
        at = end - 1;
      }
    }
    idleRun.set(run);
    return Arrays.copyOf(parts, size);
  }

  /** Whether the program matches in the record, be it a part without a byte. */
  boolean matches(byte[] bytes, int from, int to) {
    ReversedRun run = run(bytes, from, to);
    boolean found = false;
    for (int at = from; at <= to && !found; at++) {
      found = run.end(at - from) >= 0 && (at == to || !Utf8.isInside(bytes, from, at));
    }
    idleRun.set(run);
    return found;
  }

  private ReversedRun run(byte[] bytes, int from, int to) {
    ReversedRun idle = idleRun.getAndSet(null);
    ReversedRun run = idle == null ? new ReversedRun(program) : idle;
    run.run(bytes, from, to);
    return run;
  }
}
