package io.cordwood.ingest.fluent;

import io.cordwood.common.run.RateLimitedLog;
import io.cordwood.common.wire.AnswerLine;
import io.cordwood.ingest.Intake;
import io.cordwood.ingest.RefusedException;
import io.cordwood.ingest.RejectReason;
import io.cordwood.ingest.SenderRights;
import io.cordwood.ingest.mode.Mode;
import io.cordwood.ingest.push.PushMetrics;
import io.cordwood.ingest.push.PushPorts;
import io.cordwood.ingest.socket.ForeignPort;
import io.cordwood.ingest.socket.SenderPlaces;
import io.cordwood.ingest.socket.SocketListener;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The port of Fluent Forward. A message with a {@code chunk} is acknowledged once it is forced.
 * What cannot be taken is not acknowledged, and ends the connection: clients come again. Senders of
 * Cordwood's own are told why.
 */
public final class FluentForward {
  private static final Logger LOG = LoggerFactory.getLogger(FluentForward.class);
  private static final RateLimitedLog REFUSALS = new RateLimitedLog(LOG);
  private static final String PROTOCOL = "fluent";

  private final PushPorts ports;
  private final Intake intake;
  private final PushMetrics metrics;
  private final AckedChunks chunks = new AckedChunks();

  private FluentForward(PushPorts ports) {
    this.ports = ports;
    this.intake = ports.intake();
    this.metrics = new PushMetrics(intake.metrics().registry, PROTOCOL);
  }

  /**
   * Listens.
   *
   * @param port 0 for any free one
   */
  public static ForeignPort listen(PushPorts ports, int port) throws IOException {
    var protocol = new FluentForward(ports);
    return SocketListener.start(
        new SocketListener.Port(PROTOCOL, port, "--fluent-port"),
        ports.intake().options(),
        new SenderPlaces(ports.intake()),
        protocol::serve);
  }

  private void serve(Socket socket, BooleanSupplier closing) throws IOException {
    String address = socket.getInetAddress().getHostAddress();
    SenderRights rights = ports.rights(address, PROTOCOL);
    try (var session = ports.open(rights, Mode.DURABLE, intake.options().bulk().longestWait());
        var connection =
            new ForwardConnection(intake, socket, closing, rights, session, chunks, metrics)) {
      connection.run();
    } catch (RefusedException e) {
      metrics.ended(false);
      String why = String.valueOf(e.getMessage());
      REFUSALS.warn("refused", socket.getRemoteSocketAddress(), why);
      if (e.reason() == RejectReason.BAD_PREAMBLE) {
        socket.getOutputStream().write(AnswerLine.error(why).getBytes(StandardCharsets.UTF_8));
      }
    }
  }
}
