package io.cordwood.ingest.sender;

import io.cordwood.common.cluster.NodeInfo;
import io.cordwood.common.cluster.NodeLoad;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Which senders of a node had better go to another one.
 *
 * <p>A node's load is the larger of two ratios: its connections to the mean of the cluster, and its
 * bytes a second to the mean. A node whose disk is nearly full, or that far more bytes wait for
 * stores on than on the others, is <em>strained</em>: no sender is told to go there, and its own
 * are.
 *
 * <p>Why this does not swing: it begins at {@link #BEGIN} times the load of the least loaded node
 * and goes on down to {@link #END}; a sender goes only if that makes this node less loaded and
 * leaves the other one no more loaded than this; at most {@link #SHARE} of the senders go in a
 * round, and at most a quarter of those that are too many; and senders that went are added to the
 * other node's load until gossip tells of them. Not for several threads.
 */
final class LoadBalance {
  static final double BEGIN = 1.3;
  static final double END = 1.1;
  static final double SHARE = 0.05;

  private static final double DAMPING = 0.25;

  /** Below, bytes a second do not matter. */
  private static final double LEAST_BYTES_PER_SECOND = 1 << 20;

  /** The load of another node up to which a strained one sends senders there. */
  private static final double MOST_FROM_STRAINED = 1.5;

  private static final long LEAST_FREE_BYTES = 256L << 20;
  private static final long LEAST_BACKLOG_BYTES = 1L << 30;
  private static final double STRAINED_BACKLOG = 3;

  /** For how long what gossip tells of a node may lack senders that went there. */
  private static final long GOSSIP_NANOS = TimeUnit.SECONDS.toNanos(6);

  private final RandomGenerator random;
  private final LongSupplier nanoTime;
  private final ArrayDeque<Sent> sent = new ArrayDeque<>();
  private boolean sheds;

  /**
   * A sender that may go.
   *
   * @param bytesPerSecond that it sends
   */
  record Sender<T>(T name, double bytesPerSecond) {}

  /** A sender that goes. */
  record Move<T>(T sender, NodeInfo to) {}

  private record Sent(String nodeId, double bytesPerSecond, long nanos) {}

  /** A node's figures, as they are when those have gone that are told to. */
  private static final class Figures {
    final @Nullable NodeInfo node;
    final boolean isStrained;
    double connections;
    double bytes;

    Figures(@Nullable NodeInfo node, NodeLoad load, boolean isStrained) {
      this.node = node;
      this.isStrained = isStrained;
      this.connections = load.connections();
      this.bytes = load.bytesPerSecond();
    }

    void add(int senders, double bytesPerSecond) {
      connections += senders;
      bytes += senders * bytesPerSecond;
    }
  }

  /** All nodes' figures, and what they are measured by. */
  private static final class Nodes {
    final Figures own;
    final List<Figures> others;
    final double meanConnections;
    final double meanBytes;

    Nodes(Figures own, List<Figures> others) {
      this.own = own;
      this.others = others;
      double connections = own.connections;
      double bytes = own.bytes;
      for (Figures other : others) {
        connections += other.connections;
        bytes += other.bytes;
      }
      this.meanConnections = Math.max(1, connections / (others.size() + 1));
      this.meanBytes = Math.max(LEAST_BYTES_PER_SECOND, bytes / (others.size() + 1));
    }

    double load(Figures node) {
      return load(node, 0, 0);
    }

    double load(Figures node, int more, double bytesPerSecond) {
      return Math.max(
          (node.connections + more) / meanConnections,
          (node.bytes + more * bytesPerSecond) / meanBytes);
    }

    /** Those that are not strained. */
    List<Figures> open(Predicate<Figures> condition) {
      return others.stream().filter(other -> !other.isStrained && condition.test(other)).toList();
    }

    double least() {
      return open(_ -> true).stream().mapToDouble(this::load).min().orElse(Double.MAX_VALUE);
    }
  }

  LoadBalance(RandomGenerator random, LongSupplier nanoTime) {
    this.random = random;
    this.nanoTime = nanoTime;
  }

  /**
   * Whether a node has so little room, compared with all, that it is better left alone.
   *
   * @param load of one of them
   */
  private static boolean isStrained(NodeLoad load, double meanBacklog) {
    return load.freeDiskBytes() < LEAST_FREE_BYTES
        || load.backlogBytes() > Math.max(LEAST_BACKLOG_BYTES, STRAINED_BACKLOG * meanBacklog);
  }

  private Nodes nodes(NodeLoad own, List<NodeInfo> others) {
    double backlog = own.backlogBytes();
    for (NodeInfo other : others) {
      backlog += other.load().backlogBytes();
    }
    double meanBacklog = backlog / (others.size() + 1);
    long now = nanoTime.getAsLong();
    sent.removeIf(gone -> now - gone.nanos > GOSSIP_NANOS);
    List<Figures> figures = new ArrayList<>();
    Map<String, Figures> byId = new HashMap<>();
    for (NodeInfo other : others) {
      Figures node = new Figures(other, other.load(), isStrained(other.load(), meanBacklog));
      figures.add(node);
      byId.put(other.nodeId(), node);
    }
    for (Sent gone : sent) {
      Figures node = byId.get(gone.nodeId);
      if (node != null) {
        node.add(1, gone.bytesPerSecond);
      }
    }
    return new Nodes(new Figures(null, own, isStrained(own, meanBacklog)), figures);
  }

  /**
   * Decides for a round, of about two seconds.
   *
   * @param others all other nodes that take senders
   * @param senders those that listen to hints
   */
  <T> List<Move<T>> round(NodeLoad own, List<NodeInfo> others, List<Sender<T>> senders) {
    Nodes nodes = nodes(own, others);
    double load = nodes.load(nodes.own);
    double least = nodes.least();
    sheds = nodes.own.isStrained || (load > 1 && load > least * (sheds ? END : BEGIN));
    List<Move<T>> moves = new ArrayList<>();
    if (sheds && least < Double.MAX_VALUE) {
      long most = most(nodes, load);
      List<Sender<T>> shuffled = new ArrayList<>(senders);
      Collections.shuffle(shuffled, random);
      for (Sender<T> sender : shuffled) {
        if (moves.size() >= most) {
          break;
        }
        target(nodes, sender.bytesPerSecond)
            .ifPresent(to -> moves.add(new Move<>(sender.name, go(nodes, to, sender))));
      }
    }
    return moves;
  }

  /** How many senders may go in this round. */
  private long most(Nodes nodes, double load) {
    double connections = nodes.own.connections;
    double tooMany = nodes.own.isStrained ? connections : connections * (1 - 1 / load);
    double damped = tooMany * DAMPING;
    double most = Math.min(Math.max(1, connections * SHARE), damped);
    return (long) (most + random.nextDouble()); // A fraction is a chance.
  }

  private Optional<Figures> target(Nodes nodes, double bytesPerSecond) {
    double before = nodes.load(nodes.own);
    double left = nodes.load(nodes.own, -1, bytesPerSecond);
    boolean isStrained = nodes.own.isStrained;
    double bound = isStrained ? MOST_FROM_STRAINED : left;
    return isStrained || left < before
        ? any(nodes.open(other -> nodes.load(other, 1, bytesPerSecond) <= bound))
        : Optional.empty();
  }

  /** Any one: the least loaded of all may be one that its senders cannot reach. */
  private Optional<Figures> any(List<Figures> nodes) {
    return nodes.isEmpty()
        ? Optional.empty()
        : Optional.of(nodes.get(random.nextInt(nodes.size())));
  }

  private NodeInfo go(Nodes nodes, Figures to, Sender<?> sender) {
    NodeInfo node = move(nodes, to, sender.bytesPerSecond);
    sent.add(new Sent(node.nodeId(), sender.bytesPerSecond, nanoTime.getAsLong()));
    return node;
  }

  private static NodeInfo move(Nodes nodes, Figures to, double bytesPerSecond) {
    nodes.own.add(-1, bytesPerSecond);
    to.add(1, bytesPerSecond);
    return Objects.requireNonNull(to.node);
  }

  /**
   * The nodes to which senders had better go that come to a node which is at its bound, one after
   * the other. Who goes there is to be named in {@link #went}.
   *
   * @param isFull whether this node takes no more at all; else it sends on only while it is
   *     strained or more loaded
   * @param most of them; fewer if no other node has more room
   */
  List<NodeInfo> elsewhere(NodeLoad own, List<NodeInfo> others, boolean isFull, int most) {
    Nodes nodes = nodes(own, others);
    boolean isAnyBetter = isFull || nodes.own.isStrained;
    List<NodeInfo> ways = new ArrayList<>();
    while (ways.size() < most) {
      double load = isAnyBetter ? Double.MAX_VALUE : nodes.load(nodes.own, -1, 0);
      Optional<Figures> to = any(nodes.open(other -> nodes.load(other, 1, 0) <= load));
      if (to.isEmpty()) {
        break;
      }
      ways.add(move(nodes, to.get(), 0));
    }
    return ways;
  }

  /** A sender went to a node that {@link #elsewhere} named. */
  void went(NodeInfo node) {
    sent.add(new Sent(node.nodeId(), 0, nanoTime.getAsLong()));
  }
}
