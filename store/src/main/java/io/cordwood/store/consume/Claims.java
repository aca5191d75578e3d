package io.cordwood.store.consume;

import io.cordwood.common.run.VirtualThreads;
import io.cordwood.store.Backoff;
import io.cordwood.store.StoreMetrics;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Claimed ingest segments, from all ingest nodes alike: at each node one request waits for the next
 * segment, on a virtual thread, while a consumer wants one. So an idle node costs nothing, a new
 * segment is heard of at once wherever it is, and no node is preferred.
 *
 * <p>At most one answer a node waits here, with all the segments that it names; they are given out
 * node by node in turn. What is shared is under the lock.
 */
public final class Claims implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Claims.class);

  private static final Duration LONG_POLL = Duration.ofSeconds(10);
  private static final Duration EARLY_ANSWER = Duration.ofMillis(100);
  private static final long LOOK_FOR_NODES_NANOS = Duration.ofSeconds(1).toNanos();

  private final IngestClient client;
  private final Supplier<List<URI>> nodes;
  private final Settlement settlement;
  private final long maxBytes;
  private final StoreMetrics metrics;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final VirtualThreads pollers = new VirtualThreads();
  private final Map<URI, Node> polled = new HashMap<>();
  private final LinkedHashMap<URI, ArrayDeque<Claim>> ready = new LinkedHashMap<>();
  private boolean wanted;
  private boolean refusing;
  private boolean closed;

  /**
   * @param maxBytes of the segments that a node is asked for at once
   */
  public Claims(
      IngestClient client,
      Supplier<List<URI>> nodes,
      Settlement settlement,
      long maxBytes,
      StoreMetrics metrics) {
    this.client = client;
    this.nodes = nodes;
    this.settlement = settlement;
    this.maxBytes = maxBytes;
    this.metrics = metrics;
  }

  /** The next claim of any node; empty if there is none in time, or when this is closed. */
  Optional<Claim> next(Duration wait) throws InterruptedException {
    List<Claim> stale = new ArrayList<>();
    lock.lock();
    try {
      return awaitClaim(wait.toNanos(), stale);
    } finally {
      lock.unlock();
      settlement.giveBackLater(stale);
    }
  }

  private Optional<Claim> awaitClaim(long wait, List<Claim> stale) throws InterruptedException {
    long end = System.nanoTime() + wait;
    wanted = true;
    refusing = false;
    while (!closed) {
      lookForNodes();
      for (Claim claim = takeReady(); claim != null; claim = takeReady()) {
        if (!claim.isStale()) {
          return Optional.of(claim);
        }
        stale.add(claim);
      }
      long left = end - System.nanoTime();
      if (left <= 0) {
        return Optional.empty();
      }
      changed.await(Math.min(left, LOOK_FOR_NODES_NANOS), TimeUnit.NANOSECONDS);
    }
    return Optional.empty();
  }

  private @Nullable Claim takeReady() {
    Map.Entry<URI, ArrayDeque<Claim>> next = ready.pollFirstEntry();
    if (next == null) {
      return null;
    }
    Claim claim = next.getValue().remove();
    if (next.getValue().isEmpty()) {
      changed.signalAll();
    } else {
      ready.putLast(next.getKey(), next.getValue());
    }
    return claim;
  }

  /**
   * A node that could not be read: what else it has claimed out is given back, and it is left alone
   * for a while, longer each time.
   */
  void troubled(URI node) {
    lock.lock();
    try {
      Node known = polled.get(node);
      if (known != null) {
        known.rest = known.trouble.next();
      }
      settlement.giveBackLater(takeAll(node));
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private List<Claim> takeAll(URI node) {
    ArrayDeque<Claim> all = ready.remove(node);
    return all == null ? List.of() : List.copyOf(all);
  }

  /** A node that could be read. */
  void worked(URI node) {
    lock.lock();
    try {
      Node known = polled.get(node);
      if (known != null) {
        known.trouble.reset();
      }
    } finally {
      lock.unlock();
    }
  }

  /** No more claims are wanted for now; requests that wait already may still bring one each. */
  void pause() {
    lock.lock();
    try {
      wanted = false;
    } finally {
      lock.unlock();
    }
  }

  /** No claims are wanted until one is asked for again; those that wait are given back. */
  void refuse() {
    List<Claim> unwanted;
    lock.lock();
    try {
      wanted = false;
      refusing = true;
      unwanted = takeAll();
    } finally {
      lock.unlock();
    }
    settlement.giveBackLater(unwanted);
  }

  private List<Claim> takeAll() {
    List<Claim> all = ready.values().stream().flatMap(ArrayDeque::stream).toList();
    ready.clear();
    return all;
  }

  private void lookForNodes() {
    Set<URI> now = Set.copyOf(nodes.get());
    polled.keySet().retainAll(now);
    for (URI uri : now) {
      if (!polled.containsKey(uri)) {
        var node = new Node(uri);
        polled.put(uri, node);
        pollers.start("claim " + uri.getAuthority(), node);
      }
    }
    changed.signalAll();
  }

  /** One ingest node, asked by a thread of its own until it is no longer among the nodes. */
  private final class Node implements Runnable {
    private final URI uri;
    private final Backoff backoff = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(5));
    private final Backoff trouble = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(5));
    private Duration rest = Duration.ZERO;

    Node(URI uri) {
      this.uri = uri;
    }

    @Override
    public void run() {
      try {
        while (awaitDemand()) {
          pause(takeRest());
          pause(poll());
        }
      } catch (InterruptedException e) {
        // Nobody interrupts this thread; if somebody does, the node is found again later.
        forget();
      }
    }

    private Duration takeRest() {
      lock.lock();
      try {
        Duration due = rest;
        rest = Duration.ZERO;
        return due;
      } finally {
        lock.unlock();
      }
    }

    private boolean awaitDemand() throws InterruptedException {
      lock.lock();
      try {
        while (isCurrent() && (!wanted || ready.containsKey(uri))) {
          changed.await();
        }
        return isCurrent();
      } finally {
        lock.unlock();
      }
    }

    private boolean isCurrent() {
      return !closed && polled.get(uri) == this;
    }

    private void forget() {
      lock.lock();
      try {
        polled.remove(uri, this);
      } finally {
        lock.unlock();
      }
    }

    /** Asks once; how long to wait before the node is asked again. */
    private Duration poll() {
      long asked = System.nanoTime();
      try {
        List<Claim> claims = client.claim(uri, LONG_POLL, maxBytes);
        if (backoff.isBackingOff()) {
          LOG.info("{}: answers again", uri);
        }
        backoff.reset();
        offer(claims);
        boolean early = System.nanoTime() - asked < EARLY_ANSWER.toNanos();
        return claims.isEmpty() && early ? EARLY_ANSWER : Duration.ZERO;
      } catch (IOException | RuntimeException e) {
        return failed(e);
      }
    }

    private Duration failed(Exception e) {
      metrics.failed("claim");
      if (!backoff.isBackingOff() && !isClosed()) {
        LOG.warn("{}: cannot claim ingest segments, will go on trying: {}", uri, e.getMessage());
      }
      return backoff.next();
    }

    private void offer(List<Claim> claims) {
      if (claims.isEmpty()) {
        return;
      }
      lock.lock();
      try {
        if (!closed && !refusing) {
          ready.put(uri, new ArrayDeque<>(claims));
          changed.signalAll();
          return;
        }
      } finally {
        lock.unlock();
      }
      settlement.giveBack(claims);
    }

    private void pause(Duration pause) throws InterruptedException {
      lock.lock();
      try {
        long nanos = pause.toNanos();
        while (nanos > 0 && isCurrent()) {
          nanos = changed.awaitNanos(nanos);
        }
      } finally {
        lock.unlock();
      }
    }
  }

  private boolean isClosed() {
    lock.lock();
    try {
      return closed;
    } finally {
      lock.unlock();
    }
  }

  /** Claims no more and gives back what was not taken. */
  @Override
  public void close() {
    List<Claim> left;
    lock.lock();
    try {
      closed = true;
      left = takeAll();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    settlement.giveBack(left);
  }

  /**
   * Waits, once this is closed and pulling is ended, for the end of claims that were under way, and
   * of what is being given back: 10 seconds if a node does not answer.
   */
  public void awaitEnd() {
    pollers.join();
    settlement.awaitGivenBack();
  }
}
