package io.cordwood.ingest.sender;

import io.cordwood.ingest.Intake;
import io.cordwood.ingest.SenderRights;
import io.cordwood.ingest.mode.Mode;
import io.netty.channel.Channel;
import java.net.InetSocketAddress;
import java.util.concurrent.Semaphore;

/**
 * The state shared by all connections of one port for senders.
 *
 * @param lingering a permit for each sender that was refused for want of a token and is still read;
 *     beyond, they are closed at once
 * @param waiting a permit for each connection too many that may still show its first line; beyond,
 *     they are refused without a look
 */
record SenderPort(Intake intake, Mode mode, Hints hints, Semaphore lingering, Semaphore waiting) {
  private static final int MAX_LINGERING = 500;
  private static final int MAX_WAITING = 256;

  SenderPort(Intake intake, Mode mode, Hints hints) {
    this(intake, mode, hints, new Semaphore(MAX_LINGERING), new Semaphore(MAX_WAITING));
  }

  /** The rights of a sender that has shown nothing yet. */
  SenderRights rights(Channel channel) {
    String address =
        channel.remoteAddress() instanceof InetSocketAddress peer
            ? peer.getAddress().getHostAddress()
            : String.valueOf(channel.remoteAddress());
    return new SenderRights(intake, address, mode.label() + " port");
  }
}
