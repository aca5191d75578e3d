package io.cordwood.sim;

import io.cordwood.common.cold.ColdList;
import io.cordwood.common.cold.ColdObject;
import io.cordwood.common.cold.ColdSegment;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.BatchInfo;
import io.cordwood.common.segment.Records;
import io.cordwood.common.segment.SegmentBatches;
import io.cordwood.common.segment.SegmentFiles;
import io.cordwood.common.segment.StoreSegment;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.sim.SimCluster.Violation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Stores that keep records in a bucket, and nodes that ask for them, for days of virtual time:
 * faults for a while, then none, and what must hold meanwhile and in the end.
 */
final class ColdLife implements World {
  static final int COPIES = 2;

  private static final int STORES = 3;
  private static final long MINUTE = Duration.ofMinutes(1).toNanos();
  private static final long HOUR = 60 * MINUTE;

  /** In which clocks may differ, and retention may look too late. */
  private static final Duration MARGIN = Duration.ofHours(1);

  private static final long HEALING = 30 * HOUR;
  private static final int MOST_BATCHES = 3;
  private static final int LATE_ONES = 12;

  final Sim sim;
  final Ledger ledger = new Ledger();
  final SimBucket bucket = new SimBucket();
  final SimBucket otherBucket = new SimBucket();
  private final Run run;
  private final Path folder;
  private final Faults faults;
  private final ColdRules rules;
  private final SplittableRandom traffic;
  private final List<SimColdStore> stores = new ArrayList<>();
  private final List<SimColdAsker> askers = new ArrayList<>();
  private final Map<BatchInfo, Batch> all = new HashMap<>();
  private final ColdMishaps mishaps;
  private int storesEver;
  private long goneUntil;
  private long sequence;
  private long complete;
  private long queries;

  /**
   * @param folder an empty one, for the disks of its nodes
   */
  ColdLife(Run run, Path folder) throws IOException {
    this.run = run;
    this.folder = folder;
    this.sim = new Sim(run.seed());
    this.faults = new Faults(sim.random.split(), run.limits());
    this.rules = ColdRules.of(sim.random.split());
    this.traffic = sim.random.split();
    for (int i = 0; i < STORES; i++) {
      addStore();
    }
    askers.add(new SimColdAsker(this, "query0", true));
    askers.add(new SimColdAsker(this, "query1", true));
    askers.add(new SimColdAsker(this, "plain", false));
    this.mishaps = new ColdMishaps(this);
  }

  private SimColdStore addStore() {
    var store = new SimColdStore(this, "store" + storesEver++);
    stores.add(store);
    return store;
  }

  long seed() {
    return run.seed();
  }

  Path folder() {
    return folder;
  }

  @Override
  public Sim sim() {
    return sim;
  }

  @Override
  public Faults faults() {
    return faults;
  }

  ColdRules rules() {
    return rules;
  }

  List<SimColdStore> stores() {
    return Collections.unmodifiableList(stores);
  }

  Stream<SimColdNode> nodes() {
    return Stream.concat(stores.stream(), askers.stream());
  }

  boolean makes(Mistake made) {
    return run.mistake() == made;
  }

  /** Whether a node gets no answer from its bucket. */
  boolean isAway(SimColdNode node) {
    return mishaps.isAway(node);
  }

  /** Why answers may lack something, whoever answers. */
  List<String> missed() {
    return sim.nanos() < goneUntil ? List.of("a store is gone") : List.of();
  }

  void asked(boolean isComplete) {
    queries++;
    complete += isComplete ? 1 : 0;
  }

  @Override
  public void run() throws IOException {
    for (SimColdNode node : nodes().toList()) {
      node.start();
    }
    sim.every(HOUR, WORLD, this::send);
    sim.every(10 * MINUTE, WORLD, mishaps::tick);
    sim.runUntil(run.shape().minutes() * MINUTE);
    sim.note(WORLD, "heals");
    faults.heal();
    mishaps.heal();
    sim.runUntil(sim.nanos() + HEALING);
    healed();
  }

