package io.cordwood.ingest.sender;

import io.cordwood.common.cluster.NodeInfo;
import io.cordwood.common.cluster.NodeLoad;
import io.cordwood.common.run.PeriodicTask;
import io.cordwood.common.wire.Hint;
import io.cordwood.ingest.IngestMetrics;
import io.cordwood.ingest.Intake;
import io.cordwood.ingest.OpenConnections;
import io.cordwood.ingest.mode.Mode;
import io.micrometer.core.instrument.Counter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells senders that ask for it of the cluster's nodes: all of them when a sender comes and every
 * half minute, and where to go when {@link LoadBalance} says so or this node stops. What is told is
 * drawn in {@link Hint}. A thread of its own looks once a second; any thread may call.
 */
public final class Hints implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Hints.class);

  /** Nodes that a sender is told of at once; of more, any. */
  static final int MAX_NODES = 32;

  private static final Duration PERIOD = Duration.ofSeconds(1);
  private static final int MEAN_PERIODS_A_ROUND = 2;
  private static final int MEAN_PERIODS_A_LIST = 30;

  /** Senders a second that are sent on at the bound; more are told of the nodes alone. */
  private static final int MAX_WAYS = 64;

  /** Share of the connections that the node takes, from which on new senders are sent on. */
  private static final double NEARLY_FULL = 0.9;

  private final OtherNodes others = new OtherNodes();
  private final Supplier<NodeLoad> load;
  private final OpenConnections connections;
  private final int maxConnections;
  private final Random random = new Random();
  private final LoadBalance balance = new LoadBalance(random, System::nanoTime);
  private final Set<HintListener> listeners = ConcurrentHashMap.newKeySet();
  private final Counter sentOn;
  private final Counter sentOnAtBound;
  private final Counter sentOnAtStop;
  private final PeriodicTask task;
  private volatile NodeLoad seen;
  private volatile Ways waysOfFull = new Ways(List.of());
  private volatile Ways waysOfNearlyFull = new Ways(List.of());
  private int periodsToRound = MEAN_PERIODS_A_ROUND;

  /**
   * Nodes to which senders may go, one after the other: event loops take from it, and wait for
   * nothing.
   */
  private record Ways(List<NodeInfo> nodes, AtomicInteger next) {
    Ways(List<NodeInfo> nodes) {
      this(nodes, new AtomicInteger());
    }

    Optional<NodeInfo> take() {
      int at = next.getAndIncrement();
      return at < nodes.size() ? Optional.of(nodes.get(at)) : Optional.empty();
    }

    List<NodeInfo> taken() {
      return nodes.subList(0, Math.min(next.get(), nodes.size()));
    }
  }

  /**
   * @param load of this node, asked every second
   */
  public Hints(Intake intake, Supplier<NodeLoad> load) {
    this.load = load;
    this.seen = load.get();
    this.connections = intake.connections();
    this.maxConnections = intake.options().limits().maxConnections();
    var registry = intake.metrics().registry;
    String name = IngestMetrics.PREFIX + "senders_sent_on_total";
    this.sentOn = registry.counter(name, "reason", "load");
    this.sentOnAtBound = registry.counter(name, "reason", "bound");
    this.sentOnAtStop = registry.counter(name, "reason", "stop");
    registry.gauge(IngestMetrics.PREFIX + "hinted_connections", listeners, Set::size);
    task = PeriodicTask.start("ingest-hints", PERIOD, registry, this::look);
  }

  /** Tells it who the others are, as {@link OtherNodes#know}; before, nothing is told. */
  public void know(String selfId, Supplier<List<NodeInfo>> members) {
    others.know(selfId, members);
    prepare(others.all());
  }

  /** A sender that asked; it is told at once. For its event loop. */
  void add(HintListener sender) {
    String list = list(sender.mode(), others.all());
    sender.periodsToList = list.isEmpty() ? 1 : soon(MEAN_PERIODS_A_LIST);
    listeners.add(sender);
    if (!list.isEmpty()) {
      sender.tell(list + elsewhere(sender.mode(), false));
    }
  }

  void remove(HintListener sender) {
    listeners.remove(sender);
  }

  /** The hints for a sender that is refused, since the node takes no more of them. */
  String whereElse(Mode mode) {
    String list = list(mode, others.all());
    return list.isEmpty() ? list : list + elsewhere(mode, true);
  }

  private String elsewhere(Mode mode, boolean isFull) {
    if (!isFull && own().connections() <= NEARLY_FULL * maxConnections) {
      return "";
    }
    Optional<NodeInfo> to = (isFull ? waysOfFull : waysOfNearlyFull).take();
    to.ifPresent(_ -> sentOnAtBound.increment());
    return to.map(node -> HintLines.go(node, mode)).orElse("");
  }

  /** Finds out where those may go that come until the next time, however many they are. */
  private void prepare(List<NodeInfo> nodes) {
    synchronized (balance) {
      waysOfFull.taken().forEach(balance::went);
      waysOfNearlyFull.taken().forEach(balance::went);
      waysOfFull = new Ways(balance.elsewhere(own(), nodes, true, MAX_WAYS));
      waysOfNearlyFull = new Ways(balance.elsewhere(own(), nodes, false, MAX_WAYS));
    }
  }

  private String list(Mode mode, List<NodeInfo> nodes) {
    Optional<String> self = others.selfId();
    if (self.isEmpty()) {
      return "";
    }
    List<NodeInfo> some = new ArrayList<>(nodes);
    Collections.shuffle(some, random);
    var lines = new StringBuilder(HintLines.self(self.get(), own()));
    some.stream().limit(MAX_NODES).forEach(node -> lines.append(HintLines.node(node, mode)));
    return lines.toString();
  }

  /** With the connections of this moment; waits for nothing. */
  private NodeLoad own() {
    return seen.withConnections(connections.count());
  }

  /** Half of a mean to one and a half: senders and nodes do not act at once. */
  private int soon(int mean) {
    return mean / 2 + random.nextInt(mean + 1);
  }

  private void look() {
    seen = load.get();
    List<NodeInfo> nodes = others.all();
    prepare(nodes);
    listeners.forEach(listener -> look(listener, nodes));
    if (--periodsToRound <= 0) {
      periodsToRound = soon(MEAN_PERIODS_A_ROUND);
      round(nodes);
    }
  }

  private void look(HintListener sender, List<NodeInfo> nodes) {
    sender.look();
    if (--sender.periodsToList <= 0) {
      String list = list(sender.mode(), nodes);
      sender.periodsToList = list.isEmpty() ? 1 : soon(MEAN_PERIODS_A_LIST);
      sender.tell(list);
    }
  }

  private void round(List<NodeInfo> nodes) {
    if (nodes.isEmpty() || listeners.isEmpty()) {
      return;
    }
    List<LoadBalance.Sender<HintListener>> senders = new ArrayList<>();
    listeners.forEach(
        sender -> senders.add(new LoadBalance.Sender<>(sender, sender.bytesPerSecond())));
    List<LoadBalance.Move<HintListener>> moves;
    synchronized (balance) {
      moves = balance.round(own(), nodes, senders);
    }
    for (var move : moves) {
      if (listeners.contains(move.sender())) {
        sentOn.increment();
        String self = HintLines.self(others.selfId().orElseThrow(), own());
        move.sender().tell(self + HintLines.go(move.to(), move.sender().mode()));
      }
    }
  }

  /** Tells all that listen where else to go, before their connections end; nothing after that. */
  @Override
  public void close() {
    task.close();
    try {
      List<NodeInfo> nodes = others.all();
      String self = others.selfId().map(id -> HintLines.stopping(id, own())).orElse("");
      Ways ways;
      synchronized (balance) {
        ways = new Ways(balance.elsewhere(own(), nodes, true, listeners.size()));
      }
      listeners.forEach(sender -> sendAway(sender, self, ways));
    } catch (RuntimeException e) {
      log.warn("senders are not told where else to go", e);
    }
  }

  private void sendAway(HintListener sender, String self, Ways ways) {
    ways.take()
        .ifPresent(node -> {
          sentOnAtStop.increment();
          sender.tell(self + HintLines.go(node, sender.mode()));
        });
  }
}
