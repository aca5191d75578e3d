package io.cordwood.ingest.gelf;

import io.cordwood.ingest.Intake;
import io.cordwood.ingest.event.EventOrigins;
import io.cordwood.ingest.message.MessagePorts;
import io.cordwood.ingest.push.PushPorts;
import io.cordwood.ingest.socket.ForeignPort;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** GELF's ports, TCP and UDP. */
public final class GelfPorts {
  private GelfPorts() {}

  /**
   * Listens on both.
   *
   * @param port 0 for any free one
   * @throws IOException naming the address, the port and the flag, if it cannot listen there
   */
  public static List<ForeignPort> start(int port, PushPorts ports) throws IOException {
    Intake intake = ports.intake();
    return new MessagePorts(
            "gelf",
            "--gelf-port",
            ports,
            () -> new GelfReader(new EventOrigins(intake, Optional.empty())))
        .start(port, GelfFraming::new, new GelfDatagrams(intake, System::nanoTime));
  }
}
