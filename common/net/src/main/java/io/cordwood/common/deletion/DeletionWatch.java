package io.cordwood.common.deletion;

import io.cordwood.common.run.RateLimitedLog;
import io.cordwood.common.run.Threads;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.LoggerFactory;

/**
 * Asks those nodes for their deletions that say that they know others than this one. For all
 * threads; one of them asks.
 */
public final class DeletionWatch {
  private static final RateLimitedLog LOG =
      new RateLimitedLog(LoggerFactory.getLogger(DeletionWatch.class), Duration.ofMinutes(1));

  /** A node that cannot be asked keeps no query waiting again so soon. */
  private static final Duration PAUSE = Duration.ofSeconds(10);

  private final DeletionExchange exchange;
  private final Supplier<List<Teller>> others;

  /** The sum that each node said, and this one had, when it was asked last. */
  private final Map<URI, Sums> asked = new ConcurrentHashMap<>();

  /** By {@link System#nanoTime}, when each node could not be asked that is not asked again yet. */
  private final Map<URI, Long> failed = new HashMap<>();

  private record Sums(long told, long own) {}

  /**
   * A node that tells the sum of the deletions that it knows.
   *
   * @param sum as it was heard last, perhaps seconds ago
   */
  public record Teller(URI node, long sum) {}

  /**
   * @param others that know of deletions at all, without this node
   */
  public DeletionWatch(DeletionExchange exchange, Supplier<List<Teller>> others) {
    this.exchange = exchange;
    this.others = others;
  }

  /**
   * Asks all others, whatever was heard of them, since that may be older than what they know; for a
   * node that starts. Waits for their answers.
   */
  public void askAll() {
    List<Thread> calls = new ArrayList<>();
    for (Teller teller : others.get()) {
      calls.add(Thread.ofVirtual().name("deletion").start(() -> fetch(teller.node)));
    }
    calls.forEach(Threads::join);
  }

  private void fetch(URI node) {
    try {
      exchange.fetch(node);
    } catch (IOException e) {
      LOG.warn("cannot be asked for deletions:", node, e.toString());
    }
  }

  /**
   * Looks once; waits for those that are asked, and for nothing if all that was heard is known.
   *
   * @return whether all that is known elsewhere is known here, as far as was heard
   */
  public boolean look() {
    List<Teller> tellers = others.get();
    return tellers.stream().allMatch(this::isKnown) || ask(tellers);
  }

  /** Whether all that a node said to know is known here, or this node has asked it since. */
  private boolean isKnown(Teller teller) {
    Deletions deletions = exchange.deletions();
    long own = deletions.known().sum();
    return (teller.sum == own && !deletions.areLost())
        || new Sums(teller.sum, own).equals(asked.get(teller.node));
  }

  private synchronized boolean ask(List<Teller> tellers) {
    Set<URI> nodes = tellers.stream().map(Teller::node).collect(Collectors.toSet());
    asked.keySet().retainAll(nodes);
    failed.keySet().retainAll(nodes);
    boolean all = true;
    for (Teller teller : tellers) {
      all &= ask(teller);
    }
    return all;
  }

  private boolean ask(Teller teller) {
    if (isKnown(teller)) {
      return true;
    }
    Long before = failed.get(teller.node);
    if (before != null && System.nanoTime() - before < PAUSE.toNanos()) {
      return false;
    }
    try {
      exchange.fetch(teller.node);
      failed.remove(teller.node);
      asked.put(teller.node, new Sums(teller.sum, exchange.deletions().known().sum()));
      return true;
    } catch (IOException e) {
      failed.put(teller.node, System.nanoTime());
      LOG.warn("knows other deletions, and cannot be asked:", teller.node, e.toString());
      return false;
    }
  }
}
