package io.cordwood.ingest.message;

import io.cordwood.common.run.RateLimitedLog;
import io.cordwood.common.wire.AnswerLine;
import io.cordwood.ingest.RefusedException;
import io.cordwood.ingest.SenderRights;
import io.cordwood.ingest.mode.Mode;
import io.cordwood.ingest.push.PushPorts;
import io.cordwood.ingest.socket.SocketListener;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connections that send messages and are answered nothing. While the disk takes nothing they are
 * not read, so their senders wait.
 */
final class MessageConnections implements SocketListener.Server {
  private static final RateLimitedLog REFUSALS = new RateLimitedLog(logger());

  private final String protocol;
  private final PushPorts ports;
  private final Supplier<Framing> framings;
  private final Supplier<MessageReader> readers;

  /**
   * @param protocol for messages
   * @param framings one for each connection
   * @param readers one for each connection
   */
  public MessageConnections(
      String protocol,
      PushPorts ports,
      Supplier<Framing> framings,
      Supplier<MessageReader> readers) {
    this.protocol = protocol;
    this.ports = ports;
    this.framings = framings;
    this.readers = readers;
  }

  private static Logger logger() {
    return LoggerFactory.getLogger(MessageConnections.class);
  }

  @Override
  public void serve(Socket socket, BooleanSupplier closing) throws IOException {
    SenderRights rights = ports.rights(socket.getInetAddress().getHostAddress(), protocol);
    try {
      rights.show(Optional.empty());
    } catch (RefusedException e) {
      ports.intake().metrics().refusedConnections.increment();
      refuse(socket, noToken(protocol));
      return;
    }
    try (var messages = new GatheredMessages(ports, rights, Mode.DURABLE, readers.get(), closing);
        var connection =
            new MessageConnection(socket, ports.intake(), framings.get(), messages, closing)) {
      connection.run();
    } catch (RefusedException e) {
      refuse(socket, String.valueOf(e.getMessage()));
    }
  }

  /** Why a sender that cannot show a token is not let in. */
  static String noToken(String protocol) {
    return "this node asks for a token, which "
        + protocol
        + " cannot show; it is taken with --open-ingest only";
  }

  private static void refuse(Socket socket, String why) throws IOException {
    REFUSALS.warn("refused", socket.getRemoteSocketAddress(), why);
    socket.getOutputStream().write(AnswerLine.error(why).getBytes(StandardCharsets.UTF_8));
  }
}
