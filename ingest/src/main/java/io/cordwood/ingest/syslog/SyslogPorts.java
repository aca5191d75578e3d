package io.cordwood.ingest.syslog;

import io.cordwood.ingest.Intake;
import io.cordwood.ingest.event.EventOrigins;
import io.cordwood.ingest.message.GatheredMessages;
import io.cordwood.ingest.message.MessagePorts;
import io.cordwood.ingest.push.PushPorts;
import io.cordwood.ingest.socket.ForeignPort;
import java.io.IOException;
import java.net.InetAddress;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;

/** Syslog's ports, TCP and UDP. */
public final class SyslogPorts {
  private SyslogPorts() {}

  /**
   * Listens on both.
   *
   * @param port 0 for any free one
   * @throws IOException naming the address, the port and the flag, if it cannot listen there
   */
  public static List<ForeignPort> start(int port, PushPorts ports) throws IOException {
    Intake intake = ports.intake();
    return new MessagePorts(
            "syslog",
            "--syslog-port",
            ports,
            () -> new SyslogReader(new EventOrigins(intake, Optional.empty()), times(intake)))
        .start(port, () -> new SyslogFraming(times(intake)), SyslogPorts::take);
  }

  private static SyslogTime times(Intake intake) {
    return new SyslogTime(intake.clock(), ZoneId.systemDefault());
  }

  /** A datagram is a message; many senders put a line feed or a NUL at its end. */
  private static void take(byte[] bytes, int length, InetAddress sender, GatheredMessages into) {
    boolean hasEnd = length > 0 && (bytes[length - 1] == '\n' || bytes[length - 1] == 0);
    into.add(bytes, 0, hasEnd ? length - 1 : length, length);
  }
}
