package io.cordwood.store.repair;

import io.cordwood.common.file.Filesystem;
import io.cordwood.common.http.KnownParts;
import io.cordwood.common.segment.BatchInfo;
import io.cordwood.common.segment.Fingerprint;
import io.cordwood.common.segment.SliceSums;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.store.ByTopic;
import io.cordwood.store.KnownPeers;
import io.cordwood.store.StopFlag;
import io.cordwood.store.StoreOptions;
import io.cordwood.store.StorePeer;
import io.cordwood.store.replicate.Replicas;
import io.cordwood.store.segment.MissingRanges;
import io.cordwood.store.segment.SegmentMerge;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The repair of a simulated store: the store's own classes over a set of batches. */
public final class SimRepair {
  private static final Path FILE = Path.of("/data/store/replicated-from");

  private final Repair repair;
  private final ProvenCopies proven;
  private final KnownPeers peers;
  private final KnownPartners partners;

  /** What a store holds; the set that it is in. */
  public interface Batches {
    NavigableSet<BatchInfo> batches();

    /** What they add up to, by slices of that length. */
    SliceSums sums(long sliceMillis);

    /** Before which batches may be gone. */
    Instant horizon();

    /** The damage that was set aside, and what it may have taken. */
    MissingRanges lacks();

    /** All that some of it took has its copies again. */
    void restored(String name);
  }

  /** Questions to other stores. */
  public interface Calls {
    /**
     * The table of a store as text.
     *
     * @param known parts of it that are here already
     */
    String slices(StorePeer peer, Optional<KnownParts> known) throws IOException;

    /** Its batches of a range. */
    NavigableSet<BatchInfo> batches(StorePeer peer, UlidRange range) throws IOException;
  }

  /** Makes a file of batches, for as long as they are sent. */
  public interface Files {
    Path write(List<BatchInfo> batches) throws IOException;
  }

  /** The parts that come from the simulator. */
  public record Setting(
      StoreOptions options,
      KnownPeers peers,
      Filesystem disk,
      Calls calls,
      Files files,
      Replicas replicas,
      RandomGenerator random,
      LongSupplier nanoTime) {}

  /** A store that starts. */
  public SimRepair(Setting from, Batches held, InstantSource clock) throws IOException {
    StoreOptions options = from.options;
    partners =
        new KnownPartners(() ->
            held.batches().stream()
                .map(batch -> batch.first().time())
                .max(Instant::compareTo)
                .orElse(Instant.MIN));
    this.peers = from.peers.telling(partners::seen);
    this.proven =
        new ProvenCopies(
            new ReplicatedFrom(
                from.disk,
                FILE,
                options.replicationFactor(),
                held.batches().isEmpty() && !held.lacks().isDamaged(),
                partners.newest()),
            partners,
            held.lacks());
    var metrics = new RepairMetrics(new SimpleMeterRegistry());
    var context =
        new RepairContext(
            options,
            new HeldBatches(from, held),
            new Asked(from.calls, new KnownTables()),
            from.replicas,
            from.random,
            from.nanoTime,
            metrics,
            new StopFlag());
    var hinted =
        new HintedSlices(
            options.repair().slice(),
            () -> clock.instant().minus(options.repair().repairAfter()),
            metrics);
    var damage =
        new DamageCheck(
            context,
            peers,
            proven,
            name -> {
              held.restored(name);
              return name;
            });
    this.repair = new Repair(context, peers, hinted, proven, damage, _ -> {}, clock);
  }

  /** One look. */
  public void runOnce() throws IOException {
    repair.runOnce();
  }

  /** Another store sends something. */
  public void seen(String nodeId) {
    partners.seen(nodeId);
  }

  /** The other stores, each of which is known to be needed from then on. */
  public KnownPeers peers() {
    return peers;
  }

  /** As the store tells others. */
  public long replicatedFromMillis() {
    return proven.from().millis();
  }

  /** As the store tells others. */
  public Optional<Set<String>> partners() {
    proven.partners().look(peers.otherStores().stream().map(StorePeer::nodeId).toList());
    return proven.partners().ids();
  }

  /** A store's table. */
  public static final class Table {
    private final SliceTable slices;

    public Table(StoreOptions options, Batches held) {
      slices = tableOf(options, held);
    }

    /** As the store answers with it. */
    public String text(Optional<KnownParts> known) {
      return SliceTableText.of(slices, known);
    }
  }

  private static SliceTable tableOf(StoreOptions options, Batches held) {
    long millis = options.repair().slice().toMillis();
    var slices = new TreeMap<Long, Fingerprint>();
    held.sums(millis).forEach(slices::put);
    return new SliceTable(millis, ByTopic.all(held.horizon()), true, slices, List.of());
  }

  private static List<BatchInfo> in(UlidRange range, Batches held) {
    return held.batches().stream().filter(batch -> range.contains(batch.first())).toList();
  }

  private record Asked(Calls calls, KnownTables known) implements Holdings {
    @Override
    public Map<StorePeer, SliceTable> slices(
        List<StorePeer> peers, BiConsumer<StorePeer, IOException> failed) {
      known.retain(peers);
      Map<StorePeer, SliceTable> tables = new LinkedHashMap<>();
      for (StorePeer peer : peers) {
        try {
          tables.put(peer, known.get(peer, (table, parts) -> ask(peer, table, parts)));
        } catch (IOException e) {
          failed.accept(peer, e);
        }
      }
      return tables;
    }

    private SliceTable ask(StorePeer peer, @Nullable SliceTable before, Optional<KnownParts> parts)
        throws IOException {
      String text = calls.slices(peer, parts);
      var lines = new BufferedReader(new StringReader(text), Math.max(1, text.length()));
      return SliceTableText.parse(lines, true, before);
    }

    @Override
    public Listing batches(StorePeer peer, UlidRange range) throws IOException {
      Iterator<BatchInfo> answer = calls.batches(peer, range).iterator();
      return new Listing() {
        @Override
        public @Nullable BatchInfo next() {
          return answer.hasNext() ? answer.next() : null;
        }

        @Override
        public void close() {}
      };
    }
  }

  private record HeldBatches(Setting from, Batches held) implements Contents {
    @Override
    public void update(Instant settled) {}

    @Override
    public SliceTable table() {
      return tableOf(from.options, held);
    }

    @Override
    public void with(UlidRange range, Work work) throws IOException {
      List<BatchInfo> now = in(range, held);
      work.run(
          new Contents.Held() {
            @Override
            public UlidRange range() {
              return range;
            }

            @Override
            public void list(SegmentMerge.Sink<BatchInfo> sink) throws IOException {
              for (BatchInfo batch : now) {
                sink.accept(batch);
              }
            }

            @Override
            public long copy(List<BatchInfo> wanted, Taker taker) throws IOException {
              Set<BatchInfo> all = Set.copyOf(now);
              List<BatchInfo> found = wanted.stream().filter(all::contains).toList();
              if (!found.isEmpty()) {
                taker.take(from.files.write(found), found.size());
              }
              return found.size();
            }
          });
    }
  }
}
