package io.cordwood.common.cluster;

import io.scalecube.cluster.Member;
import io.scalecube.cluster.transport.api.Message;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells members whom this node remembers: each when it comes, those that ask, and one in each
 * round, in turn. For one thread.
 *
 * <p>Whoever is told may conclude that this node remembers it, too, so nobody is told anything
 * while that is not {@linkplain #onDisk on the disk}.
 */
final class Recollections {
  private static final Logger LOG = LoggerFactory.getLogger(Recollections.class);

  private final MemberTransport transport;
  private final MembershipState state;
  private int turn;
  private boolean onDisk = true;

  Recollections(MemberTransport transport, MembershipState state) {
    this.transport = transport;
    this.state = state;
  }

  /** Whether this node would know those after a restart whom it knows now. */
  void onDisk(boolean isSo) {
    onDisk = isSo;
  }

  /** Tells one member in turn, and asks those of whom this node needs to hear. */
  void round(Member self) {
    List<String> telling = state.peers().telling();
    List<String> unheard = state.memory().unheard(telling);
    unheard.forEach(address -> tell(self, address, true));
    if (!telling.isEmpty()) {
      String next = telling.get(Math.floorMod(turn++, telling.size()));
      if (!unheard.contains(next)) {
        tell(self, next, false);
      }
    }
  }

  /** A member has come. */
  void welcome(Member self, String address) {
    tell(self, address, state.memory().past() != MemberHistory.WHOLE);
  }

  /** Does nothing for an address where no member is that understands it. */
  void tell(Member self, String address, boolean asks) {
    if (!onDisk || !state.peers().tells(address)) {
      return;
    }
    for (Recollection part : state.recollection(asks)) {
      Message message =
          Message.withData(part)
              .qualifier(MessageKind.RECOLLECTION.qualifier())
              .sender(self.address())
              .build();
      transport
          .send(address, message)
          .subscribe(null, e -> LOG.debug("{} is not told who is gone", address, e));
    }
  }
}
