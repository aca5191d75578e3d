package io.cordwood.ingest.message;

import io.cordwood.ingest.Intake;
import io.cordwood.ingest.push.PushPorts;
import io.cordwood.ingest.socket.DatagramListener;
import io.cordwood.ingest.socket.ForeignPort;
import io.cordwood.ingest.socket.SenderPlaces;
import io.cordwood.ingest.socket.SocketListener;
import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;

/** Opens the ports of a protocol that has the same number over TCP and UDP. */
public final class MessagePorts {
  /** As often another free number is tried, if that of TCP is taken over UDP. */
  private static final int ATTEMPTS = 20;

  private final String protocol;
  private final String flag;
  private final PushPorts ports;
  private final Supplier<MessageReader> readers;

  /**
   * @param readers one for each connection, and one for datagrams
   */
  public MessagePorts(
      String protocol, String flag, PushPorts ports, Supplier<MessageReader> readers) {
    this.protocol = protocol;
    this.flag = flag;
    this.ports = ports;
    this.readers = readers;
  }

  /**
   * Listens on both.
   *
   * @param port 0 for any free one
   * @throws IOException naming the address, the port and the flag, if it cannot listen there
   */
  public List<ForeignPort> start(
      int port, Supplier<Framing> framings, MessageDatagrams.Unpacking unpacking)
      throws IOException {
    for (int attempt = 1; ; attempt++) {
      SocketListener tcp =
          SocketListener.start(
              new SocketListener.Port(protocol, port, flag),
              ports.intake().options(),
              new SenderPlaces(ports.intake()),
              new MessageConnections(protocol, ports, framings, readers));
      try {
        return List.of(tcp, udp(tcp.port(), unpacking));
      } catch (IOException e) {
        tcp.close();
        if (port != 0 || attempt == ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  private ForeignPort udp(int port, MessageDatagrams.Unpacking unpacking) throws IOException {
    Intake intake = ports.intake();
    var receiver = new MessageDatagrams(protocol, ports, unpacking, readers.get());
    return DatagramListener.start(protocol, port, flag, intake, receiver);
  }
}
