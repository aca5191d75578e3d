package io.cordwood.query.tail;

import io.cordwood.common.http.client.PeerClient;
import io.cordwood.common.segment.ArrivalSource;
import io.cordwood.common.segment.SegmentSource;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.query.LocalRecords;
import io.cordwood.query.gather.ClusterNodes;
import io.cordwood.query.gather.ClusterNodes.Peer;
import io.cordwood.query.gather.QueryExecution;
import io.cordwood.query.gather.QueryExecutor;
import io.cordwood.query.request.Query;
import io.cordwood.query.result.ScanStats;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The nodes that one stream follows: all that receive, as they come and go. A node that was lost is
 * tried again every second, as long as it is a member. What a node received while it was not
 * followed is looked for in the whole cluster, as soon as it is. For the stream's own thread.
 */
final class TailFeeds implements AutoCloseable {
  private static final Duration OPEN_TIME = Duration.ofSeconds(5);
  private static final Duration CATCH_UP_TIME = Duration.ofSeconds(10);
  private static final Duration RETRY = Duration.ofSeconds(1);

  /** A node that joins is known, and followed, long before. */
  private static final Duration JOIN_TIME = Duration.ofSeconds(10);

  private static final Duration OVERLAP = Duration.ofSeconds(1);

  private final Dependencies dependencies;
  private final Query query;
  private final TailBuffer buffer;
  private final Instant began;
  private final Map<Address, Node> nodes = new HashMap<>();
  private volatile boolean closed;

  /**
   * The parts shared by all streams of a node.
   *
   * @param client of calls to the nodes that are followed
   * @param catchUps a permit for each search that may run at once
   */
  record Dependencies(
      String self,
      LocalRecords records,
      Supplier<ClusterNodes> nodes,
      PeerClient client,
      QueryExecutor executor,
      Semaphore catchUps) {
    Optional<ArrivalSource> arrivals() {
      return records.unconsumed().flatMap(SegmentSource::arrivals);
    }
  }

  /** A node and where it is: one with a new disk may come to the address of another one. */
  private record Address(URI uri, String nodeId) {}

  /** Since when what a node received may not have been given. */
  private static final class Node {
    private TailFeed feed;
    private Instant unseenSince;
    private @Nullable Instant failedAt;
    private boolean begun;
    private boolean told;

    /** The running searches for what was received while it was not followed. */
    private final AtomicInteger searches = new AtomicInteger();

    Node(TailFeed feed, Instant unseenSince) {
      this.feed = feed;
      this.unseenSince = unseenSince;
    }
  }

  TailFeeds(Dependencies dependencies, Query query, TailBuffer buffer, Instant now) {
    this.dependencies = dependencies;
    this.query = query;
    this.buffer = buffer;
    this.began = now;
  }

  /** Follows the nodes that there are; waits until each is followed, or is not going to be soon. */
  void start() throws InterruptedException {
    members().forEach(member -> nodes.put(member, new Node(open(member), began)));
    long deadline = System.nanoTime() + OPEN_TIME.toNanos();
    for (Node node : nodes.values()) {
      node.begun = node.feed.awaitOpened(deadline) && node.feed.hasBegun();
    }
  }

  /** The nodes that receive; the address of this one is never asked. */
  private Set<Address> members() {
    Set<Address> members = new HashSet<>();
    for (Peer peer : dependencies.nodes.get().ingest()) {
      members.add(new Address(peer.uri(), peer.nodeId()));
    }
    if (dependencies.arrivals().isPresent()) {
      members.add(new Address(URI.create("http:/"), dependencies.self));
    }
    return members;
  }

  private TailFeed open(Address member) {
    Optional<ArrivalSource> arrivals = dependencies.arrivals();
    if (member.uri.getAuthority() == null && arrivals.isPresent()) {
      return TailFeed.own(member.nodeId, arrivals.get(), query, buffer);
    }
    return TailFeed.peer(member.nodeId, member.uri, dependencies.client, query, buffer);
  }

  /** To be called now and then: drops nodes that are gone, and follows those that came. */
  void tend(Instant now) {
    Set<Address> members = members();
    for (Iterator<Map.Entry<Address, Node>> each = nodes.entrySet().iterator(); each.hasNext(); ) {
      Map.Entry<Address, Node> next = each.next();
      if (members.contains(next.getKey())) {
        tend(next.getKey(), next.getValue(), now);
      } else {
        next.getValue().feed.close();
        buffer.tell("node " + next.getKey().nodeId + " is gone, and not followed any more");
        each.remove();
      }
    }
    members.removeAll(nodes.keySet());
    for (Address joined : members) {
      nodes.put(joined, new Node(open(joined), later(now.minus(JOIN_TIME))));
    }
  }

  /** Records received before this time are in the buffer, or were. */
  Instant seenUntil() {
    return nodes.values().stream()
        .map(node -> node.unseenSince)
        .min(Comparator.naturalOrder())
        .orElse(began);
  }

  private Instant later(Instant time) {
    return time.isAfter(began) ? time : began;
  }

  private void tend(Address member, Node node, Instant now) {
    String failure = node.feed.failure();
    if (failure == null) {
      tendLiving(member, node, now);
    } else if (node.failedAt == null) {
      node.failedAt = now;
      node.begun = false;
      if (!node.told) {
        buffer.tell("node " + member.nodeId + " is not followed: " + failure);
      }
      node.told = true;
    } else if (now.isAfter(node.failedAt.plus(RETRY))) {
      node.failedAt = null;
      node.feed = open(member);
    }
  }

  private void tendLiving(Address member, Node node, Instant now) {
    if (!node.begun && node.feed.hasBegun()) {
      node.begun = true;
      node.told = false;
      buffer.tell("node " + member.nodeId + " is followed");
      catchUp(node);
    }
    if (node.begun && node.searches.get() == 0) {
      node.unseenSince = later(now.minus(OVERLAP));
    }
  }

  private void catchUp(Node node) {
    var range = new UlidRange(Ulid.firstOf(node.unseenSince.toEpochMilli()), Ulid.MAX);
    Query missed = query.within(range, Query.UNLIMITED);
    node.searches.incrementAndGet();
    Thread.ofVirtual()
        .name("tail-catch-up")
        .start(() -> {
          try {
            search(missed);
          } finally {
            node.searches.decrementAndGet();
          }
        });
  }

  private void search(Query missed) {
    dependencies.catchUps.acquireUninterruptibly();
    var options = new QueryExecutor.Options(false, Optional.of(CATCH_UP_TIME), false);
    try (QueryExecution found =
        dependencies.executor.gather(missed, options, new ScanStats(), () -> closed)) {
      found.run((hits, group) -> {
        buffer.put(hits, group);
        return true;
      });
      if (!found.verdict().isComplete()) {
        buffer.tell("records that came while a node was not followed may be missing");
      }
    } catch (IOException | RuntimeException e) {
      buffer.tell("records that came while a node was not followed may be missing: " + e);
    } finally {
      dependencies.catchUps.release();
    }
  }

  /** Ends what runs for it on other nodes. */
  @Override
  public void close() {
    closed = true;
    nodes.values().forEach(node -> node.feed.close());
  }
}
