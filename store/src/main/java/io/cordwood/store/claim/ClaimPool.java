package io.cordwood.store.claim;

import io.cordwood.common.run.Backoff;
import io.cordwood.store.StoreMetrics;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Claimed ingest segments, from all ingest nodes alike: at each node one request waits for the next
 * segment, on a virtual thread, while a consumer wants one. So an idle node costs nothing, a new
 * segment is heard of at once wherever it is, and no node is preferred.
 *
 * <p>At most one answer a node waits here, with all the segments that it names; they are given out
 * node by node in turn. What is shared by the consumers and the {@link ClaimPoller}s, which is all
 * but the asking itself, is here and under one lock.
 */
public final class ClaimPool implements AutoCloseable {
  private static final long LOOK_FOR_NODES_NANOS = Duration.ofSeconds(1).toNanos();

  private final IngestClient client;
  private final Supplier<List<URI>> nodes;
  private final CommitClient commits;
  private final long maxBytes;
  private final StoreMetrics metrics;
  private final VirtualThreads pollers = new VirtualThreads();

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Map<URI, Polled> polled = new HashMap<>();
  private final ReadyClaims ready = new ReadyClaims();
  private boolean wanted;
  private boolean refusing;
  private boolean closed;

  /** A node that is asked, and how long it is left alone because it could not be read. */
  private static final class Polled {
    private final ClaimPoller by;
    private final Backoff trouble = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(5));
    private Duration rest = Duration.ZERO;

    Polled(ClaimPoller by) {
      this.by = by;
    }

