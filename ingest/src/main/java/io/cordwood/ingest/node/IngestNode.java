package io.cordwood.ingest.node;

import io.cordwood.common.cluster.NodeInfo;
import io.cordwood.common.cluster.NodeLoad;
import io.cordwood.common.deletion.Deletions;
import io.cordwood.common.deletion.Tombstones;
import io.cordwood.common.deletion.WaitingDeletions;
import io.cordwood.common.file.Filesystem;
import io.cordwood.common.file.ReadableFile;
import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.server.Routes;
import io.cordwood.common.run.RateLimit;
import io.cordwood.common.segment.SegmentSource;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.ingest.Admission;
import io.cordwood.ingest.BufferedBytesLimit;
import io.cordwood.ingest.IngestMetrics;
import io.cordwood.ingest.IngestOptions;
import io.cordwood.ingest.Intake;
import io.cordwood.ingest.OpenConnections;
import io.cordwood.ingest.SeenSenders;
import io.cordwood.ingest.bulk.BulkPort;
import io.cordwood.ingest.bulk.BulkRoutes;
import io.cordwood.ingest.bulk.Uploads;
import io.cordwood.ingest.mode.DurableMode;
import io.cordwood.ingest.mode.FastMode;
import io.cordwood.ingest.otlp.OtlpRoutes;
import io.cordwood.ingest.push.PushPorts;
import io.cordwood.ingest.push.PushRoutes;
import io.cordwood.ingest.segment.DiskSpace;
import io.cordwood.ingest.segment.Flusher;
import io.cordwood.ingest.segment.IngestDisk;
import io.cordwood.ingest.segment.IngestLog;
import io.cordwood.ingest.segment.SegmentRefusedException;
import io.cordwood.ingest.sender.Hints;
import io.cordwood.ingest.sender.LineScan;
import io.cordwood.ingest.sender.SenderListener;
import io.cordwood.ingest.socket.SocketListener;
import io.cordwood.ingest.unconsumed.SegmentRoutes;
import io.cordwood.ingest.unconsumed.UnconsumedSegments;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An ingest node: takes records from senders and keeps them in segments until a store has them.
 *
 * <pre>
 *               one a port         one a sender           one a loop      forces    segment API
 *   senders ──► SenderListener ──► SenderConnection ─┬──► FastWriter ───► Flusher ──► IngestLog
 *      ▲                           lines or batches  │                       ▲         ▲     ▲
 *      └─── acks ───────────────────────┘            └──► DurableWriter ─► Committer   │  stores
 *                                                                          forces      │
 *   senders ──► BulkPort, BulkRoutes     ──► Uploads ──► Upload ───────────────────────┘
 *               TCP           HTTP           answers at  a segment
 *                                            its commit  of its own
 * </pre>
 */
public final class IngestNode implements AutoCloseable {
  /** Begins the {@link #warning} of a node that refuses senders; then comes why. */
  public static final String SENDERS_REFUSED = "senders are refused: ";

  private static final Logger log = LoggerFactory.getLogger(IngestNode.class);

  private final Intake intake;
  private final IngestDisk disk;
  private final UnconsumedSegments unconsumed;
  private final DurableMode durable;
  private final SenderListener fastListener;
  private final SenderListener durableListener;
  private final Uploads uploads;
  private final SocketListener bulkListener;
  private final PushPorts ports;
  private final ForeignProtocols foreign;
  private final LoadMeter load;
  private final Hints hints;
  private final Object leavingOut = new Object();
  private volatile Tombstones leftOut = Tombstones.NONE;
  private volatile Tombstones carriedOut = Tombstones.NONE;
  private boolean stopped;

  private IngestNode(Intake intake, IngestDisk disk) throws IOException {
    IngestOptions options = intake.options();
    IngestMetrics metrics = intake.metrics();
    var listening = options.listening();
    this.intake = intake;
    this.disk = disk;
    this.unconsumed = new UnconsumedSegments(disk.segments(), metrics, intake.clock());
    this.load = new LoadMeter(intake.connections(), disk, metrics);
    this.hints = new Hints(intake, load::load);
    this.fastListener =
        SenderListener.start(
            intake, new FastMode(options, disk, metrics), hints, listening.fastPort());
    this.durable = new DurableMode(options, disk, metrics);
    try {
      this.durableListener = SenderListener.start(intake, durable, hints, listening.durablePort());
    } catch (IOException | RuntimeException e) {
      durable.close();
      fastListener.close();
      throw e;
    }
    this.uploads = new Uploads(intake, disk);
    this.ports = new PushPorts(intake, fastListener, durableListener);
    try {
      this.bulkListener = BulkPort.listen(intake, uploads);
    } catch (IOException | RuntimeException e) {
      durableListener.close();
      fastListener.close();
      throw e;
    }
    try {
      this.foreign = ForeignProtocols.start(ports);
    } catch (IOException | RuntimeException e) {
      bulkListener.close();
      durableListener.close();
      fastListener.close();
      throw e;
    }
  }

