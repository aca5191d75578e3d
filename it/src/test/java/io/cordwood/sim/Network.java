package io.cordwood.sim;

import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Calls between nodes: they take time, break off before or after the act, or are never answered.
 */
final class Network {
  private static final long REFUSED_NANOS = 1_000_000;

  private final Sim sim;
  private final SplittableRandom random;
  private final Faults faults;
  private final Set<Cut> cuts = new HashSet<>();
  private final Costs costs;

  private record Cut(int from, int to) {}

  Network(Sim sim, Faults faults, Costs costs) {
    this.sim = sim;
    this.random = sim.random.split();
    this.faults = faults;
    this.costs = costs;
  }

  void cut(SimNode from, SimNode to) {
    cuts.add(new Cut(from.number, to.number));
  }

  void join(SimNode from, SimNode to) {
    cuts.remove(new Cut(from.number, to.number));
  }

  /** Cuts nobody off any more. */
  void heal() {
    cuts.clear();
  }

  /** Whether somebody is cut off from somebody. */
  boolean isCut() {
    return !cuts.isEmpty();
  }

  boolean reaches(SimNode from, SimNode to) {
    return cuts.isEmpty() || !cuts.contains(new Cut(from.number, to.number));
  }

  /** What is done for a caller where it is called. */
  @FunctionalInterface
  interface Act<T> {
    T run() throws IOException;
  }

  /**
   * A call's way, from its beginning until it is answered or given up. It lasts as long as its
   * time-out, and keeps neither the answer nor who waits when it is over.
   */
  private static final class Call<T> {
    private @Nullable Runnable done;
    private @Nullable T answer;
    private @Nullable IOException failure;

    void end(@Nullable T value, @Nullable IOException why) {
      Runnable waiting = done;
      if (waiting != null) {
        done = null;
        answer = value;
        failure = why;
        waiting.run();
      }
    }

    void timeOut(SimNode callee) {
      if (done != null) {
        end(null, new IOException(callee + ": timed out"));
      }
    }

    T get() throws IOException {
      if (failure != null) {
        throw failure;
      }
      T value = answer;
      answer = null;
      if (value == null) {
        throw new IOException("no answer");
      }
      return value;
    }
  }

  /**
   * Calls another node, in a strand, and waits for the answer.
   *
   * @throws IOException if it failed there, or it is not known whether it was done
   */
  <T> T call(Costs.Kind kind, SimNode from, SimNode to, long timeoutNanos, Act<T> act)
      throws IOException {
    costs.count(kind);
    var call = new Call<T>();
    Sim.Strand strand = sim.current();
    strand.await(done -> {
      call.done = done;
      begin(call, from, to, timeoutNanos, act, strand.process());
    });
    return call.get();
  }

  private <T> void begin(
      Call<T> call, SimNode from, SimNode to, long timeoutNanos, Act<T> act, Sim.Life caller) {
    sim.after(timeoutNanos, caller, () -> call.timeOut(to));
    if (faults.happens(Faults.Kind.RESET)) {
      sim.after(delay(), caller, () -> call.end(null, new IOException(to + ": reset")));
      return;
    }
    if (!reaches(from, to)) {
      return;
    }
    Sim.Life callee = to.process();
    if (callee.isOver()) {
      var refused = new IOException(to + ": connection refused");
      sim.after(REFUSED_NANOS, caller, () -> call.end(null, refused));
      return;
    }
    sim.after(delay(), callee, () -> act(call, from, to, act, caller));
  }

  private <T> void act(Call<T> call, SimNode from, SimNode to, Act<T> act, Sim.Life caller) {
    @Nullable T answer = null;
    @Nullable IOException failure = null;
    try {
      answer = act.run();
    } catch (IOException e) {
      failure = e;
    }
    if (!reaches(to, from)) {
      return;
    }
    if (faults.happens(Faults.Kind.RESET)) {
      answer = null;
      failure = new IOException(to + ": reset after the act");
    }
    T said = answer;
    IOException why = failure;
    sim.after(delay(), caller, () -> call.end(said, why));
  }

  private long delay() {
    long usual = 100_000 + random.nextLong(2_000_000);
    return faults.happens(Faults.Kind.SLOW_CALL)
        ? usual + faults.random(Faults.Kind.SLOW_CALL).nextLong(30_000_000_000L)
        : usual;
  }
}
