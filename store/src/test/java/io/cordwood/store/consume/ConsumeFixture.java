package io.cordwood.store.consume;

import static org.awaitility.Awaitility.await;

import io.cordwood.common.file.Filesystem;
import io.cordwood.common.file.PassThroughFilesystem;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.Records;
import io.cordwood.common.testing.Patience;
import io.cordwood.store.KnownPeers;
import io.cordwood.store.StoreOptions;
import io.cordwood.store.node.StoreNode;
import io.cordwood.store.segment.Stored;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** A store that consumes the segments of ingest nodes. */
abstract class ConsumeFixture {
  static final Duration LONG = Patience.LONG;

  @TempDir Path folder;
  final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  final List<TestIngestNode> nodes = new ArrayList<>();
  final Records records = new Records(7);
  @Nullable StoreNode store;

  @AfterEach
  void closeAll() throws IOException {
    if (store != null) {
      store.close();
    }
    nodes.forEach(TestIngestNode::close);
  }

  TestIngestNode ingest() {
    var node = new TestIngestNode();
    nodes.add(node);
    return node;
  }

  void startStore() throws IOException {
    startStore(Duration.ofMillis(50));
  }

  /** A store that gathers for so long, or a MiB. */
  void startStore(Duration gathering) throws IOException {
    startStore(gathering, new PassThroughFilesystem());
  }

  void startStore(Duration gathering, Filesystem disk) throws IOException {
    List<URI> uris = nodes.stream().map(TestIngestNode::uri).toList();
    store =
        StoreNode.start(
            StoreOptions.at(folder).withGather(1 << 20, gathering),
            KnownPeers.onlyIngestNodes(() -> uris),
            disk,
            registry,
            InstantSource.system());
  }

  List<Batch> someBatches(int count) {
    return records.labelledBatches(count, 30);
  }

  List<Batch> stored() {
    return Stored.batches(Objects.requireNonNull(store).segments());
  }

  void awaitCommitted() {
    await().until(() -> nodes.stream().allMatch(n -> n.left() == 0));
  }

  double count(String name) {
    return registry.get("cordwood.store." + name).counter().count();
  }

  List<Path> files(Path in, String ending) throws IOException {
    try (Stream<Path> list = Files.list(in)) {
      return list.filter(p -> p.toString().endsWith(ending)).toList();
    }
  }
}
