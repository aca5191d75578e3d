package io.cordwood.common.deletion;

import io.cordwood.common.run.RateLimitedLog;
import io.cordwood.common.run.Threads;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.LoggerFactory;

/**
 * Asks those nodes for their deletions that say that they know others than this one. For all
 * threads. Each node is asked on a thread of its own, once at a time; whoever looks waits for it a
 * moment, and is told if this node may lack something even so.
 */
public final class DeletionWatch {
  private static final RateLimitedLog LOG =
      new RateLimitedLog(LoggerFactory.getLogger(DeletionWatch.class), Duration.ofMinutes(1));

  /** A node that could not be asked is left alone for so long. */
  private static final Duration PAUSE = Duration.ofSeconds(10);

  /** A node that hangs keeps no query, and no start, waiting for longer, from when it is asked. */
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(2);

  private final DeletionExchange exchange;
  private final Supplier<Others> others;

  /** Nodes that are asked, whatever was heard of them. */
  private final Set<URI> due = ConcurrentHashMap.newKeySet();

  /** The sum that each node said when it was asked last. */
  private final Map<URI, Long> asked = new ConcurrentHashMap<>();

  /** By {@link System#nanoTime}, when each node could not be asked that is not asked again yet. */
  private final Map<URI, Long> failed = new ConcurrentHashMap<>();

  /** Those that are being asked. */
  private final Map<URI, Call> calls = new ConcurrentHashMap<>();

  private record Call(Thread thread, long startNanos) {
    void await() {
      long left = startNanos + LONGEST_WAIT.toNanos() - System.nanoTime();
      var _ = Threads.join(thread, Duration.ofNanos(left));
    }
  }

  /**
   * A node that tells the sum of the deletions that it knows.
   *
   * @param sum as it was heard last, perhaps seconds ago
   */
  public record Teller(URI node, long sum) {}

  /**
   * All that is seen of the others.
   *
   * @param tellers that know of deletions at all
   * @param isCutOff whether there are others, and this node sees none of them
   */
  public record Others(List<Teller> tellers, boolean isCutOff) {}

  /**
   * @param others without this node
   */
  public DeletionWatch(DeletionExchange exchange, Supplier<Others> others) {
    this.exchange = exchange;
    this.others = others;
  }

  /**
   * Asks all others, whatever was heard of them, since that may be older than what they know; for a
   * node that starts.
   */
  public void askAll() {
    others.get().tellers.forEach(it -> due.add(it.node));
    var _ = look();
  }

  /**
   * Looks once; waits for nothing if all that was heard is known.
   *
   * @return why something may be deleted of which this node does not know; empty if nothing says so
   */
  public Optional<String> look() {
    Others now = others.get();
    List<Teller> unknown = unknown(now.tellers);
    if (!unknown.isEmpty()) {
      ask(now.tellers, unknown);
      unknown = unknown(unknown);
    }
    return now.isCutOff
        ? Optional.of("this node sees no other, and does not know what is deleted meanwhile")
        : unknown.stream()
            .findFirst()
            .map(it -> "%s cannot be asked what is deleted".formatted(it.node));
  }

  private List<Teller> unknown(List<Teller> tellers) {
    return tellers.stream().filter(it -> !isKnown(it)).toList();
  }

  /** Whether all that a node said to know is known here, or this node has asked it since. */
  private boolean isKnown(Teller teller) {
    Deletions deletions = exchange.deletions();
    boolean isSame = teller.sum == deletions.known().sum() && !deletions.areLost();
    Long then = asked.get(teller.node);
    return !due.contains(teller.node) && (isSame || (then != null && then == teller.sum));
  }

  private void ask(List<Teller> all, List<Teller> unknown) {
    Set<URI> nodes = all.stream().map(Teller::node).collect(Collectors.toSet());
    List.of(due, asked.keySet(), failed.keySet()).forEach(it -> it.retainAll(nodes));
    List<Call> running = new ArrayList<>();
    for (Teller teller : unknown) {
      Long before = failed.get(teller.node);
      if (before == null || System.nanoTime() - before >= PAUSE.toNanos()) {
        running.add(calls.computeIfAbsent(teller.node, _ -> call(teller)));
      }
    }
    running.forEach(Call::await);
  }

  private Call call(Teller teller) {
    Thread thread = Thread.ofVirtual().name("deletion").start(() -> fetch(teller));
    return new Call(thread, System.nanoTime());
  }

  private void fetch(Teller teller) {
    try {
      exchange.fetch(teller.node);
      failed.remove(teller.node);
      asked.put(teller.node, teller.sum);
      due.remove(teller.node);
    } catch (IOException e) {
      failed.put(teller.node, System.nanoTime());
      LOG.warn("cannot be asked for deletions:", teller.node, e.toString());
    } finally {
      calls.remove(teller.node);
    }
  }
}
