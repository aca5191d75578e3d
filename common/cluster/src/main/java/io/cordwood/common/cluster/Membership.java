package io.cordwood.common.cluster;

import io.cordwood.common.net.HostPort;
import io.cordwood.common.run.MachineErrors;
import io.cordwood.common.run.PeriodicTask;
import io.scalecube.cluster.ClusterConfig;
import io.scalecube.cluster.ClusterImpl;
import io.scalecube.cluster.Member;
import io.scalecube.cluster.membership.MembershipEvent;
import io.scalecube.cluster.metadata.MetadataCodec;
import io.scalecube.cluster.transport.api.Message;
import io.scalecube.cluster.transport.api.MessageCodec;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The gossip library, set up our way: joins, publishes this node's description, looks for those who
 * are missing, leaves.
 *
 * <p>All of that happens on one daemon thread, so that it comes in this order and nobody waits for
 * it. A join that fails, for whatever reason, is tried again and again. The membership events go to
 * {@link Peers} on the library's own thread.
 */
@SuppressWarnings(
    "FutureReturnValueIgnored") // what the thread runs catches and logs its own errors
final class Membership {
  private static final Logger LOG = LoggerFactory.getLogger(Membership.class);
  private static final Duration RETRY_JOIN = Duration.ofSeconds(5);
  private static final Duration FIRST_LOOK_POLL = Duration.ofMillis(5);
  private static final Duration MAX_LEAVE = Duration.ofSeconds(5);
  private static final Duration MAX_LAST_WORD = Duration.ofSeconds(3);

  private final ClusterOptions options;
  private final MemberTransport transport;
  private final HostPort advertised;
  private final Peers peers;
  private final MessageCodec codec;
  private final Rejoin rejoin;
  private final Recollections recollections;
  private final DuplicateNodeIds duplicates;
  private final ScheduledExecutorService thread;
  private volatile NodeInfo self;
  private volatile @Nullable ClusterImpl library; // once joined
  private @Nullable ClusterImpl latest; // that was made, joined or not; owned by the thread
  private final AtomicBoolean closed = new AtomicBoolean();
  private final Set<Role> rolesAtStart;
  private final MembershipState state;
  private final Optional<MembersFile> members;
  private final Instant startedAt;
  private final Set<String> ownAddresses = ConcurrentHashMap.newKeySet();
  private final Publication publication;
  private final GatheredChanges changes = new GatheredChanges(this::writeAfter);

  Membership(
      NodeInfo self,
      ClusterOptions options,
      MemberTransport transport,
      MessageCodec codec,
      MembershipState state,
      Surroundings surroundings) {
    this.self = self;
    thread = surroundings.thread();
    this.options = options;
    this.transport = transport;
    peers = state.peers();
    advertised = new HostPort(options.effectiveAdvertisedHost(), transport.port());
    publication = new Publication(self, options.timing().loadInterval(), surroundings.nanoTime());
    rolesAtStart = self.roles();
    this.codec = codec;
    rejoin = new Rejoin(transport, surroundings, state);
    recollections = new Recollections(transport, state);
    duplicates = state.duplicates();
    this.state = state;
    members = options.membersFile().map(path -> new MembersFile(path, surroundings.disk()));
    startedAt = state.clock().instant();
    ownAddresses.add(advertised.toString());
    state.seeds().reached(advertised.toString());
  }

  void start() throws IOException {
    if (members.isPresent()) {
      restore(members.get().read(startedAt));
    }
    long intervalMillis = options.timing().loadInterval().toMillis();
    thread.execute(this::join);
    again("publish this node's load", this::publish, intervalMillis);
    long syncMillis = options.timing().syncInterval().toMillis();
    again("look for missing members", this::lookAround, syncMillis);
  }

  private void again(String what, Runnable task, long pauseMillis) {
    thread.scheduleWithFixedDelay(
        PeriodicTask.guarded(what, LOG, task), pauseMillis, pauseMillis, TimeUnit.MILLISECONDS);
  }

  private void restore(SavedMembers remembered) {
    state.restore(remembered, self);
    ownAddresses.addAll(remembered.ownAddresses());
  }

  NodeInfo self() {
    return self;
  }

  Optional<String> doubt() {
    return isJoined() ? state.doubt(ownAddresses) : Optional.of("this node is starting");
  }

  void awaitFirstLook(Duration longest) throws InterruptedException {
    long end = System.nanoTime() + longest.toNanos();
    while (isLookingForTheFirstTime() && System.nanoTime() - end < 0) {
      Thread.sleep(FIRST_LOOK_POLL);
    }
  }

