package io.cordwood.forwarder;

import io.cordwood.common.wire.Origin;
import java.net.SocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Batches of a maker that takes back those that the node refuses. */
abstract class RefusalsFixture extends NodeFixture {
  final List<String> acknowledged = new CopyOnWriteArrayList<>();
  final List<String> back = new CopyOnWriteArrayList<>();
  final List<String> told = new CopyOnWriteArrayList<>();
  final ForwarderListener listener =
      new ForwarderListener() {
        @Override
        public void topicRefused(SocketAddress peer, String topic, String reason) {
          told.add(topic + ": " + reason);
        }
      };

  /** Batches so far. */
  int made;

  /** A batch of one line: a name, and the number of the batch. */
  PreparedBatch batch(String name, Origin origin) {
    String line = name + ++made;
    int at = PreparedBatch.payloadAt(origin);
    byte[] bytes = new byte[at + 100];
    System.arraycopy(bytes(line + "\n"), 0, bytes, at, line.length() + 1);
    var batch =
        new PreparedBatch(origin, bytes, () -> acknowledged.add(line), () -> back.add(line));
    batch.takeLines(line.length() + 1);
    batch.stamp(5L << 16, made);
    return batch;
  }
}
