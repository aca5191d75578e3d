package io.cordwood.sim;

import io.cordwood.common.cluster.LibraryNode;
import io.cordwood.common.cluster.MemoryNetwork;
import io.cordwood.common.cluster.VirtualScheduler;
import io.cordwood.common.cluster.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Nodes with the real gossip library: they start within a second and join by two seeds, are quiet,
 * and a tenth of them is cut off for a while. To be loaded by a {@link SeedingLoader}.
 */
public final class LibraryRun {
  private static final long SECOND = Duration.ofSeconds(1).toNanos();
  private static final int LONGEST_WAIT_SECONDS = 900;
  private static final int PROGRESS_SECONDS = 10;
  private static final int SETTLE_SECONDS = 60;
  private static final int CUT_SECONDS = 120;
  private static final int SHARE_CUT_OFF = 10;

  private final Sim sim;
  private final Sim.Life life = new Sim.Life("gossip");
  private final MemoryNetwork network;
  private final List<LibraryNode> nodes = new ArrayList<>();
  private final SplittableRandom loads;
  private final Map<String, Long> figures = new LinkedHashMap<>();

  private LibraryRun(long seed) {
    sim = new Sim(seed);
    SeededDraws.seed(seed);
    loads = sim.random.split();
    network = new MemoryNetwork(time(), sim.random.split());
  }

  /** Figures by their names; -1 for what did not come to pass. */
  public static Map<String, Long> of(long seed, int nodes, int quietMinutes) throws IOException {
    Simulation.silence();
    var run = new LibraryRun(seed);
    VirtualScheduler.replaceThreads(run.time());
    run.join(nodes);
    run.tell("have met");
    run.quiet(quietMinutes);
    run.tell("were quiet");
    run.cutOff();
    run.figures.put("frames refused", run.network.refused());
    run.figures.put("hash", run.network.hash());
    run.figures.put("seconds simulated", run.sim.nanos() / SECOND);
    return run.figures;
  }

  /** For a person who waits: many nodes take long. */
  private void tell(String what) {
    System.out.printf("LibraryRun: %d nodes %s: %s%n", nodes.size(), what, figures);
  }

  private VirtualTime time() {
    return new VirtualTime() {
      @Override
      public long nanos() {
        return sim.nanos();
      }

      @Override
      public void after(long delayNanos, Runnable run) {
        sim.after(delayNanos, life, run);
      }

      @Override
      public Instant instant() {
        return sim.instant();
      }
    };
  }

  private void join(int count) throws IOException {
    VirtualTime time = time();
    for (int i = 0; i < count; i++) {
      var node = new LibraryNode(i, List.of(0, 1), network, time, new MemoryDisk(sim));
      nodes.add(node);
      sim.after(sim.random.nextLong(SECOND), life, () -> start(node));
    }
    figures.put("nodes", (long) count);
    figures.put("seconds until each sees all", secondsUntil(this::seesAll));
    figures.put("seconds until each is ready", secondsUntil(LibraryNode::isReady));
    figures.put("messages of joining, a node", messages() / count);
    figures.put("bytes of joining, a node", bytes() / count);
    figures.put("longest frame, bytes", network.longest());
  }

  private void start(LibraryNode node) {
    try {
      node.start();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    sim.every(LibraryNode.loadInterval().toNanos(), life, () -> load(node));
  }

  private void load(LibraryNode node) {
    node.load(1_000_000 + loads.nextLong(1_000_000), 1_000_000_000_000L - sim.nanos() / 1_000);
  }

  private boolean seesAll(LibraryNode node) {
    return node.sees() == nodes.size() - 1;
  }

  private long secondsUntil(Predicate<LibraryNode> goal) {
    long begin = sim.nanos();
    for (int seconds = 0; seconds <= LONGEST_WAIT_SECONDS; seconds++) {
      sim.runUntil(begin + seconds * SECOND);
      if (nodes.stream().allMatch(goal)) {
        return seconds;
      }
      if (seconds > 0 && seconds % PROGRESS_SECONDS == 0) {
        tell("wait for %d s, %d still".formatted(seconds, count(goal.negate())));
      }
    }
    return -1;
  }

  private long count(Predicate<LibraryNode> goal) {
    return nodes.stream().filter(goal).count();
  }

  private void pass(long seconds) {
    sim.runUntil(sim.nanos() + seconds * SECOND);
  }

  private void quiet(int minutes) throws IOException {
    pass(SETTLE_SECONDS);
    network.forget();
    pass(Duration.ofMinutes(minutes).toSeconds());
    long each = (long) nodes.size() * minutes;
    network
        .sent()
        .forEach((kind, counts) -> {
          figures.put("messages " + kind, counts[0] / each);
          figures.put("bytes " + kind, counts[1] / each);
        });
    figures.put("pieces of news", network.pieces() / each);
    figures.put("messages", messages() / each);
    figures.put("bytes", bytes() / each);
    figures.put("connections opened", network.opened() / each);
    figures.put("connections replaced", network.replaced() / each);
    long remembered = 0;
    for (LibraryNode node : nodes) {
      remembered = Math.max(remembered, node.remembered());
    }
    figures.put("bytes remembered of others", remembered);
  }

  private void cutOff() {
    int few = Math.max(1, nodes.size() / SHARE_CUT_OFF);
    network.cutOff(
        IntStream.range(nodes.size() - few, nodes.size())
            .mapToObj(LibraryNode::address)
            .collect(Collectors.toSet()));
    pass(CUT_SECONDS);
    figures.put("others gone for the first", (long) nodes.getFirst().departed());
    network.heal();
    figures.put("seconds until each sees all again", secondsUntil(this::seesAll));
    figures.put("tables cut", counted("cordwood.cluster.tables.cut"));
    figures.put("messages dropped", counted("cordwood.cluster.messages.dropped"));
  }

  private long counted(String meter) {
    return nodes.stream().mapToLong(node -> node.counted(meter)).sum();
  }

  private long messages() {
    return network.sent().values().stream().mapToLong(counts -> counts[0]).sum();
  }

  private long bytes() {
    return network.sent().values().stream().mapToLong(counts -> counts[1]).sum();
  }
}
