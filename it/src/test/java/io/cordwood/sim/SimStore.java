package io.cordwood.sim;

import io.cordwood.common.cluster.NodeInfo;
import io.cordwood.common.cluster.NodeLoad;
import io.cordwood.common.cluster.Partners;
import io.cordwood.common.cluster.Role;
import io.cordwood.common.http.client.PeerCredentials;
import io.cordwood.common.segment.BatchInfo;
import io.cordwood.common.segment.SegmentSource;
import io.cordwood.common.segment.SliceSums;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.store.KnownPeers;
import io.cordwood.store.OwnSegments;
import io.cordwood.store.RepairOptions;
import io.cordwood.store.StoreMetrics;
import io.cordwood.store.StoreOptions;
import io.cordwood.store.StorePeer;
import io.cordwood.store.keep.SimRetention;
import io.cordwood.store.repair.SimRepair;
import io.cordwood.store.replicate.PeerChoice;
import io.cordwood.store.replicate.Replicator;
import io.cordwood.store.segment.MissingRanges;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A store: its disk is the set of batches that are durable there. */
final class SimStore extends SimNode {
  static final long CALL = Duration.ofSeconds(10).toNanos();
  private static final int FILES = 100;
  private static final long BETWEEN_FORCES = Duration.ofSeconds(20).toNanos();
  private static final long FREE_BYTES = 1L << 30;

  static final long BETWEEN_DELETIONS = Duration.ofSeconds(10).toNanos();
  private static final long BETWEEN_SCRUBS = Duration.ofMinutes(4).toNanos();

  private StoreOptions options;
  private final StoredBatches stored = new StoredBatches(clock, cluster.ledger);
  private final List<BatchInfo> unforced = new ArrayList<>();