  /** A sender has some batches for two stores. */
  private void send() {
    var topic = new Topic(traffic.nextInt(3) == 0 ? ColdRules.BRIEF : "shop");
    boolean isLate = traffic.nextInt(LATE_ONES) == 0;
    long back = isLate ? traffic.nextLong(48 * HOUR) / 1_000_000 : 0;
    List<Batch> batches = new ArrayList<>();
    for (int i = traffic.nextInt(MOST_BATCHES); i >= 0; i--) {
      long millis = sim.instant().toEpochMilli() - back + sequence;
      batches.add(Records.lines(topic, Ulid.firstOf(millis), "order " + sequence++, "paid"));
    }
    List<Batch> sorted = SegmentFiles.sorted(batches);
    List<SimColdStore> order = new ArrayList<>(stores);
    Collections.shuffle(order, new Random(traffic.nextLong()));
    int copies = 0;
    try {
      for (SimColdStore store : order) {
        copies += copies < COPIES && store.store(sorted) ? 1 : 0;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    for (Batch batch : sorted) {
      var info = BatchInfo.of(batch);
      all.put(info, batch);
      if (copies == COPIES) {
        ledger.acknowledged(info, "senders", true, sim.nanos());
      }
    }
  }

  /** Whether a batch has to be somewhere, by the rules for its topic. */
  private boolean mustBeThere(BatchInfo batch) {
    Duration age = Duration.between(batch.first().time(), sim.instant());
    return age.plus(MARGIN).compareTo(rules.inBucket().of(batch.topic())) < 0;
  }

  /** An answer that is called complete has all that was acknowledged before it was asked for. */
  void complete(SimColdNode node, int before, Set<BatchInfo> found) {
    for (Ledger.Acknowledged each : ledger.first(before)) {
      if (!found.contains(each.batch()) && mustBeThere(each.batch())) {
        throw new Violation(
            "%s: an answer is called complete and lacks %s of %s, acknowledged at %s; it is on %s"
                .formatted(
                    node,
                    each.batch().first(),
                    each.batch().topic(),
                    sim.at(each.nanos()),
                    holders(each.batch())));
      }
    }
  }

  private List<String> holders(BatchInfo batch) {
    List<String> holders = new ArrayList<>();
    try {
      for (SimColdStore store : stores) {
        if (store.isUp() && store.held().contains(batch)) {
          holders.add(store.id);
        }
      }
      if (inBucket(bucket).contains(batch)) {
        holders.add("the bucket");
      }
      if (inBucket(otherBucket).contains(batch)) {
        holders.add("another bucket");
      }
    } catch (IOException e) {
      holders.add(e.toString());
    }
    return holders;
  }

  /** All that a bucket has, without faults. */
  private Set<BatchInfo> inBucket(SimBucket which) throws IOException {
    Set<BatchInfo> there = new HashSet<>();
    var direct = new DirectBucket(which, sim);
    for (ColdObject object : ColdList.of(direct, UlidRange.ALL).objects()) {
      StoreSegment segment = ColdSegment.open(direct, object);
      try (var batches = new SegmentBatches(segment)) {
        @Nullable Batch next;
        while ((next = batches.next()) != null) {
          there.add(BatchInfo.of(next));
        }
      } finally {
        segment.release();
      }
    }
    return there;
  }

  /** Another store comes for one that is lost with its disk, if all of that is elsewhere. */
  void replace(SimColdStore lost) throws IOException {
    if (!stores.stream().allMatch(SimColdNode::isUp)) {
      return;
    }
    Set<BatchInfo> others = new HashSet<>(inBucket(bucket));
    for (SimColdStore store : stores) {
      if (store != lost) {
        others.addAll(store.held());
      }
    }
    Set<BatchInfo> held = lost.held();
    if (!others.containsAll(held)) {
      return;
    }
    lost.end("is lost with its disk");
    stores.remove(lost);
    goneUntil = sim.nanos() + 24 * HOUR;
    SimColdStore fresh = addStore();
    fresh.start();
    copyTo(fresh, held);
  }

  /** As repair does it: not what is older than the newest record that somebody evicted. */
  private void copyTo(SimColdStore fresh, Set<BatchInfo> lost) throws IOException {
    Instant evicted =
        stores.stream()
            .flatMap(store -> store.evicted().stream())
            .map(gone -> gone.range().to().time())
            .max(Instant::compareTo)
            .orElse(Instant.MIN);
    List<Batch> copied =
        lost.stream()
            .filter(it -> it.first().time().isAfter(evicted))
            .sorted()
            .flatMap(it -> Stream.ofNullable(all.get(it)))
            .toList();
    if (!copied.isEmpty() && fresh.isUp()) {
      boolean _ = fresh.store(copied);
    }
  }

  /** After all has been well for a while. */
  private void healed() throws IOException {
    Set<BatchInfo> anywhere = new HashSet<>(inBucket(bucket));
    anywhere.addAll(inBucket(otherBucket));
    for (SimColdStore store : stores) {
      anywhere.addAll(store.held());
    }
    for (Ledger.Acknowledged each : ledger.first(ledger.count())) {
      if (!anywhere.contains(each.batch()) && mustBeThere(each.batch())) {
        throw new Violation(
            "%s of %s, acknowledged at %s, is nowhere"
                .formatted(each.batch().first(), each.batch().topic(), sim.at(each.nanos())));
      }
    }
    for (SimColdAsker asker : askers) {
      if (asker.readsBucket()
          && !mishaps.mountedOthers()
          && asker.last().stream().noneMatch(it -> it.doubts().isEmpty())) {
        throw new Violation(
            "%s answers long after all is well: %s"
                .formatted(asker, asker.last().map(SimColdAsker.Answer::doubts)));
      }
    }
  }

  @Override
  public String costs() {
    return "%d batches, %d queries, %d complete, %d events, %d faults %s, %s"
        .formatted(ledger.count(), queries, complete, sim.events(), faults.count(), faults, rules);
  }
}
