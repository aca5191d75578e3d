package io.cordwood.ingest.bulk;

import io.cordwood.common.wire.AnswerLine;
import io.cordwood.ingest.Intake;
import io.cordwood.ingest.socket.SocketListener;
import io.cordwood.ingest.socket.SocketListener.Places;
import io.cordwood.ingest.socket.SocketListener.Port;
import io.micrometer.core.instrument.Counter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** The port that takes uploads over TCP. They are few and long, and wait for disks and stores. */
public final class BulkPort {
  /** Connections open at once; most of them wait for their turn, or for the stores. */
  static final int MAX_CONNECTIONS = 1024;

  private static final int RECEIVE_BYTES = 1 << 20;

  private BulkPort() {}

  /**
   * Listens; when it returns, senders can connect, and are served once it accepts.
   *
   * @throws IOException naming the address, the port and the flag, if it cannot listen there
   */
  public static SocketListener listen(Intake intake, Uploads uploads) throws IOException {
    var port = new Port("bulk", uploads.options().port(), "--bulk-port", RECEIVE_BYTES);
    return SocketListener.start(
        port,
        intake.options(),
        new UploadPlaces(intake),
        (socket, closing) -> new BulkConnection(socket, uploads, intake, closing).run());
  }

  /** Places apart from those of other senders, which uploads would hold for long. */
  private static final class UploadPlaces implements Places {
    private final AtomicInteger taken = new AtomicInteger();
    private final Counter refused;

    UploadPlaces(Intake intake) {
      var registry = intake.metrics().registry;
      refused = registry.counter("cordwood_ingest_bulk_connections_refused_total");
      registry.gauge("cordwood_ingest_bulk_connections", taken);
    }

    @Override
    public Optional<String> take(InetAddress sender) {
      if (taken.incrementAndGet() <= MAX_CONNECTIONS) {
        return Optional.empty();
      }
      taken.decrementAndGet();
      return Optional.of("expected at most " + MAX_CONNECTIONS + " connections, found more");
    }

    @Override
    public void free(InetAddress sender) {
      taken.decrementAndGet();
    }

    @Override
    public void refuse(Socket sender, String why) throws IOException {
      refused.increment();
      sender.getOutputStream().write(AnswerLine.error(why).getBytes(StandardCharsets.UTF_8));
    }
  }
}
