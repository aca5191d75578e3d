package io.cordwood.sim;

import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Virtual time: a queue of events, in the order of their times, those of one time in the order in
 * which they came. Code that blocks runs in a {@link Strand}, a thread that runs only while no
 * other does; so all that happens follows from the seed.
 *
 * <p>For the thread that runs it, and for the strands while they run.
 */
final class Sim implements InstantSource {
  /** Events of a node that a report shows. */
  private static final int SHOWN = 100;

  private static final int SECONDS_CHARS = 12;

  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private final PriorityQueue<Event> queue = new PriorityQueue<>();
  private final Semaphore turn = new Semaphore(0);
  private final Map<String, ArrayDeque<Note>> last = new TreeMap<>();
  private final Set<Strand> strands = new LinkedHashSet<>();
  private @Nullable Strand running;
  private boolean ended;
  private long nanos;
  private long events;
  private long notes;
  private long hash = 1;

  final SplittableRandom random;

  private record Note(long number, String line) {}

  private record Event(long at, long number, Life process, Runnable run)
      implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      return at == other.at ? Long.compare(number, other.number) : Long.compare(at, other.at);
    }
  }

  /** The life of a node from a start to its end; nothing of it happens after that. */
  static final class Life {
    private final String name;
    private boolean over;
    private long pausedUntil;

    Life(String name) {
      this.name = name;
    }

    boolean isOver() {
      return over;
    }

    /** As SIGKILL: strands stop where they are. */
    void kill() {
      over = true;
    }

    /** As SIGSTOP, and SIGCONT later. */
    void pauseUntil(long nanos) {
      pausedUntil = Math.max(pausedUntil, nanos);
    }

    long pausedUntil() {
      return pausedUntil;
    }

    @Override
    public String toString() {
      return name;
    }
  }

  Sim(long seed) {
    this.random = new SplittableRandom(seed);
  }

  long nanos() {
    return nanos;
  }

  @Override
  public Instant instant() {
    return at(nanos);
  }

  /** What a right clock says at a time of this one. */
  Instant at(long then) {
    return START.plusNanos(then);
  }

  /** Notes an event: it goes into the hash, and into the report of a run that fails. */
  void note(Object who, String what) {
    String name = who.toString();
    String line = seconds() + ' ' + name + ' ' + what;
    hash = hash * 0x100000001B3L ^ line.hashCode();
    int life = name.indexOf('/');
    var own =
        last.computeIfAbsent(life < 0 ? name : name.substring(0, life), _ -> new ArrayDeque<>());
    own.add(new Note(notes++, line));
    if (own.size() > SHOWN) {
      own.remove();
    }
  }

  /** As by {@code %12.6f}, which takes longer than most events. */
  private String seconds() {
    long micros = (nanos + 500) / 1_000;
    String digits = Long.toString(1_000_000 + micros % 1_000_000).substring(1);
    String text = micros / 1_000_000 + "." + digits;
    return " ".repeat(Math.max(0, SECONDS_CHARS - text.length())) + text;
  }

  long hash() {
    return hash;
  }

  long events() {
    return events;
  }

  /** The last events of nodes. */
  List<String> lastEvents(Predicate<String> node) {
    return last.entrySet().stream()
        .filter(entry -> node.test(entry.getKey()))
        .flatMap(entry -> entry.getValue().stream())
        .sorted(Comparator.comparingLong(Note::number))
        .map(Note::line)
        .toList();
  }

  void after(long delayNanos, Life process, Runnable run) {
    queue.add(new Event(nanos + Math.max(0, delayNanos), events++, process, run));
  }

  /** Does something again and again, the first time after a part of the period. */
  void every(long periodNanos, Life process, Runnable run) {
    after(random.nextLong(periodNanos), process, () -> repeat(periodNanos, process, run));
  }

  private void repeat(long periodNanos, Life process, Runnable run) {
    after(periodNanos, process, () -> repeat(periodNanos, process, run));
    run.run();
  }

  /** Runs all events before a moment. */
  void runUntil(long end) {
    while (!queue.isEmpty() && queue.peek().at <= end) {
      Event next = queue.remove();
      nanos = next.at;
      if (next.process.pausedUntil > nanos && !next.process.over) {
        queue.add(new Event(next.process.pausedUntil, next.number, next.process, next.run));
      } else if (!next.process.over) {
        try {
          next.run.run();
        } catch (Crash e) {
          // It is over; whoever else runs goes on.
        }
      }
    }
    nanos = end;
  }

  /** A process ends at this very point, as when its disk is the last thing that it touches. */
  static final class Crash extends Error {
    private static final long serialVersionUID = 1;
  }

  /** The strand that runs. */
  Strand current() {
    if (running == null) {
      throw new IllegalStateException("expected to be in a strand");
    }
    return running;
  }

  void start(String name, Life process, Body body) {
    var strand = new Strand(process);
    strand.thread =
        Thread.ofVirtual()
            .name(process + " " + name)
            .unstarted(() -> {
              strand.mine.acquireUninterruptibly();
              try {
                if (!ended) {
                  body.run();
                }
              } catch (Crash e) {
                // It is over.
              } catch (IOException | InterruptedException | RuntimeException | Error e) {
                strand.failure = new IllegalStateException(process + " " + name + " failed", e);
              } finally {
                strand.over = true;
                turn.release();
              }
            });
    strands.add(strand);
    strand.thread.start();
    after(0, process, strand::resume);
  }

  /** Ends all strands; nothing is to run after that. */
  void end() {
    ended = true;
    for (Strand strand : List.copyOf(strands)) {
      strand.mine.release();
      turn.acquireUninterruptibly();
    }
    strands.clear();
  }

  /** Blocking code. */
  @FunctionalInterface
  interface Body {
    void run() throws IOException, InterruptedException;
  }

  /** A thread of a process. When that ends, it is never resumed. */
  final class Strand {
    private final Semaphore mine = new Semaphore(0);
    private final Life process;
    private @Nullable Thread thread;
    private @Nullable IllegalStateException failure;
    private boolean over;

    private Strand(Life process) {
      this.process = process;
    }

    Life process() {
      return process;
    }

    private void resume() {
      Strand before = running;
      running = this;
      mine.release();
      turn.acquireUninterruptibly();
      running = before;
      if (over) {
        strands.remove(this);
      }
      if (failure != null) {
        throw failure;
      }
    }

    private void yieldTurn() {
      turn.release();
      mine.acquireUninterruptibly();
      if (ended) {
        throw new Crash();
      }
    }

    void sleep(long delayNanos) {
      after(delayNanos, process, this::resume);
      yieldTurn();
    }

    /**
     * Waits until something calls back.
     *
     * @param begin is given what to call, once
     */
    void await(Consumer<Runnable> begin) {
      boolean[] called = new boolean[1];
      begin.accept(() -> {
        if (!called[0]) {
          called[0] = true;
          after(0, process, this::resume);
        }
      });
      yieldTurn();
    }
  }
}
