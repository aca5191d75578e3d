package io.cordwood.query.gather;

import io.cordwood.common.deletion.DeletionExchange;
import io.cordwood.common.deletion.Tombstones;
import io.cordwood.common.http.ApiHeaders;
import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.client.PeerResponse;
import io.cordwood.common.segment.SegmentSource;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.query.result.AnswerFormatException;
import io.cordwood.query.result.BlockHits;
import io.cordwood.query.result.ScanStats;
import io.cordwood.query.result.Stop;
import io.cordwood.query.wire.AnswerFrame;
import io.cordwood.query.wire.AnswerFrame.Advanced;
import io.cordwood.query.wire.AnswerFrame.End;
import io.cordwood.query.wire.AnswerFrame.Gone;
import io.cordwood.query.wire.AnswerFrame.Head;
import io.cordwood.query.wire.AnswerFrame.Hits;
import io.cordwood.query.wire.AnswerFrame.Large;
import io.cordwood.query.wire.AnswerFrame.Passed;
import io.cordwood.query.wire.AnswerFrame.Stopped;
import io.cordwood.query.wire.AnswerReader;
import io.cordwood.query.wire.TierQuestion;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Fills a partial result from a tier of a peer, on a thread of its own; to interrupt that ends the
 * peer's search too.
 */
record PeerAnswer(
    Question asked,
    DeletionExchange exchange,
    URI node,
    PartialResult partial,
    ReplicaEvidence replicaEvidence,
    ScanStats total,
    GatherMetrics metrics)
    implements Runnable {
  private static final Duration RESPONSE_TIME = Duration.ofSeconds(10);
  private static final Duration FRAME_TIME = Duration.ofSeconds(30);
  private static final int DIFFERENT_DELETIONS = 409;

  @Override
  public void run() {
    metrics.asked();
    PartialResult.Holder holder = partial.holder();
    var question =
        new TierQuestion(
            Optional.of(holder.nodeId()),
            holder.tier(),
            asked.query(),
            asked.progress(),
            true,
            asked.known(),
            Optional.of(asked.deletions()));
    try (PeerResponse response = ask(question)) {
      if (response.status() == 200) {
        checkDeletions(response);
        var reader = new AnswerReader(response.body(), asked.query(), FRAME_TIME);
        read(reader);
        if (!partial.isUnwanted()) {
          reader.awaitEnd();
        }
      } else {
        fail("refused", response.status() + " " + response.error());
      }
    } catch (AnswerFormatException e) {
      fail("rubbish", String.valueOf(e.getMessage()));
    } catch (IOException e) {
      fail("broken", String.valueOf(e.getMessage()));
    } catch (RuntimeException | Error e) {
      fail("broken", "a defect: " + e);
      throw e;
    }
  }

  /** Asks; of two who know different deletions each learns those of the other before. */
  private PeerResponse ask(TierQuestion question) throws IOException {
    PeerResponse answer = question.ask(exchange.client(), node, ApiPaths.QUERY_TIER, RESPONSE_TIME);
    if (answer.status() != DIFFERENT_DELETIONS) {
      return answer;
    }
    answer.close();
    exchange.with(node);
    if (!exchange.deletions().known().sumText().equals(asked.deletions())) {
      throw new IOException("it knew of deletions of which this node did not: ask again");
    }
    return question.ask(exchange.client(), node, ApiPaths.QUERY_TIER, RESPONSE_TIME);
  }

  /** One of an earlier version knows of no deletions. */
  private void checkDeletions(PeerResponse response) throws AnswerFormatException {
    String left = response.header(ApiHeaders.DELETIONS);
    String leaves = left == null ? Tombstones.NONE.sumText() : left;
    if (!leaves.equals(asked.deletions())) {
      throw new AnswerFormatException(
          "expected an answer without deletions %s, found one without %s"
              .formatted(asked.deletions(), leaves));
    }
  }

  private void fail(String kind, String reason) {
    if (!partial.isUnwanted()) {
      metrics.failed(kind);
    }
    partial.fail(reason);
  }

  private void read(AnswerReader reader) throws IOException {
    Head head = reader.head();
    replicaEvidence.heard(partial.holder().nodeId(), head.known());
    partial.opened(head.stampTime());
    boolean more = true;
    while (more) {
      more =
          switch (reader.next()) {
            case Large(Ulid first, int bytes) -> partial.reserve(first, bytes);
            case Hits(BlockHits hits, BlockHits.Group group) -> partial.put(hits, group);
            case Passed passed -> note(passed);
            case Advanced advanced -> note(advanced);
            case Stopped(Stop stop) -> note(stop);
            case Gone gone -> note(gone);
            case End end -> end(end);
            case Head _ -> throw new AnswerFormatException("expected one head, found two");
            case AnswerFrame.Missed _ ->
                throw new AnswerFormatException("expected an answer, found one who is followed");
          };
    }
  }

  private boolean note(Passed passed) {
    partial.passed(passed.ulid());
    return true;
  }

  private boolean note(Advanced advanced) {
    partial.advances(advanced::progress);
    return true;
  }

  private boolean note(Gone gone) {
    partial.evicted(List.of(gone.evicted()));
    return true;
  }

  private boolean note(Stop stop) {
    if (stop.limit().isHole()) {
      partial.lacks(new SegmentSource.Lack(stop.unsearched(), stop.limit().text()));
    } else {
      partial.endStopped(stop);
    }
    return true;
  }

  private boolean end(End end) {
    total.add(end.stats());
    Verdicts.damage(end.stats().blocks().damaged()).ifPresent(partial::lacks);
    partial.end();
    return false;
  }
}
