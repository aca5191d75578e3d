package io.cordwood.common.cluster;

import io.scalecube.cluster.ClusterMessageHandler;
import io.scalecube.cluster.membership.MembershipEvent;
import io.scalecube.cluster.transport.api.Message;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The library's news of members, on its own thread.
 *
 * @param changed called after an event is taken in
 * @param told called for each message that members send of their own
 */
record MemberEvents(
    Peers peers,
    MemberTransport transport,
    Consumer<MembershipEvent> changed,
    Consumer<Message> told)
    implements ClusterMessageHandler {
  private static final Logger LOG = LoggerFactory.getLogger(MemberEvents.class);

  @Override
  public void onMembershipEvent(MembershipEvent event) {
    try {
      peers.onEvent(event);
      changed.accept(event);
      if (event.isRemoved()) {
        transport.renew(event.member().address()); // the connection may be dead without a word
      }
    } catch (RuntimeException e) {
      // one that got out would end the subscription to events for good
      LOG.error("could not take in {}", event, e);
    }
  }

  @Override
  public void onMessage(Message message) {
    told.accept(message);
  }
}