  /**
   * Recovers the data folder and listens; when it returns, senders can connect. Nothing is taken
   * from them before {@link #startTaking}.
   *
   * @throws io.cordwood.common.file.FolderInUseException if another process has the folder
   * @throws IOException if the folder cannot be used, or the port is taken
   */
  public static IngestNode start(
      IngestOptions options, Filesystem files, MeterRegistry registry, InstantSource clock)
      throws IOException {
    return start(options, Admission.OPEN, files, registry, clock);
  }

  /**
   * The same.
   *
   * @param admission who may send
   */
  public static IngestNode start(
      IngestOptions options,
      Admission admission,
      Filesystem files,
      MeterRegistry registry,
      InstantSource clock)
      throws IOException {
    Thread.ofPlatform().daemon().name("line-scan-warm-up").start(LineScan::warmUp);
    var metrics = new IngestMetrics(registry, options);
    Duration lease = options.consuming().lease();
    var segments = IngestLog.open(options.folder(), lease, files, metrics, clock);
    try {
      return start(options, admission, segments, metrics, clock);
    } catch (IOException | RuntimeException e) {
      segments.close();
      throw e;
    }
  }

  private static IngestNode start(
      IngestOptions options,
      Admission admission,
      IngestLog segments,
      IngestMetrics metrics,
      InstantSource clock)
      throws IOException {
    var limits = options.limits();
    var space = new DiskSpace(segments, limits.reserveBytes(), metrics.registry);
    var flusher = new Flusher(segments, metrics, options.flushing().maxUnforced());
    var quotas = options.quotas();
    var connections =
        new OpenConnections(limits.maxConnections(), quotas.maxConnectionsPerAddress());
    var held = new BufferedBytesLimit(limits.maxHeldBytes(), connections);
    var rate = new RateLimit(quotas.maxBytesPerSecond(), System::nanoTime);
    metrics.registry.gauge("cordwood_ingest_held_bytes", held, BufferedBytesLimit::bytes);
    metrics.registry.gauge("cordwood_ingest_connections", connections, OpenConnections::count);
    var seen = new SeenSenders(clock, metrics.registry);
    var intake = new Intake(options, admission, connections, held, rate, metrics, seen, clock);
    try {
      return new IngestNode(intake, new IngestDisk(segments, flusher, space));
    } catch (IOException | RuntimeException e) {
      flusher.close();
      space.close();
      throw e;
    }
  }

  /**
   * Takes records from now on. Whoever searches must know of this node by then: what it
   * acknowledges is nowhere else. To be called once.
   */
  public void startTaking() {
    fastListener.startAccepting();
    durableListener.startAccepting();
    bulkListener.startAccepting();
    foreign.startAccepting();
    uploads.startReceiving();
  }

  /** From now on senders are refused, for this reason, in whatever mode; empty if they are not. */
  public void refuse(Optional<String> why) {
    intake.connections().refuse(why);
  }

  /** The port that takes uploads in bulk mode. */
  public int bulkPort() {
    return bulkListener.port();
  }

  /** The port that takes senders in fast mode. */
  public int fastPort() {
    return fastListener.port();
  }

  /** The port that takes senders in durable mode. */
  public int durablePort() {
    return durableListener.port();
  }

  /** The ports of other protocols that were asked for, by protocol; over UDP they are the same. */
  public Map<String, Integer> foreignPorts() {
    return foreign.ports();
  }

  /** Why this node does not take all that it should; empty as long as it does. */
  public Optional<String> trouble() {
    return durable.trouble().or(disk.space()::trouble);
  }

  /** Why this node has to be restarted to do its work again; empty if that is not so. */
  public Optional<String> death() {
    return durable.death().or(disk.flusher()::death);
  }

