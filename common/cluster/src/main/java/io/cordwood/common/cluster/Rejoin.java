package io.cordwood.common.cluster;

import io.cordwood.common.net.HostPort;
import io.scalecube.cluster.Member;
import io.scalecube.cluster.transport.api.Message;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls those that this node should see and does not: seeds that are no members under the address
 * given, and nodes that departed.
 *
 * <p>The gossip library forgets members that it removed, so that after a partition it would find
 * only its seeds again; and it calls those by chance, the more seldom the more members there are.
 * Here some are called in each round, in turn, for ever. The call is the library's own table with
 * nothing but this node in it; whoever is there takes that in and answers with all that it knows.
 *
 * <p>Belongs to the cluster thread; answers come to the library.
 */
final class Rejoin {
  private static final Logger LOG = LoggerFactory.getLogger(Rejoin.class);

  /** The most seeds called at a time while no other member is there. */
  static final int MAX_CALLS_ALONE = 16;

  static final int MAX_SEED_CALLS = 1;
  static final int MAX_DEPARTED_CALLS = 3;

  private final MemberTransport transport;
  private final GossipCodec codec = new GossipCodec();
  private final Seeds seeds;
  private final Peers peers;
  private final DepartedNodes departures;
  private final Memory memory;
  private final Surroundings surroundings;
  private final Set<String> calledInVain = ConcurrentHashMap.newKeySet();
  private int seedTurn;
  private int departedTurn;

  Rejoin(MemberTransport transport, Surroundings surroundings, MembershipState state) {
    this.transport = transport;
    this.surroundings = surroundings;
    seeds = state.seeds();
    peers = state.peers();
    departures = state.departed();
    memory = state.memory();
  }

  void round(Member self) {
    Set<String> seen = peers.addresses();
    seen.forEach(seeds::reached);
    seeds.meet(seen);
    List<String> unseen = new ArrayList<>(seeds.untried());
    int seedCalls = seen.isEmpty() || !unseen.isEmpty() ? MAX_CALLS_ALONE : MAX_SEED_CALLS;
    if (unseen.isEmpty()) {
      unseen.addAll(seeds.addresses());
    }
    unseen.removeAll(seen);
    unseen.remove(self.address());
    for (int i = 0; i < Math.min(seedCalls, unseen.size()); i++) {
      String seed = unseen.get(Math.floorMod(seedTurn++, unseen.size()));
      call(self, seed);
      surroundings.lookUps().execute(() -> lookUp(self, seed));
    }
    List<String> departed =
        new ArrayList<>(departures.all().stream().map(DepartedNode::gossipAddress).toList());
    departed.addAll(memory.otherAddresses());
    departed.removeAll(seen);
    int departedCalls = departedTurn == 0 ? MAX_CALLS_ALONE : MAX_DEPARTED_CALLS;
    for (int i = 0; i < Math.min(departedCalls, departed.size()); i++) {
      call(self, departed.get(Math.floorMod(departedTurn++, departed.size())));
    }
  }

  /** A seed may be known under another address; it may be this node itself. */
  private void lookUp(Member self, String seed) {
    try {
      InetSocketAddress found = surroundings.resolver().resolve(HostPort.parse(seed, 0));
      boolean isSelf = found.getPort() == transport.port() && isOfThisMachine(found.getAddress());
      String numeric =
          new HostPort(found.getAddress().getHostAddress(), found.getPort()).toString();
      seeds.standsFor(seed, isSelf ? self.address() : numeric);
    } catch (IOException e) {
      LOG.debug("{} is not looked up: {}", seed, e.toString()); // the call says so, too
    }
  }

  private static boolean isOfThisMachine(InetAddress address) throws IOException {
    return address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null;
  }

  private void call(Member self, String address) {
    transport.renew(address);
    transport
        .send(address, hello(self))
        .subscribe(null, e -> notReached(address, e), () -> seeds.reached(address));
  }

  private void notReached(String address, Throwable why) {
    seeds.notReached(address, why);
    if (calledInVain.size() < Memory.MAX_NODES) {
      calledInVain.add(address);
    }
  }

  /** Whether a call to this address has failed, at some time. */
  boolean wasCalledInVain(String address) {
    return calledInVain.contains(address);
  }

  /**
   * A table with one record: this node was alive when it started, which nothing newer yields to.
   */
  private Message hello(Member self) {
    try {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      DataOutputStream out = new DataOutputStream(bytes);
      out.writeByte(GossipOutput.VERSION);
      out.writeByte(MessageKind.SYNC.tag());
      out.writeUTF("");
      out.writeUTF(self.address());
      out.writeByte(WireType.SYNC.tag());
      out.writeInt(1);
      out.writeByte(WireType.RECORD.tag());
      out.writeByte(WireType.MEMBER.tag());
      out.writeUTF(self.id());
      out.writeUTF(self.address());
      out.writeUTF(self.namespace());
      out.writeByte(WireType.STATUS.tag());
      out.writeByte(0);
      out.writeInt(0);
      return codec.deserialize(new ByteArrayInputStream(bytes.toByteArray()));
    } catch (IOException e) {
      throw new IllegalStateException("this node's own record does not read back", e);
    }
  }
}
