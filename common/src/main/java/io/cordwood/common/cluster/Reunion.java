package io.cordwood.common.cluster;

import io.scalecube.cluster.Member;
import io.scalecube.cluster.transport.api.Message;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

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
final class Reunion {
  /** Of the seeds, while nobody at all is there. */
  static final int MAX_CALLS_ALONE = 16;

  static final int MAX_SEED_CALLS = 1;
  static final int MAX_DEPARTED_CALLS = 3;

  private final GossipTransport transport;
  private final GossipCodec codec = new GossipCodec();
  private final Seeds seeds;
  private final Peers peers;
  private final Departures departures;
  private int seedTurn;
  private int departedTurn;

  Reunion(GossipTransport transport, Beliefs beliefs) {
    this.transport = transport;
    seeds = beliefs.seeds();
    peers = beliefs.peers();
    departures = beliefs.departures();
  }

  void round(Member self) {
    Set<String> seen = peers.addresses();
    seen.forEach(seeds::reached);
    int seedCalls = seen.isEmpty() ? MAX_CALLS_ALONE : MAX_SEED_CALLS;
    List<String> unseen = new ArrayList<>(seeds.addresses());
    unseen.removeAll(seen);
    unseen.remove(self.address());
    for (int i = 0; i < Math.min(seedCalls, unseen.size()); i++) {
      call(self, unseen.get(Math.floorMod(seedTurn++, unseen.size())));
    }
    List<String> departed =
        new ArrayList<>(departures.all().stream().map(DepartedNode::gossipAddress).toList());
    departed.removeAll(seen);
    for (int i = 0; i < Math.min(MAX_DEPARTED_CALLS, departed.size()); i++) {
      call(self, departed.get(Math.floorMod(departedTurn++, departed.size())));
    }
  }

  private void call(Member self, String address) {
    transport.renew(address);
    transport
        .send(address, hello(self))
        .subscribe(null, e -> seeds.notReached(address, e), () -> seeds.reached(address));
  }

  /**
   * A table with one record: this node was alive when it started, which nothing newer yields to.
   */
  private Message hello(Member self) {
    try {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      DataOutputStream out = new DataOutputStream(bytes);
      out.writeByte(GossipCodec.VERSION);
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