  /** A warning to people although this node works; empty if there is nothing to say. */
  public Optional<String> warning() {
    Optional<String> refusal = intake.connections().refusal();
    if (refusal.isPresent()) {
      return refusal.map(SENDERS_REFUSED::concat);
    }
    int quarantined = disk.segments().claims().quarantined().size();
    return quarantined == 0
        ? Optional.empty()
        : Optional.of(
            quarantined
                + " segments are quarantined, since no store could store them; GET "
                + ApiPaths.QUARANTINE
                + " lists them");
  }

  /** From now on this node keeps nothing that is deleted once stores have it. */
  public void leaveOut(Deletions deletions) {
    if (deletions.known().size() > 0) {
      leaveOutKnown(deletions);
    }
    deletions.whenChanged(() -> leaveOutKnown(deletions));
  }

  private void leaveOutKnown(Deletions deletions) {
    synchronized (leavingOut) {
      Tombstones known = deletions.known();
      disk.segments().leaveOut(deletions::known);
      durable.dropPrepared();
      leftOut = known;
    }
  }

  /** Tells which deletions may still be in a file of this node; any thread. */
  public void addTo(WaitingDeletions waiting) {
    Tombstones known = leftOut;
    int old = disk.segments().old();
    if (old == 0) {
      carriedOut = known;
    }
    waiting.allBut(known, "used files are looked at");
    if (old > 0) {
      waiting.allBut(carriedOut, old + " segments of before wait for stores, or are quarantined");
    }
  }

  /** Whether stores have committed all that this node received. */
  public boolean isEmpty() {
    return disk.segments().ids().isEmpty();
  }

  /**
   * Makes the other nodes known to senders that ask for it, which are told to go to a less loaded
   * one; before, they are told nothing.
   *
   * @param selfId the id of this node
   * @param members all that take senders; asked every second and for each such sender
   */
  public void tellSendersOf(String selfId, Supplier<List<NodeInfo>> members) {
    hints.know(selfId, members);
  }

  /** How busy this node is. */
  public NodeLoad load() {
    return load.load();
  }

  PushPorts ports() {
    return ports;
  }

  IngestLog segments() {
    return disk.segments();
  }

  /** The records received here that no store has committed yet. */
  public SegmentSource unconsumed() {
    return unconsumed;
  }

  /**
   * Opens a segment that a store of this node has claimed; the caller closes it. It can be read to
   * its end whatever becomes of it.
   *
   * @throws IOException also if it is not claimed any more
   */
  public ReadableFile openClaimed(Ulid id) throws IOException {
    try {
      return disk.segments().claims().read(id);
    } catch (SegmentRefusedException e) {
      throw new IOException("ingest segment " + id + ": " + e.getMessage(), e);
    }
  }

  /** Adds the segment API, and the ways for records over HTTP. */
  public void addRoutes(Routes routes) {
    new SegmentRoutes(disk.segments().claims()).addTo(routes);
    new SeenSendersRoute(intake.seen()).addTo(routes);
    var bulk = new BulkRoutes(uploads, intake);
    bulk.addTo(routes);
    new PushRoutes(ports, bulk).addTo(routes);
    foreign.addTo(routes, ports);
  }

  /** Adds what the ports of OTLP answer, and nothing else. */
  public void addOtlpRoutes(Routes routes) {
    new OtlpRoutes(ports).addTo(routes);
  }

  /**
   * Accepts no more, stores what senders have sent so far and makes it durable; then gives the
   * stores that are there some time to consume it. Segments are still served when this returns.
   * Does nothing the second time.
   */
  public void stopTaking() throws IOException {
    if (stopped) {
      return;
    }
    log.info(
        "no more senders are accepted; what {} of them have sent is read for {} s at most",
        intake.connections().count(),
        intake.options().limits().drain().toSeconds());
    stopSenders();
    log.info("all that was received is on the disk, forced");
    HandOver.await(disk.segments().claims(), intake.options().consuming().handOver());
  }

  private void stopSenders() throws IOException {
    stopped = true;
    hints.close();
    foreign.stopAccepting();
    bulkListener.stopAccepting();
    durableListener.stopAccepting();
    fastListener.stopAccepting();
    foreign.close();
    bulkListener.close();
    durableListener.close();
    fastListener.close();
    disk.flusher().close();
  }

  /**
   * {@link #stopTaking} without waiting for stores, and releases the folder. Segments that are
   * claimed stay so on the disk, and are flushed again at the next start.
   */
  @Override
  public void close() throws IOException {
    if (!stopped) {
      stopSenders();
    }
    load.close();
    unconsumed.close();
    disk.close();
  }
}
