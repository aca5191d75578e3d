package io.cordwood.ingest.socket;

import io.cordwood.common.run.RateLimitedLog;
import io.cordwood.ingest.Intake;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Optional;
import org.slf4j.LoggerFactory;

/**
 * The places of senders, which all ports of a node share. Who finds none is closed without a word:
 * these protocols have none for "not now".
 */
public record SenderPlaces(Intake intake) implements SocketListener.Places {
  private static final RateLimitedLog REFUSALS =
      new RateLimitedLog(LoggerFactory.getLogger(SenderPlaces.class));

  @Override
  public Optional<String> take(InetAddress sender) {
    return intake.connections().open(sender);
  }

  @Override
  public void free(InetAddress sender) {
    intake.connections().closed(sender);
  }

  @Override
  public void refuse(Socket sender, String why) {
    intake.metrics().refusedConnections.increment();
    REFUSALS.warn("refused", sender.getRemoteSocketAddress(), why);
  }
}
