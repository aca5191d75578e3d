package io.cordwood.it;

import io.cordwood.common.file.Filesystem;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.IngestSegmentHeader;
import io.cordwood.common.wire.BatchScanner;
import io.cordwood.forwarder.Forwarder;
import io.cordwood.forwarder.ForwarderListener;
import io.cordwood.forwarder.ForwarderOptions;
import io.cordwood.forwarder.Target;
import io.cordwood.ingest.Admission;
import io.cordwood.ingest.IngestOptions;
import io.cordwood.ingest.node.IngestNode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.function.Consumer;

/** An ingest node in this process, for what forwarders send, and what it has stored afterwards. */
final class ReceivingNode {
  private ReceivingNode() {}

  /** Starts one that takes records. */
  static IngestNode start(Path folder) throws IOException {
    IngestOptions options =
        IngestOptions.in(folder.resolve("ingest"))
            .with(new IngestOptions.Listening("127.0.0.1", 0, 0, 1))
            .with(IngestOptions.Bulk.DEFAULT.withPort(0));
    IngestNode node =
        IngestNode.start(
            options,
            Admission.OPEN,
            Filesystem.real(),
            new SimpleMeterRegistry(),
            InstantSource.system());
    node.startTaking();
    return node;
  }

  static Forwarder forwarder(IngestNode node) {
    return Forwarder.start(
        ForwarderOptions.builder().target(new Target("127.0.0.1", node.durablePort())).build(),
        ForwarderListener.NONE);
  }

  /**
   * Gives what is stored, after the node has ended.
   *
   * @param each takes batches that are valid until it returns
   */
  static void read(Path folder, Consumer<Batch> each) throws IOException {
    InProcessNode.recovered(folder); // which closes its segments
    for (Path path : Filesystem.real().list(folder.resolve("ingest"))) {
      if (path.toString().endsWith(".flushed")) {
        try (var file = Filesystem.real().open(path)) {
          BatchScanner scanner = IngestSegmentHeader.scan(file);
          while (scanner.next() instanceof BatchScanner.Intact intact) {
            each.accept(Batch.of(intact));
          }
        }
      }
    }
  }
}
