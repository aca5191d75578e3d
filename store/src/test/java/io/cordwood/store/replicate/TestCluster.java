package io.cordwood.store.replicate;

import static org.awaitility.Awaitility.await;

import io.cordwood.common.file.Filesystem;
import io.cordwood.common.file.PassThroughFilesystem;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.Records;
import io.cordwood.common.segment.SegmentFiles;
import io.cordwood.common.testing.Patience;
import io.cordwood.store.StoreOptions;
import io.cordwood.store.StorePeer;
import io.cordwood.store.consume.TestIngestNode;
import io.cordwood.store.replicate.ServedStore.Setup;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/**
 * Stores and ingest nodes that know each other by a list, as a gossip would give it: it holds also
 * those that are gone, until the test takes them out.
 */
final class TestCluster implements AutoCloseable {
  static final Duration LONG = Patience.LONG;

  final List<StorePeer> seen = new CopyOnWriteArrayList<>();
  final List<TestIngestNode> ingest = new CopyOnWriteArrayList<>();
  final List<ServedStore> stores = new CopyOnWriteArrayList<>();
  private final List<FaultyPeer> fronts = new ArrayList<>();
  private final Path folder;
  private final int replicationFactor;
  private final Records records = new Records(17);

  TestCluster(Path folder, int replicationFactor) {
    this.folder = folder;
    this.replicationFactor = replicationFactor;
  }

  TestIngestNode addIngest() {
    var node = new TestIngestNode();
    ingest.add(node);
    return node;
  }

  ServedStore addStore(String nodeId) throws IOException {
    return addStore(nodeId, new PassThroughFilesystem());
  }

  /** Starts a store that consumes nothing, and has what others send it. */
  ServedStore addKeeper(String nodeId) throws IOException {
    return addStore(nodeId, new PassThroughFilesystem(), List::of);
  }

  /** Starts one that consumes nothing, and that others reach through what fails so. */
  FaultyPeer addFaulty(String nodeId, FaultyPeer.Fault fault) throws IOException {
    var front = new FaultyPeer(addKeeper(nodeId), fault);
    fronts.add(front);
    see(new StorePeer(nodeId, front.uri(), 0, 1L << 40));
    return front;
  }

  ServedStore addStore(String nodeId, Filesystem disk) throws IOException {
    return addStore(nodeId, disk, this::ingestUris);
  }

  /** Starts a store, which the others see from now on. */
  private ServedStore addStore(String nodeId, Filesystem disk, Supplier<List<URI>> ingestNodes)
      throws IOException {
    var options =
        StoreOptions.at(folder.resolve(nodeId))
            .withGather(1 << 20, Duration.ofMillis(20))
            .withReplicationFactor(replicationFactor);
    var store = new ServedStore(nodeId, new Setup(options, disk, ingestNodes), () -> seen);
    stores.add(store);
    see(store.asPeer());
    return store;
  }

  /** Adds a store to what all see, or puts another address in the place of its own. */
  void see(StorePeer peer) {
    unsee(peer.nodeId());
    seen.add(peer);
  }

  void unsee(String nodeId) {
    seen.removeIf(peer -> peer.nodeId().equals(nodeId));
  }

  private List<URI> ingestUris() {
    return ingest.stream().map(TestIngestNode::uri).toList();
  }

  List<Batch> someBatches(int count) {
    return records.labelledBatches(count, 30);
  }

  void awaitCommitted() {
    await().until(() -> ingest.stream().allMatch(n -> n.left() == 0));
  }

  /** On how many stores each batch is; each store names it once, however often it has it. */
  Map<String, Integer> holders() {
    Map<String, Integer> holders = new TreeMap<>();
    for (ServedStore store : stores) {
      store.stored().forEach(b -> holders.merge(b.topic() + " " + b.first(), 1, Integer::sum));
    }
    return holders;
  }

  /** What all stores together have, each batch once. */
  List<Batch> union() {
    Map<String, Batch> all = new TreeMap<>();
    for (ServedStore store : stores) {
      store.stored().forEach(b -> all.put(b.topic() + " " + b.first(), b));
    }
    return SegmentFiles.sorted(List.copyOf(all.values()));
  }

  @Override
  public void close() throws IOException {
    fronts.forEach(FaultyPeer::close);
    for (ServedStore store : stores) {
      store.close();
    }
    ingest.forEach(TestIngestNode::close);
  }
}