    Duration takeRest() {
      Duration due = rest;
      rest = Duration.ZERO;
      return due;
    }
  }

  /**
   * @param maxBytes of the segments that a node is asked for at once
   */
  public ClaimPool(
      IngestClient client, Supplier<List<URI>> nodes, long maxBytes, StoreMetrics metrics) {
    this.client = client;
    this.nodes = nodes;
    this.commits = new CommitClient(client, metrics);
    this.maxBytes = maxBytes;
    this.metrics = metrics;
  }

  /** The next claim of any node; empty if there is none in time, or when this is closed. */
  public Optional<Claim> next(Duration wait) throws InterruptedException {
    List<Claim> stale = new ArrayList<>();
    lock.lock();
    try {
      return awaitClaim(wait.toNanos(), stale);
    } finally {
      lock.unlock();
      commits.giveBackLater(stale);
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

  private void lookForNodes() {
    Set<URI> now = Set.copyOf(nodes.get());
    polled.keySet().retainAll(now);
    for (URI node : now) {
      if (!polled.containsKey(node)) {
        var poller = new ClaimPoller(node, this, client, maxBytes, metrics);
        polled.put(node, new Polled(poller));
        pollers.start("claim " + node.getAuthority(), poller);
      }
    }
    changed.signalAll();
  }

  private @Nullable Claim takeReady() {
    Claim claim = ready.take();
    if (claim != null && !ready.has(claim.node())) {
      changed.signalAll();
    }
    return claim;
  }

  /** Ends claims of segments that are durable on all stores that have to have them. */
  public void commit(List<Claim> claims) {
    commits.commit(claims);
  }

  /** Gives claims back that were taken. */
  public void giveBack(List<Claim> claims) {
    commits.giveBack(claims);
  }

  /** Gives a claim back whose segment cannot be stored here, without waiting for it. */
  public void giveBackUnstorable(Claim claim) {
    commits.giveBackUnstorableLater(claim);
  }

  /** Leaves a claim that was taken to the next who asks. */
  public void putBack(Claim claim) {
    lock.lock();
    try {
      if (!closed && !refusing) {
        ready.putBack(claim);
        changed.signalAll();
        return;
      }
    } finally {
      lock.unlock();
    }
    commits.giveBackLater(List.of(claim));
  }

  /**
   * A node that could not be read: what else it has claimed out is given back, and it is left alone
   * for a while, longer each time.
   */
  public void troubled(URI node) {
    lock.lock();
    try {
      Polled known = polled.get(node);
      if (known != null) {
        known.rest = known.trouble.next();
      }
      commits.giveBackLater(ready.takeAll(node));
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** A node that could be read. */
  public void worked(URI node) {
    lock.lock();
    try {
      Polled known = polled.get(node);
      if (known != null) {
        known.trouble.reset();
      }
    } finally {
      lock.unlock();
    }
  }

  /** No more claims are wanted for now; requests that wait already may still bring one each. */
  public void pause() {
    lock.lock();
    try {
      wanted = false;
    } finally {
      lock.unlock();
    }
  }

  /** No claims are wanted until one is asked for again; those that wait are given back. */
  public void refuse() {
    List<Claim> unwanted;
    lock.lock();
    try {
      wanted = false;
      refusing = true;
      unwanted = ready.takeAll();
    } finally {
      lock.unlock();
    }
    commits.giveBackLater(unwanted);
  }

  /**
   * Waits until the poller's node is to be asked, and has had its rest; false if the poller is to
   * end instead, since this is closed or its node is not there any more.
   */
  boolean awaitDemand(ClaimPoller poller) throws InterruptedException {
    lock.lock();
    try {
      Polled current = current(poller);
      while (current != null && (!wanted || ready.has(poller.node()))) {
        changed.await();
        current = current(poller);
      }
      if (current != null) {
        await(poller, current.takeRest());
      }
      return current(poller) != null;
    } finally {
      lock.unlock();
    }
  }

  /** Waits for a time, or until the poller is to end. */
  void pause(ClaimPoller poller, Duration pause) throws InterruptedException {
    lock.lock();
    try {
      await(poller, pause);
    } finally {
      lock.unlock();
    }
  }

  private void await(ClaimPoller poller, Duration pause) throws InterruptedException {
    long nanos = pause.toNanos();
    while (nanos > 0 && current(poller) != null) {
      nanos = changed.awaitNanos(nanos);
    }
  }

  private @Nullable Polled current(ClaimPoller poller) {
    Polled known = polled.get(poller.node());
    return known != null && known.by == poller && !closed ? known : null;
  }

  /** A node's answer, which is given back if nobody wants it. */
  void offer(ClaimPoller poller, List<Claim> claims) {
    if (claims.isEmpty() || isTaken(poller, claims)) {
      return;
    }
    commits.giveBack(claims);
  }

  private boolean isTaken(ClaimPoller poller, List<Claim> claims) {
    lock.lock();
    try {
      // The next poller of a node that was away for a moment may have brought an answer, too.
      boolean taken = current(poller) != null && !refusing;
      if (taken) {
        ready.add(poller.node(), claims);
        changed.signalAll();
      }
      return taken;
    } finally {
      lock.unlock();
    }
  }

  /** A poller that ends before its time. */
  void forget(ClaimPoller poller) {
    lock.lock();
    try {
      if (current(poller) != null) {
        polled.remove(poller.node());
      }
    } finally {
      lock.unlock();
    }
  }

  boolean isClosed() {
    lock.lock();
    try {
      return closed;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Gives claims back while this is being closed, without waiting for it: once no request of this
   * store waits at their nodes any more, which would take them again.
   */
  public void giveBackAtEnd(List<Claim> claims) {
    commits.giveBackAfter(pollers::join, claims);
  }

  /** Claims no more and gives back what was not taken. */
  @Override
  public void close() {
    List<Claim> left;
    lock.lock();
    try {
      closed = true;
      left = ready.takeAll();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    commits.giveBack(left);
  }

  /**
   * Waits, once this is closed and pulling is ended, for the end of claims that were under way, and
   * of what is being given back: 10 seconds if a node does not answer.
   */
  public void awaitEnd() {
    pollers.join();
    commits.awaitGivenBack();
  }
}