  /** The latest that were written: several are on their way to other stores at once. */
  private final Map<Path, List<BatchInfo>> files =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Path, List<BatchInfo>> eldest) {
          return size() > FILES;
        }
      };

  private @Nullable SimRepair repair;
  private SimRepair.@Nullable Table table;
  private @Nullable SimRetention retention;
  private MissingRanges lacks = new MissingRanges();
  private long fileNumber;

  SimStore(SimCluster cluster) {
    super(cluster, Role.STORE);
    this.options = options(cluster.copies());
  }

  private static StoreOptions options(int copies) {
    return StoreOptions.at(Path.of("/data/store"))
        .withReplicationFactor(copies)
        .with(
            RepairOptions.DEFAULT
                .withRepair(Duration.ofMinutes(2), Long.MAX_VALUE / 2)
                .withSlice(Duration.ofMinutes(1)));
  }

  @Override
  void begins() {
    if (!cluster.makes(Mistake.IGNORE_CHANGE_OF_COPIES)) {
      options = options(cluster.copies());
    }
  }

  @Override
  int copies() {
    return options.replicationFactor();
  }

  StoredBatches stored() {
    return stored;
  }

  /** Some batches can be read no more. */
  void rot(SplittableRandom faults) {
    stored.rot(faults);
    sim.note(process(), "has rotten " + stored.rotten().size());
  }

  /** What is rotten is set aside. */
  private void scrub() {
    Set<BatchInfo> rotten = stored.rotten();
    if (!rotten.isEmpty() && !cluster.makes(Mistake.NEVER_SCRUB)) {
      sim.note(process(), "sets aside " + rotten.size());
      cluster.ledger.released(rotten, id);
      stored.setAside(lacks);
      table = null;
    }
  }

  private void drop(Collection<BatchInfo> batches) {
    stored.remove(batches);
    table = null;
  }

  private void deleteOld() {
    Map<BatchInfo, Instant> times =
        cluster.makes(Mistake.DELETE_BY_STAMPS)
            ? stored.all().stream().collect(Collectors.toMap(b -> b, b -> b.first().time()))
            : stored.written();
    List<BatchInfo> old = retention().old(times);
    if (!old.isEmpty()) {
      sim.note(process(), "deletes " + old.size());
      drop(old);
      cluster.checks.deleted(this, old);
    }
  }

  private SimRetention retention() {
    return Objects.requireNonNull(retention);
  }

  @Override
  void takeSnapshot() {
    super.takeSnapshot();
    stored.takeSnapshot();
  }

  @Override
  void putBackDisk() {
    super.putBackDisk();
    List<BatchInfo> lost = stored.putBack();
    table = null;
    cluster.checks.lostWithDisk(this, lost);
  }

  @Override
  void powerLost() {
    drop(List.copyOf(unforced));
    unforced.clear();
    cluster.checks.kept(this);
  }

  @Override
  void started() throws IOException {
    unforced.clear();
    files.clear();
    table = null;
    lacks = stored.lacks();
    var peers =
        new KnownPeers(
            id, List::of, this::peers, PeerCredentials.NONE, OwnSegments.NONE, this::allStores);
    var setting =
        new SimRepair.Setting(
            options,
            peers,
            disk,
            new SimHoldings(this),
            this::write,
            this::sendCopy,
            random,
            sim::nanos);
    retention =
        new SimRetention(
            cluster.retention(),
            stored.written(),
            clock,
            cluster.makes(Mistake.DELETE_BY_ANY_CLOCK) ? new Racing()::next : sim::nanos);
    var started = new SimRepair(setting, new Held(), clock);
    repair = started;
    int others = options.replicationFactor() - 1;
    var replicator =
        new Replicator(
            cluster.makes(Mistake.COMMIT_WITH_A_COPY_TOO_FEW) ? Math.max(0, others - 1) : others,
            new PeerChoice(started.peers(), random, sim::nanos),
            this::send,
            new StoreMetrics(new SimpleMeterRegistry()),
            Runnable::run,
            sim::nanos);
    sim.every(BETWEEN_DELETIONS, process(), this::deleteOld);
    sim.every(BETWEEN_SCRUBS, process(), this::scrub);
    sim.start("consume", process(), new SimConsumer(this, replicator)::run);
    sim.start("repair", process(), () -> repair(started));
    if (cluster.makes(Mistake.ACKNOWLEDGE_REPLICA_BEFORE_FORCE)) {
      sim.every(BETWEEN_FORCES, process(), unforced::clear);
    }
  }

  private List<StorePeer> peers() {
    return membership()
        .known()
        .with(Role.STORE)
        .map(node ->
            new StorePeer(node.nodeId(), uriOf(node), node.load().storedBytes(), FREE_BYTES))
        .toList();
  }

  private URI uriOf(NodeInfo node) {
    return cluster.node(node.nodeId()).map(SimNode::uri).orElseGet(() -> node.apiUri(false));
  }

  private Optional<Set<String>> allStores() {
    return cluster.makes(Mistake.RESTORE_WITHOUT_THE_ABSENT)
        ? Optional.of(Set.of())
        : membership().known().allWith(Role.STORE);
  }

  /** What it had and cannot give, as it tells those who ask. */
  Optional<SegmentSource.Lack> lack() {
    return cluster.makes(Mistake.KEEP_DAMAGE_QUIET) ? Optional.empty() : lacks.in(UlidRange.ALL);
  }

  @Override
  NodeLoad load() {
    SimRepair of = Objects.requireNonNull(repair);
    if (cluster.makes(Mistake.TELL_OF_COPIES_UNPROVEN)) {
      return NodeLoad.NONE.withStored(stored.all().size(), 0, Partners.of(List.of()));
    }
    Partners partners = of.partners().map(Partners::of).orElse(Partners.UNKNOWN);
    return NodeLoad.NONE.withStored(stored.all().size(), of.replicatedFromMillis(), partners);
  }

  /** Sends what is missing to another store. */
  private void sendCopy(StorePeer to, Path file, Duration longest) throws IOException {
    if (!cluster.makes(Mistake.REPAIR_WITHOUT_SENDING)) {
      send(to, file, longest);
    }
  }

  Path write(List<BatchInfo> batches) throws IOException {
    if (batches.stream().anyMatch(stored.rotten()::contains)) {
      scrub();
      throw new IOException("there is damage in what was to be sent");
    }
    Path file = Path.of("/data/store/file-" + fileNumber++);
    files.put(file, batches);
    return file;
  }

  /** Sends a file to another store. */
  private void send(StorePeer to, Path file, Duration longest) throws IOException {
    List<BatchInfo> batches = Objects.requireNonNull(files.get(file));
    SimStore target = store(to);
    boolean _ =
        cluster.network.call(
            Costs.Kind.COPY,
            this,
            target,
            Math.min(CALL, longest.toNanos()),
            () -> target.receive(this, batches));
  }

  /** Another store, wherever it is. */
  SimStore store(StorePeer peer) throws IOException {
    return cluster
        .node(peer.nodeId())
        .filter(SimStore.class::isInstance)
        .map(SimStore.class::cast)
        .orElseThrow(() -> new IOException(peer + " is nowhere"));
  }

  private boolean receive(SimStore from, List<BatchInfo> batches) throws IOException {
    Objects.requireNonNull(repair).seen(from.id);
    if (cluster.makes(Mistake.ACKNOWLEDGE_REPLICA_BEFORE_FORCE)) {
      batches.stream().filter(batch -> !stored.all().contains(batch)).forEach(unforced::add);
    }
    sim.note(process(), "has " + batches.size() + " batches of " + from.id);
    keep(batches);
    return true;
  }

  /** Makes batches durable here. */
  void keep(List<BatchInfo> batches) throws IOException {
    disk.takeRoom();
    disk.forceFolder(Path.of("/data/store"));
    stored.add(batches);
    table = null;
    batches.forEach(batch -> cluster.ledger.stored(batch, id));
  }

  private void repair(SimRepair own) throws IOException {
    while (true) {
      sim.current().sleep(options.repair().repairEvery().toNanos());
      own.runOnce();
    }
  }

  SimRepair.Table table() {
    SimRepair.Table known = table;
    if (known == null) {
      known = new SimRepair.Table(options, new Held());
      table = known;
    }
    return known;
  }

  /** Time of which days pass each time that somebody looks. */
  private static final class Racing {
    private long nanos;

    long next() {
      nanos += Duration.ofDays(100).toNanos();
      return nanos;
    }
  }

  private final class Held implements SimRepair.Batches {
    @Override
    public NavigableSet<BatchInfo> batches() {
      return stored.all();
    }

    @Override
    public SliceSums sums(long sliceMillis) {
      return stored.sums(sliceMillis);
    }

    @Override
    public Instant horizon() {
      return retention().horizon();
    }

    @Override
    public MissingRanges lacks() {
      return lacks;
    }

    @Override
    public void restored(String name) {
      sim.note(process(), "misses no more what went with " + name);
      stored.restored(name);
      lacks.restored(name);
    }
  }
}
