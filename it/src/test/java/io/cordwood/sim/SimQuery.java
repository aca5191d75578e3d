package io.cordwood.sim;

import io.cordwood.common.cluster.Role;
import io.cordwood.common.http.KnownParts;
import io.cordwood.common.segment.SegmentSource;
import io.cordwood.query.Tier;
import io.cordwood.query.gather.ClusterNodes;
import io.cordwood.query.gather.SimEvidence;
import io.cordwood.query.gather.Verdict;
import io.cordwood.query.request.Query;
import io.cordwood.query.wire.AnswerWriter;
import io.cordwood.query.wire.KnownNode;
import io.cordwood.query.wire.SharedNodes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/** A node that asks all others for everything, over and over. */
final class SimQuery extends SimNode {
  private static final long EVERY = Duration.ofSeconds(10).toNanos();
  private static final long OPEN_TIME = Duration.ofSeconds(5).toNanos();
  private static final long ANSWER_TIME = Duration.ofSeconds(30).toNanos();
  private static final long LOOK = Duration.ofMillis(100).toNanos();

  private Optional<Verdict> last = Optional.empty();

  SimQuery(SimCluster cluster) {
    super(cluster, Role.QUERY);
  }

  @Override
  void started() {
    sim.start(
        "ask",
        process(),
        () -> {
          while (true) {
            sim.current().sleep(EVERY / 2 + random.nextLong(EVERY));
            ask();
          }
        });
  }

  /** A part of an answer. */
  private static final class Part {
    private final ClusterNodes.Peer peer;
    private final Optional<KnownParts> known;
    private boolean over;
    private boolean leftOut;
    private Optional<IOException> failure = Optional.empty();

    Part(ClusterNodes.Peer peer, Optional<KnownParts> known) {
      this.peer = peer;
      this.known = known;
    }
  }

  /**
   * What a node answers.
   *
   * @param batches their numbers
   * @param damaged blocks that it could not read
   * @param lack why it may lack something else
   */
  private record Answer(
      List<KnownNode> known, BitSet batches, int damaged, Optional<String> lack) {}

  /** The verdict on its last answer. */
  Optional<Verdict> last() {
    return last;
  }

  /** One query. */
  private void ask() {
    Checks.Due due = cluster.checks.due();
    ClusterNodes nodes = known();
    Optional<KnownParts> shared = SharedNodes.of(nodes.known(), Optional.empty());
    var evidence = new SimEvidence(id, nodes, clock);
    var found = new BitSet();
    boolean storesFirst = cluster.makes(Mistake.ASK_STORES_FIRST);
    boolean late = cluster.makes(Mistake.USE_LATE_ANSWERS);
    List<Part> ingest = begin(nodes.ingest(), shared, evidence, found);
    List<Part> early = storesFirst ? begin(nodes.stores(), shared, evidence, found) : List.of();
    await(ingest, OPEN_TIME, evidence, false);
    if (!late) {
      ingest.forEach(part -> part.leftOut = !part.over);
      fail(ingest, Tier.INGEST, evidence);
    }
    List<Part> stores = storesFirst ? early : begin(nodes.stores(), shared, evidence, found);
    await(stores, ANSWER_TIME, evidence, random.nextBoolean());
    if (late) {
      await(ingest, ANSWER_TIME, evidence, false);
      fail(ingest, Tier.INGEST, evidence);
    }
    fail(stores, Tier.STORE, evidence);
    Verdict verdict = evidence.verdict();
    last = Optional.of(verdict);
    sim.note(
        process(),
        "finds "
            + found.cardinality()
            + ", "
            + verdict.word()
            + ' '
            + verdict.doubt().orElse("")
            + ' '
            + (verdict.missing().isEmpty() ? "" : verdict.named()));
    boolean complete =
        cluster.makes(Mistake.BELIEVE_IN_COPIES)
            ? isCompleteByBelief(verdict)
            : verdict.isComplete();
    cluster.asked(complete);
    if (complete) {
      cluster.checks.complete(this, due, found, verdict);
    }
  }

  private static boolean isCompleteByBelief(Verdict verdict) {
    return verdict.doubt().isEmpty() && verdict.missing().size() < Math.max(1, verdict.copies());
  }

  private List<Part> begin(
      List<ClusterNodes.Peer> peers,
      Optional<KnownParts> known,
      SimEvidence evidence,
      BitSet found) {
    List<Part> parts = new ArrayList<>();
    for (ClusterNodes.Peer peer : peers) {
      var part = new Part(peer, known);
      parts.add(part);
      sim.start("part", process(), () -> ask(part, evidence, found));
    }
    return parts;
  }

  private void ask(Part part, SimEvidence evidence, BitSet found) {
    try {
      SimNode node =
          cluster
              .node(part.peer.nodeId())
              .orElseThrow(() -> new IOException(part.peer + " is nowhere"));
      Answer answer =
          cluster.network.call(
              Costs.Kind.QUESTION, this, node, ANSWER_TIME, () -> answer(node, part.known));
      if (cluster.costs.measures()) {
        int asking = part.known.map(KnownParts::toString).orElse("").length();
        cluster.costs.bytes(Costs.Kind.QUESTION, asking + headBytes(answer.known));
      }
      if (!part.leftOut) {
        evidence.heard(node.id, answer.known);
        found.or(answer.batches);
        boolean overlooks = cluster.makes(Mistake.OVERLOOK_DAMAGE);
        part.failure =
            SimEvidence.damage(overlooks ? 0 : answer.damaged)
                .or(() -> answer.lack)
                .map(IOException::new);
      }
    } catch (IOException e) {
      part.failure = Optional.of(e);
    }
    part.over = true;
  }

  private static BitSet held(SimNode node) throws IOException {
    return switch (node) {
      case SimIngest ingest -> ingest.held();
      case SimStore store -> store.stored().readable();
      default -> new BitSet();
    };
  }

  private static int headBytes(List<KnownNode> known) throws IOException {
    var out = new ByteArrayOutputStream();
    new AnswerWriter(out, Query.Detail.BYTES, true).head(Optional.empty(), known);
    return out.size();
  }

  private static Answer answer(SimNode node, Optional<KnownParts> asking) throws IOException {
    List<KnownNode> told = node.told(asking);
    return node instanceof SimStore store
        ? new Answer(
            told,
            held(node),
            store.stored().rotten().size(),
            store.lack().map(SegmentSource.Lack::reason))
        : new Answer(told, held(node), 0, Optional.empty());
  }

  /** Waits for parts, no longer than so; for stores, only as long as they may be needed. */
  private void await(List<Part> parts, long longest, SimEvidence evidence, boolean sparing) {
    long end = sim.nanos() + longest;
    while (sim.nanos() < end && parts.stream().anyMatch(part -> !part.over)) {
      List<String> silent =
          parts.stream().filter(part -> !part.over).map(part -> part.peer.nodeId()).toList();
      if (sparing && sim.nanos() > end - longest + LOOK && evidence.canDoWithout(silent)) {
        return;
      }
      sim.current().sleep(LOOK);
    }
  }

  private void fail(List<Part> parts, Tier tier, SimEvidence evidence) {
    if (cluster.makes(Mistake.IGNORE_SILENCE)) {
      return;
    }
    for (Part part : parts) {
      if (part.leftOut || !part.over || part.failure.isPresent()) {
        evidence.failed(part.peer.nodeId(), tier, "silent");
      }
    }
  }
}
