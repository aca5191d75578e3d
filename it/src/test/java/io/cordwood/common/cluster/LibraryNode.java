package io.cordwood.common.cluster;

import io.cordwood.common.file.Filesystem;
import io.cordwood.common.net.HostPort;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A node's membership with the gossip library in it, as nodes set it up, in virtual time: all but
 * the transport, the threads, the clocks and the disk is real.
 */
public final class LibraryNode {
  private static final Path FILE = Path.of("/data/members");
  private static final int PORT = 7659;

  private final NodeInfo self;
  private final MembershipState state;
  private final Membership membership;
  private final SimpleMeterRegistry registry;
  private final Filesystem disk;

  /**
   * @param number from 0; seeds have the first ones
   * @param seeds numbers of the nodes that it is told of
   */
  public LibraryNode(
      int number, List<Integer> seeds, MemoryNetwork network, VirtualTime time, Filesystem disk)
      throws IOException {
    this.disk = disk;
    registry = new SimpleMeterRegistry();
    Role role = Role.values()[number % Role.values().length];
    self =
        new NodeInfo(
            "01M0000000000000000000%04d".formatted(number),
            Set.of(role),
            host(number),
            7650,
            role == Role.STORE ? 2 : 0,
            NodeLoad.NONE);
    HostPort address = new HostPort(host(number), PORT);
    var options =
        new ClusterOptions(
            address,
            address.host(),
            seeds.stream().map(seed -> new HostPort(host(seed), PORT)).toList(),
            "cordwood",
            ClusterKeys.NONE,
            GossipTiming.LAN,
            Optional.of(FILE));
    GossipMetrics metrics = GossipMetrics.in(registry);
    state = MembershipState.of(self, options, metrics, time);
    var codec =
        new GossipCodec(
            state.reported()::alive, registry.counter("cordwood.cluster.tables.cut")::increment);
    var transport = new MemoryTransport(network, address, codec, metrics.messagesDropped());
    MembersFile.begin(FILE, disk);
    membership =
        new Membership(
            self,
            options,
            transport,
            codec,
            state,
            new Surroundings(
                new VirtualExecutor(time),
                lookUp -> time.after(0, lookUp),
                it -> new InetSocketAddress(it.host(), it.port()),
                time::nanos,
                disk));
  }

  /** Of the block for benchmarks, so that it is no address of this machine. */
  private static String host(int number) {
    return "198.18.%d.%d".formatted(number / 250, 1 + number % 250);
  }

  /** Where the gossip of a node is. */
  public static String address(int number) {
    return host(number) + ":" + PORT;
  }

  public static Duration loadInterval() {
    return GossipTiming.LAN.loadInterval();
  }

  public void start() throws IOException {
    membership.start();
  }

  /** Takes its load, which is published as the loads of nodes are. */
  public void load(long bytesPerSecond, long freeDiskBytes) {
    NodeLoad load = new NodeLoad(1, bytesPerSecond, 0, freeDiskBytes, 0);
    membership.load(load.withStored(freeDiskBytes / 2, 0, Partners.UNKNOWN));
  }

  /** How many others it has met and knows the description of. */
  public int sees() {
    return state.peers().described().size();
  }

  /** Others that it takes for gone. */
  public int departed() {
    return state.departed().all().size();
  }

  /** Whether nothing says that there are others, and somebody would miss it. */
  public boolean isReady() {
    return membership.doubt().isEmpty() && membership.stranger().isEmpty();
  }

  /** Bytes that it remembers of others on its disk. */
  public long remembered() throws IOException {
    return disk.size(FILE).orElse(0);
  }

  /** The sum of a counter of its gossip. */
  public long counted(String meter) {
    return (long) registry.get(meter).counter().count();
  }
}
