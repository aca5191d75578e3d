package io.cordwood.dist.server;

import io.cordwood.common.run.Threads;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * Long-running parts of a process, run together: the first that ends, in whatever way, ends all.
 *
 * <p>Each part is a pair: {@code run}, which blocks until the part has ended, and {@code
 * interrupt}, which makes it end and may be called after it did. Parts are interrupted in the
 * reverse of the order in which they were added, one after the other, each only when the ones after
 * it have ended: add what others depend on first.
 *
 * <p>Parts that run by themselves once they are started are held by {@link #hold}. When the group
 * is closed without having run, as when a later part could not be started, they are closed. For one
 * thread.
 */
final class RunGroup implements AutoCloseable {
  private final List<Part> parts = new ArrayList<>();
  private final BlockingQueue<Part> ended = new LinkedBlockingQueue<>();

  /** An action that may fail. */
  @FunctionalInterface
  public interface Action {
    void run() throws Exception;
  }

  /** Adds a part that runs on a thread of its own, named as the part. */
  public void add(String name, Action run, Action interrupt) {
    parts.add(new Part(name, run, interrupt, ended));
  }

  /** Adds a part that is running already, and is ended by closing it. */
  public <T extends AutoCloseable> T hold(String name, T part) {
    parts.add(new Part(name, null, part::close, ended));
    return part;
  }

  /**
   * Runs all parts until one ends, then ends the others and waits for them.
   *
   * @throws Exception the first failure, with the others suppressed
   */
  public void run() throws Exception {
    parts.forEach(Part::start);
    Part first = ended.take();
    @Nullable Throwable failure = end(first.takeFailure());
    if (failure != null) {
      throw failure instanceof Exception e ? e : new IllegalStateException(first.name, failure);
    }
  }

  /** Ends the parts that are held; nothing if the group has run. */
  @Override
  public void close() throws IOException {
    @Nullable Throwable failure = end(null);
    if (failure != null) {
      throw failure instanceof IOException e ? e : new IOException("while ending", failure);
    }
  }

  private @Nullable Throwable end(@Nullable Throwable first) {
    @Nullable Throwable failure = first;
    for (Part part : parts.reversed()) {
      for (Throwable next : part.end()) {
        if (failure == null) {
          failure = next;
        } else {
          failure.addSuppressed(next);
        }
      }
    }
    parts.clear();
    return failure;
  }

  private static final class Part {
    private final String name;
    private final @Nullable Action run;
    private final Action interrupt;
    private final BlockingQueue<Part> ended;
    private @Nullable Thread thread;
    private volatile @Nullable Throwable failure;

    Part(String name, @Nullable Action run, Action interrupt, BlockingQueue<Part> ended) {
      this.name = name;
      this.run = run;
      this.interrupt = interrupt;
      this.ended = ended;
    }

    void start() {
      Action action = run;
      if (action != null) {
        thread = Thread.ofPlatform().name(name).start(() -> run(action));
      }
    }

    private void run(Action action) {
      try {
        action.run();
      } catch (Throwable e) {
        failure = e;
      } finally {
        ended.add(this);
      }
    }

    /** Interrupts it and waits for its end; what failed meanwhile. */
    List<Throwable> end() {
      List<Throwable> failures = new ArrayList<>();
      try {
        interrupt.run();
      } catch (Throwable e) {
        failures.add(e);
      }
      if (thread != null) {
        Threads.join(thread); // an orderly end is worth more than a quick one
      }
      Throwable own = takeFailure();
      if (own != null) {
        failures.add(own);
      }
      return failures;
    }

    /** The cause of its failure, told once. */
    @Nullable Throwable takeFailure() {
      Throwable taken = failure;
      failure = null;
      return taken;
    }
  }
}
