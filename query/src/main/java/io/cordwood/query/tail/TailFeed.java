package io.cordwood.query.tail;

import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.client.PeerClient;
import io.cordwood.common.http.client.PeerResponse;
import io.cordwood.common.segment.ArrivalSource;
import io.cordwood.common.segment.ArrivalSource.Arrived;
import io.cordwood.common.segment.Block;
import io.cordwood.query.Tier;
import io.cordwood.query.request.Query;
import io.cordwood.query.result.AnswerFormatException;
import io.cordwood.query.result.BlockHits;
import io.cordwood.query.scan.HitCollector;
import io.cordwood.query.wire.AnswerFrame;
import io.cordwood.query.wire.AnswerFrame.End;
import io.cordwood.query.wire.AnswerFrame.Head;
import io.cordwood.query.wire.AnswerFrame.Hits;
import io.cordwood.query.wire.AnswerFrame.Missed;
import io.cordwood.query.wire.AnswerFrame.Passed;
import io.cordwood.query.wire.AnswerReader;
import io.cordwood.query.wire.TierQuestion;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Follows one node for one stream, on a virtual thread of its own, until it is closed or the node
 * is lost. To close it ends what the node does for it.
 */
final class TailFeed implements AutoCloseable {
  private static final Duration RESPONSE_TIME = Duration.ofSeconds(5);
  private static final Duration FRAME_TIME = Duration.ofSeconds(10);
  private static final Duration LOOK = Duration.ofSeconds(1);

  private final String nodeId;
  private final TailBuffer buffer;
  private final CountDownLatch opened = new CountDownLatch(1);
  private final Thread thread;
  private final boolean opensFiles;
  private volatile boolean closed;
  private volatile boolean following;
  private volatile @Nullable String failure;

  private TailFeed(String nodeId, TailBuffer buffer, boolean opensFiles, Source source) {
    this.nodeId = nodeId;
    this.opensFiles = opensFiles;
    this.buffer = buffer;
    this.thread = Thread.ofVirtual().name("tail-" + nodeId).start(() -> run(source));
  }

  /** Gives what a node receives, until it does no more. */
  @FunctionalInterface
  private interface Source {
    void run(TailFeed feed) throws IOException, InterruptedException;
  }

  /** Follows this node itself. */
  static TailFeed own(String nodeId, ArrivalSource arrivals, Query query, TailBuffer buffer) {
    return new TailFeed(nodeId, buffer, true, feed -> feed.follow(arrivals, query));
  }

  /** Follows a peer. */
  static TailFeed peer(String nodeId, URI uri, PeerClient client, Query query, TailBuffer buffer) {
    var question =
        new TierQuestion(
            Optional.of(nodeId),
            Tier.INGEST,
            query,
            false,
            true,
            Optional.empty(),
            Optional.empty());
    return new TailFeed(nodeId, buffer, false, feed -> feed.read(client, uri, question));
  }

  private void run(Source source) {
    try {
      source.run(this);
      failure = "it ended";
    } catch (InterruptedException e) {
      failure = "not wanted any more";
    } catch (IOException e) {
      failure = String.valueOf(e.getMessage());
    } catch (RuntimeException | Error e) {
      failure = "a defect: " + e;
      throw e;
    } finally {
      opened.countDown();
    }
  }

  private void begun() {
    following = true;
    opened.countDown();
  }

  private void follow(ArrivalSource arrivals, Query query)
      throws IOException, InterruptedException {
    try (ArrivalSource.Follower follower = arrivals.follow()) {
      begun();
      while (!closed) {
        Arrived arrived = follower.await(LOOK);
        missed(arrived.missed());
        for (Block block : arrived.blocks()) {
          search(query, block, buffer::put);
        }
      }
    }
  }

  /** Takes what is found in a block. */
  interface Found<E extends Exception> {
    void take(BlockHits hits, BlockHits.Group group) throws E;
  }

  /** Searches a block, if its topic is asked for. */
  static <E extends Exception> void search(Query query, Block block, Found<E> found)
      throws IOException, E {
    if (query.topics().contain(block.topic())) {
      BlockHits hits = HitCollector.collect(query, block);
      for (BlockHits.Group group : hits.groups()) {
        found.take(hits, group);
      }
    }
  }

  private void read(PeerClient client, URI node, TierQuestion question) throws IOException {
    try (PeerResponse response = question.ask(client, node, ApiPaths.STREAM_TIER, RESPONSE_TIME)) {
      if (response.status() != 200) {
        throw new IOException(response.status() + " " + response.error());
      }
      AnswerReader reader = AnswerReader.ofArrivals(response.body(), question.query(), FRAME_TIME);
      reader.head();
      begun();
      boolean more = true;
      while (more && !closed) {
        more = take(reader.next());
      }
    }
  }

  private boolean take(AnswerFrame frame) throws AnswerFormatException {
    switch (frame) {
      case Hits(BlockHits hits, BlockHits.Group group) -> buffer.put(hits, group);
      case Missed(long records) -> missed(records);
      case Passed _ -> {} // It is still there.
      case AnswerFrame.Stopped _, AnswerFrame.Gone _, AnswerFrame.Advanced _, AnswerFrame.Large _ ->
          throw new AnswerFormatException("expected one who is followed, found one who searches");
      case End _ -> {
        return false;
      }
      case Head _ -> throw new AnswerFormatException("expected one head, found two");
    }
    return true;
  }

  private void missed(long records) {
    if (records > 0) {
      buffer.tell(
          "%d records of node %s were not searched, since they came faster than they were"
                  .formatted(records, nodeId)
              + " taken");
    }
  }

  /** Waits until the node is followed, or is not going to be. */
  boolean awaitOpened(long deadlineNanos) throws InterruptedException {
    return opened.await(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
  }

  /** Whether the node was followed, even if it is not any more. */
  boolean hasBegun() {
    return following;
  }

  /** Why the node is not followed any more; null as long as it is, or may come to be. */
  @Nullable String failure() {
    return failure;
  }

  /** Ends it, here and at the node; does not wait. */
  @Override
  public void close() {
    closed = true;
    // What opens files must not be interrupted meanwhile; it checks whether it is closed after
    // that.
    if (following || !opensFiles) {
      thread.interrupt();
    }
  }
}
