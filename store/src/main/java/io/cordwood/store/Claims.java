package io.cordwood.store;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Claimed ingest segments, from all ingest nodes alike: at each node one request waits for the next
 * segment, on a virtual thread, while a consumer wants one. So an idle node costs nothing, a new
 * segment is heard of at once wherever it is, and no node is preferred.
 *
 * <p>At most one claim a node waits here to be taken. What is shared is under the lock.
 */
final class Claims implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Claims.class);

  private static final Duration LONG_POLL = Duration.ofSeconds(10);
  private static final Duration EARLY_ANSWER = Duration.ofMillis(100);
  private static final long LOOK_FOR_NODES_NANOS = Duration.ofSeconds(1).toNanos();

  /** A claim that waited longer is given back: its lease may end before it is committed. */
  private static final long STALE_NANOS = Duration.ofSeconds(20).toNanos();

  private final IngestClient client;
  private final Supplier<List<URI>> nodes;
  private final StoreMetrics metrics;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Map<URI, Node> polled = new HashMap<>();
  private final ArrayDeque<Claim> ready = new ArrayDeque<>();
  private final Set<URI> waiting = new HashSet<>();
  private boolean wanted;
  private boolean refusing;
  private boolean closed;

  Claims(IngestClient client, Supplier<List<URI>> nodes, StoreMetrics metrics) {
    this.client = client;
    this.nodes = nodes;
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
      stale.forEach(this::giveBack);
    }
  }

  private Optional<Claim> awaitClaim(long wait, List<Claim> stale) throws InterruptedException {
    long end = System.nanoTime() + wait;
    wanted = true;
    refusing = false;
    while (!closed) {
      lookForNodes();
      Claim claim = ready.poll();
      if (claim != null) {
        waiting.remove(claim.node());
        changed.signalAll();
        if (System.nanoTime() - claim.nanos() < STALE_NANOS) {
          return Optional.of(claim);
        }
        stale.add(claim);
        continue;
      }
      long left = end - System.nanoTime();
      if (left <= 0) {
        return Optional.empty();
      }
      changed.await(Math.min(left, LOOK_FOR_NODES_NANOS), TimeUnit.NANOSECONDS);
    }
    return Optional.empty();
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
      unwanted = List.copyOf(ready);
      ready.clear();
      waiting.clear();
    } finally {
      lock.unlock();
    }
    unwanted.forEach(this::giveBack);
  }

  private void lookForNodes() {
    Set<URI> now = Set.copyOf(nodes.get());
    polled.keySet().retainAll(now);
    for (URI uri : now) {
      if (!polled.containsKey(uri)) {
        var node = new Node(uri);
        polled.put(uri, node);
        Thread.ofVirtual().name("claim " + uri.getAuthority()).start(node);
      }
    }
    changed.signalAll();
  }

  private void giveBack(Claim claim) {
    try {
      client.fail(claim);
    } catch (IOException e) {
      // Its lease will run out at the ingest node.
      metrics.failed("fail");
    }
  }

  /** One ingest node, asked by a thread of its own until it is no longer among the nodes. */
  private final class Node implements Runnable {
    private final URI uri;
    private final Backoff backoff = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(5));

    Node(URI uri) {
      this.uri = uri;
    }

    @Override
    public void run() {
      try {
        while (awaitDemand()) {
          pause(poll());
        }
      } catch (InterruptedException e) {
        // Nobody interrupts this thread; if somebody does, the node is found again later.
        forget();
      }
    }

    private boolean awaitDemand() throws InterruptedException {
      lock.lock();
      try {
        while (isCurrent() && (!wanted || waiting.contains(uri))) {
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
        Optional<Claim> claim = client.claim(uri, LONG_POLL);
        if (backoff.isBackingOff()) {
          LOG.info("{}: answers again", uri);
        }
        backoff.reset();
        claim.ifPresent(this::offer);
        boolean early = System.nanoTime() - asked < EARLY_ANSWER.toNanos();
        return claim.isEmpty() && early ? EARLY_ANSWER : Duration.ZERO;
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

    private void offer(Claim claim) {
      lock.lock();
      try {
        if (!closed && !refusing) {
          waiting.add(uri);
          ready.add(claim);
          changed.signalAll();
          return;
        }
      } finally {
        lock.unlock();
      }
      giveBack(claim);
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
      left = List.copyOf(ready);
      ready.clear();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    left.forEach(this::giveBack);
  }
}
