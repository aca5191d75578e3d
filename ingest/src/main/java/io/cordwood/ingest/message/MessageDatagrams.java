package io.cordwood.ingest.message;

import io.cordwood.common.run.RateLimitedLog;
import io.cordwood.ingest.Intake;
import io.cordwood.ingest.RefusedException;
import io.cordwood.ingest.RejectReason;
import io.cordwood.ingest.SenderRights;
import io.cordwood.ingest.mode.Mode;
import io.cordwood.ingest.push.PushPorts;
import io.cordwood.ingest.socket.DatagramListener;
import java.net.InetAddress;
import java.util.Optional;
import org.slf4j.LoggerFactory;

/**
 * Messages that come as datagrams. They are stored in fast mode: whoever sends datagrams accepts
 * that some are lost, and a wait for forces would lose more.
 */
public final class MessageDatagrams implements DatagramListener.Receiver {
  private static final RateLimitedLog REFUSALS =
      new RateLimitedLog(LoggerFactory.getLogger(MessageDatagrams.class));

  private final String protocol;
  private final Intake intake;
  private final Unpacking unpacking;
  private final SenderRights rights;
  private final GatheredMessages messages;
  private volatile boolean closing;

  /** Makes messages of datagrams. For one thread. */
  public interface Unpacking {
    /** Adds the messages of a datagram. */
    void take(byte[] bytes, int length, InetAddress sender, GatheredMessages into);

    /** Some time has passed: what waits in vain for more is given up. */
    default void pause() {}

    /** Whether nothing waits for more. */
    default boolean isIdle() {
      return true;
    }

    /** No more will come. */
    default void end() {}
  }

  public MessageDatagrams(
      String protocol, PushPorts ports, Unpacking unpacking, MessageReader reader) {
    this.protocol = protocol;
    this.intake = ports.intake();
    this.unpacking = unpacking;
    this.rights = ports.rights("-", protocol);
    this.messages = new GatheredMessages(ports, rights, Mode.FAST, reader, () -> closing);
  }

  @Override
  public void take(byte[] bytes, int length, InetAddress sender) {
    Optional<String> refusal = intake.connections().refusal();
    if (intake.admission().isClosed()) {
      refuse(RejectReason.TOKEN, length, sender, MessageConnections.noToken(protocol));
    } else if (refusal.isPresent()) {
      refuse(RejectReason.CLOSED, length, sender, refusal.get());
    } else {
      unpacking.take(bytes, length, sender, messages);
      if (messages.isDue()) {
        store();
      }
    }
  }

  private void refuse(RejectReason reason, int length, InetAddress sender, String why) {
    intake.metrics().ledger.read(length);
    intake.metrics().ledger.withoutTopic().turnedDown(reason, 1, length);
    REFUSALS.warn("refused a datagram of", sender, why);
  }

  @Override
  public void pause() {
    unpacking.pause();
    store();
  }

  @Override
  public boolean isIdle() {
    return messages.isEmpty() && unpacking.isIdle();
  }

  private void store() {
    try {
      messages.store();
    } catch (RefusedException e) {
      REFUSALS.warn(
          "messages are lost, which came over UDP as", protocol, String.valueOf(e.getMessage()));
    }
  }

  @Override
  public void close() {
    closing = true;
    unpacking.end();
    store();
    messages.close();
  }
}