  private boolean isLookingForTheFirstTime() {
    boolean doubtful =
        (doubt().isPresent() || stranger().isPresent()) && state.seeds().unreachable() == 0;
    return !isJoined()
        || !state.seeds().untried().isEmpty()
        || doubtful
        || state.departed().all().stream()
            .anyMatch(gone ->
                gone.since().equals(startedAt) && !rejoin.wasCalledInVain(gone.gossipAddress()));
  }

  /** Why no other node would miss this one; empty if that is not so. */
  Optional<String> stranger() {
    return isJoined() ? state.stranger(ownAddresses) : Optional.of("this node is starting");
  }

  boolean forget(String nodeId) {
    boolean known = state.departed().giveUp(nodeId);
    noteChange();
    return known;
  }

  void forgetUnknown() {
    state.memory().nobodyElse();
    noteChange();
  }

  boolean isJoined() {
    return library != null;
  }

  synchronized void load(NodeLoad load) {
    self = self.withLoad(load);
  }

  /** The others learn of it before this node leaves. */
  synchronized void giveUp(Role role) {
    self = self.without(role);
    state.memory().takesItsLeave();
  }

  HostPort advertised() {
    return advertised;
  }

  /** Does nothing the second time. */
  void close() {
    if (closed.getAndSet(true)) {
      return;
    }
    thread.execute(this::leave);
    try {
      if (!thread.awaitTermination(2 * MAX_LEAVE.toMillis(), TimeUnit.MILLISECONDS)) {
        LOG.warn("leaving the cluster took too long; the others will notice");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void join() {
    if (closed.get()) {
      return;
    }
    try {
      InetAddress.getLocalHost(); // the library asks for it too, and gives up if there is none
      ClusterImpl starting =
          new ClusterImpl(config(codec))
              .handler(_ -> new MemberEvents(peers, transport, this::noteChange, this::hear));
      latest = starting;
      starting.start().subscribe(_ -> onThread(() -> joined(starting)), this::notJoined);
    } catch (UnknownHostException e) {
      LOG.warn("no gossip yet, this machine's own name has no address: {}", e.getMessage());
      joinLater();
    } catch (RuntimeException | Error e) {
      MachineErrors.rethrow(e);
      notJoined(e);
    }
  }

  private void notJoined(Throwable why) {
    LOG.error("gossip could not start, and is tried again in {} s", RETRY_JOIN.toSeconds(), why);
    joinLater();
  }

  private void joinLater() {
    later(this::join, RETRY_JOIN);
  }

  private void joined(ClusterImpl started) {
    transport.hear();
    library = started;
    takeIn();
    PeriodicTask.guarded("look for members", LOG, this::lookAround).run();
  }

  private void lookAround() {
    ClusterImpl running = library;
    if (running == null || closed.get()) {
      return;
    }
    rejoin.round(running.member());
    state.look(ownAddresses);
    remember();
    recollections.round(running.member());
    duplicates.look(self.nodeId(), advertised.toString());
  }

  private void noteChange() {
    onThread(this::remember);
  }

  private void onThread(Runnable change) {
    try {
      thread.execute(PeriodicTask.guarded("take in a change of the cluster", LOG, change));
    } catch (RejectedExecutionException e) {
      LOG.debug("a change is not taken in any more: this node ends", e);
    }
  }

  /** Somebody has come, gone, or said something of itself; on the library's thread. */
  private void noteChange(MembershipEvent event) {
    changes.add(
        peers.size(),
        self -> {
          if (event.isAdded()) {
            recollections.welcome(self, event.member().address());
          }
        });
  }

  private void writeAfter(Duration pause) {
    later(PeriodicTask.guarded("write down changes of the cluster", LOG, this::takeIn), pause);
  }

  private void later(Runnable task, Duration pause) {
    try {
      thread.schedule(task, pause.toMillis(), TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      LOG.debug("this node ends", e);
    }
  }

  /** Changes that come while this node joins wait until it has. */
  private void takeIn() {
    ClusterImpl running = library;
    if (running != null) {
      List<Consumer<Member>> afterwards = changes.take();
      remember();
      afterwards.forEach(act -> act.accept(running.member()));
    }
  }

  /** A member tells whom it remembers; on the library's thread. */
  private void hear(Message message) {
    String sender = message.sender();
    if (sender == null || !(message.data() instanceof Recollection part)) {
      return;
    }
    onThread(() -> {
      state.heard(sender, part);
      state.look(ownAddresses);
      changes.add(
          peers.size(),
          self -> {
            if (part.asks()) {
              recollections.tell(self, sender, false);
            }
          });
    });
  }

  /** Those who were ever met, at one moment. */
  private record Met(List<ClusterView.Listed> listed, List<DepartedNode> departed) {}

  /** Writes down who is known; on the thread. */
  private void remember() {
    var listed =
        new ClusterView.Listed(advertised.toString(), ClusterView.State.ALIVE, startedAt, self);
    Met met = peers.between(() -> new Met(peers.listed(), state.departed().all()));
    state.memory().known(peers.nodeIds());
    met.departed().forEach(gone -> state.memory().known(List.of(gone.node().nodeId())));
    Memory.Written memory = state.memory().written();
    List<String> metPeers = state.seeds().met();
    members.ifPresent(file ->
        recollections.onDisk(file.write(memory, listed, met.listed(), met.departed(), metPeers)));
  }

  private void publish() {
    ClusterImpl running = library;
    if (running != null) {
      publication.publish(self, 1 + peers.size(), running::updateMetadata);
    }
  }

  private void leave() {
    try {
      ClusterImpl running = latest;
      if (running != null) {
        remember();
        tellWhatWasGivenUp(running);
        running.shutdown();
        if (!peers.isEmpty()) {
          running.onShutdown().block(MAX_LEAVE);
        }
      }
    } catch (RuntimeException e) {
      LOG.warn("could not say goodbye to the cluster: {}", e.toString());
    } finally {
      transport.stop().block(MAX_LEAVE);
      thread.shutdownNow();
    }
  }

  /** Whoever does not hear of it in time goes on believing that there is something to be missed. */
  private void tellWhatWasGivenUp(ClusterImpl running) {
    NodeInfo last = self;
    if (last.roles().equals(rolesAtStart) || peers.isEmpty()) {
      return;
    }
    try {
      running.updateMetadata(NodeInfoCodec.encode(last)).block(MAX_LAST_WORD);
    } catch (RuntimeException e) {
      LOG.info("not sure that all others heard which roles this node gave up: {}", e.toString());
    }
  }

  private ClusterConfig config(MessageCodec codec) {
    GossipTiming timing = options.timing();
    return ClusterConfig.defaultLanConfig()
        .externalHost(bracketed(advertised.host()))
        .externalPort(advertised.port())
        .metadata(NodeInfoCodec.encode(self))
        .metadataCodec(new BytesAsTheyAre())
        .metadataTimeout(millis(timing.metadataTimeout()))
        .transport(t -> t.messageCodec(codec).transportFactory(_ -> transport))
        .failureDetector(f ->
            f.pingInterval(millis(timing.pingInterval())).pingTimeout(millis(timing.pingTimeout())))
        .gossip(g -> g.gossipInterval(millis(timing.gossipInterval())))
        .membership(m ->
            m.namespace("cordwood-" + options.clusterName())
                .seedMembers(othersOf(options.seeds()))
                .suspicionMult(timing.suspicionFactor())
                .syncInterval(millis(timing.syncInterval()))
                .syncTimeout(millis(timing.syncTimeout())));
  }

  /** Without this node's own address, of which the library would warn. */
  private List<String> othersOf(List<HostPort> seeds) {
    return seeds.stream()
        .filter(seed -> !(seed.port() == advertised.port() && isOwn(seed.host())))
        .map(HostPort::toString)
        .toList();
  }

  private boolean isOwn(String host) {
    boolean loopback = host.equals("localhost") && advertised.host().equals("127.0.0.1");
    return host.equals(advertised.host()) || host.equals(options.bind().host()) || loopback;
  }

  private static String bracketed(String host) {
    return host.indexOf(':') < 0 ? host : "[" + host + "]";
  }

  private static int millis(Duration duration) {
    return Math.toIntExact(duration.toMillis());
  }

  /** Metadata is bytes to the library: what it may not do is choose how to read them. */
  private static final class BytesAsTheyAre implements MetadataCodec {
    @Override
    public @Nullable Object deserialize(ByteBuffer buffer) {
      byte[] bytes = new byte[buffer.remaining()];
      buffer.get(bytes);
      return bytes;
    }

    @Override
    public ByteBuffer serialize(Object metadata) {
      return ByteBuffer.wrap((byte[]) metadata);
    }
  }
}
