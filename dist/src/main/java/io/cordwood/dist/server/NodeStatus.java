package io.cordwood.dist.server;

import io.cordwood.common.cluster.NodeLoad;
import io.cordwood.common.deletion.WaitingDeletions;
import io.cordwood.common.http.server.Health;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How a node is: what it answers at {@code /-/ready} and {@code /-/healthy}, and tells others of
 * its load. For all threads.
 */
final class NodeStatus {
  private static final Logger log = LoggerFactory.getLogger(NodeStatus.class);

  private final List<Part> parts = new CopyOnWriteArrayList<>();
  private volatile Health phase = new Health(false, "starting");

  /** One of the node's roles, or what it needs. */
  interface Part {
    /** Why the node is not ready; empty if it is. */
    default Optional<String> trouble() {
      return Optional.empty();
    }

    /** Something to say of a node that is ready. */
    default Optional<String> warning() {
      return Optional.empty();
    }

    /** A thread that has ended and without which the node cannot work. */
    default Optional<String> death() {
      return Optional.empty();
    }

    /** Tells which deletions may still be in a file of this part. */
    default void addTo(WaitingDeletions waiting) {}

    /** The node's load with that of this part. */
    default NodeLoad with(NodeLoad load) {
      return load;
    }
  }

  void add(Part part) {
    parts.add(part);
  }

  void ready() {
    phase = Health.OK;
  }

  void stopping() {
    phase = new Health(false, "stopping");
    log.info("stopping; a second signal ends this node at once");
  }

  Health health() {
    Health now = phase;
    Optional<String> trouble = parts.stream().flatMap(part -> part.trouble().stream()).findFirst();
    if (trouble.isPresent() || !now.ready()) {
      return trouble.map(why -> new Health(false, why)).orElse(now);
    }
    return parts.stream()
        .flatMap(part -> part.warning().stream())
        .findFirst()
        .map(what -> new Health(true, now.reason() + ": " + what))
        .orElse(now);
  }

  Optional<String> death() {
    return parts.stream().flatMap(part -> part.death().stream()).findFirst();
  }

  /** Tells which deletions may still be in a file of this node. */
  void addTo(WaitingDeletions waiting) {
    parts.forEach(part -> part.addTo(waiting));
  }

  /**
   * The load of all parts.
   *
   * @param freeDiskBytes where the node's folder is, unless a part knows better
   */
  NodeLoad load(long freeDiskBytes) {
    NodeLoad load = new NodeLoad(0, 0, 0, freeDiskBytes, 0);
    for (Part part : parts) {
      load = part.with(load);
    }
    return load;
  }
}
