package io.cordwood.store.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.file.FaultyFilesystem;
import io.cordwood.common.file.FaultyFilesystem.Call;
import io.cordwood.common.file.Filesystem;
import io.cordwood.common.file.FolderInUseException;
import io.cordwood.common.file.PassThroughFilesystem;
import io.cordwood.common.http.client.PeerClient;
import io.cordwood.common.http.server.HttpServer;
import io.cordwood.common.http.server.HttpServerOptions;
import io.cordwood.common.http.server.Routes;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.IngestSegmentHeader;
import io.cordwood.common.segment.Records;
import io.cordwood.common.segment.SegmentFiles;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.testing.Patience;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.store.KnownPeers;
import io.cordwood.store.StoreOptions;
import io.cordwood.store.consume.TestIngestNode;
import io.cordwood.store.keep.TestLog;
import io.cordwood.store.segment.Stored;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store as a whole: its life, what it answers, what it counts. */
final class StoreNodeTest {
  private static final Duration LONG = Patience.LONG;

  @TempDir Path folder;
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final AtomicReference<List<URI>> nodes = new AtomicReference<>(List.of());
  private final Records records = new Records(3);

  private StoreNode start() throws IOException {
    return start(new PassThroughFilesystem());
  }

  private StoreNode start(Filesystem disk) throws IOException {
    return StoreNode.start(
        StoreOptions.at(folder).withGather(1 << 20, Duration.ZERO),
        KnownPeers.onlyIngestNodes(() -> List.copyOf(nodes.get())),
        disk,
        registry,
        InstantSource.system());
  }

  private double count(String name) {
    return registry.get("cordwood.store." + name).counter().count();
  }

  private List<Batch> someBatches(int count) {
    List<Batch> batches = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      batches.add(records.batch(Topic.DEFAULT, 20));
    }
    return batches;
  }

  @Test
  void aNodeWhoseConsumersHaveEndedSaysSoUntilItEndsItself() throws IOException {
    var deadly =
        new FaultyFilesystem((call, number) -> {
          if (call == Call.CREATE) {
            throw new InternalError("injected at call " + number);
          }
          return false;
        });
    StoreNode dead;
    try (var node = new TestIngestNode();
        var store =
            StoreNode.start(
                StoreOptions.at(folder).withGather(1 << 20, Duration.ZERO),
                KnownPeers.onlyIngestNodes(() -> List.of(node.uri())),
                deadly,
                registry,
                InstantSource.system())) {
      assertThat(store.death()).isEmpty();
      node.add(someBatches(1));
      await()
          .dontCatchUncaughtExceptions() // that of the thread that ends is meant
          .until(() -> store.death().isPresent());
      assertThat(store.death())
          .hasValueSatisfying(why -> assertThat(why).startsWith("the thread consume-"));
      dead = store;
    }
    assertThat(dead.death()).isEmpty();
  }

  /** As many as would end all consumers. */
  @Test
  void consumersGoOnAfterDefectsOfTheirCode() throws IOException {
    var left =
        new ConcurrentLinkedQueue<Error>(
            List.of(
                new AssertionError("injected"),
                new StackOverflowError("injected"),
                new NoClassDefFoundError("injected")));
    var disk =
        new FaultyFilesystem((call, _) -> {
          boolean consumes = Thread.currentThread().getName().startsWith("consume-");
          Error next = consumes && call == Call.CREATE ? left.poll() : null;
          if (next != null) {
            throw next;
          }
          return false;
        });
    List<Batch> batches = someBatches(1);
    try (var node = new TestIngestNode();
        var store = start(disk)) {
      node.add(batches);
      nodes.set(List.of(node.uri()));
      await().until(() -> node.left() == 0);

      assertThat(left).isEmpty();
      assertThat(Stored.batches(store.segments())).isEqualTo(SegmentFiles.sorted(batches));
      assertThat(store.death()).isEmpty();
    }
  }

  @Test
  void theKeeperGoesOnAfterADefectOfItsCode() throws IOException {
    try (var log = TestLog.open(folder)) {
      List<Batch> batches = someBatches(3);
      log.store(batches);
      log.store(batches);
    }
    var left = new ConcurrentLinkedQueue<>(List.of(new AssertionError("injected")));
    var disk =
        new FaultyFilesystem((call, _) -> {
          boolean keeps = Thread.currentThread().getName().equals("keep");
          Error next = keeps && call == Call.CREATE ? left.poll() : null;
          if (next != null) {
            throw next;
          }
          return false;
        });
    try (var store = start(disk)) {
      await().until(() -> registry.get("cordwood.store.compaction").timer().count() > 0);
      assertThat(left).isEmpty();
      assertThat(store.death()).isEmpty();
    }
  }

  @Test
  void anIngestNodeThatJoinsLaterIsConsumed() throws IOException {
    try (var node = new TestIngestNode();
        var store = start()) {
      List<Batch> batches = someBatches(5);
      node.add(batches);
      nodes.set(List.of(node.uri()));

      await().until(() -> node.left() == 0);

      assertThat(Stored.batches(store.segments())).isEqualTo(SegmentFiles.sorted(batches));
    }
  }

  @Test
  void aViewHoldsOnlySegmentsThatOverlapItsRange() throws IOException {
    try (var node = new TestIngestNode();
        var store = start()) {
      node.add(someBatches(5));
      nodes.set(List.of(node.uri()));
      await().until(() -> node.left() == 0);

      try (var none = store.segments().view(new UlidRange(Ulid.MIN, Ulid.MIN));
          var all = store.segments().view(UlidRange.ALL)) {
        assertThat(none.segments()).isEmpty();
        assertThat(all.segments()).hasSize(1);
      }
    }
  }

  @Test
  void segmentsAreListedForOperators() throws IOException {
    var routes = new Routes();
    try (var node = new TestIngestNode();
        var store = start();
        var server = HttpServer.start(HttpServerOptions.at("127.0.0.1", 0), routes, registry);
        var client = new PeerClient(LONG, LONG)) {
      store.addRoutes(routes);
      node.add(someBatches(5));
      nodes.set(List.of(node.uri()));
      await().until(() -> node.left() == 0);

      var uri = URI.create("http://127.0.0.1:" + server.port() + "/store/segments");
      try (var response = client.get(uri, LONG)) {
        String text = new String(response.body().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(text.lines()).hasSize(2);
        assertThat(text.lines().toList().getLast()).matches("\\S+\\.flushed(\\t\\d+){4}");
      }
    }
  }

  @Test
  void whatWasPulledIsStoredOrDuplicateOrDamaged() throws IOException {
    List<Batch> batches = someBatches(6);
    try (var node = new TestIngestNode();
        var store = start()) {
      node.add(batches);
      node.add(batches.subList(0, 3));
      node.add(new Ulid(8, 8), new byte[777]);
      nodes.set(List.of(node.uri()));
      await().until(() -> count("consumed.segments") == 3);

      long bytes = 2L * IngestSegmentHeader.BYTES + 777;
      long pulled = 0;
      for (Batch batch : batches) {
        bytes += batch.encode().remaining();
        pulled += batch.records();
      }
      for (Batch batch : batches.subList(0, 3)) {
        bytes += batch.encode().remaining();
        pulled += batch.records();
      }
      assertThat(count("consumed.bytes")).isEqualTo(bytes);
      assertThat(count("damaged.bytes")).isEqualTo(777);
      assertThat(count("consumed.records")).isEqualTo(pulled);
      assertThat(count("stored.records") + duplicatesInGathers()).isEqualTo(pulled);
      assertThat(Stored.batches(store.segments())).isEqualTo(SegmentFiles.sorted(batches));
    }
  }

  private double duplicatesInGathers() {
    return registry
        .get("cordwood.store.duplicate.records")
        .tag("where", "consume")
        .counter()
        .count();
  }

  @Test
  void aFolderInUseIsRefusedAndFreeAfterClosing() throws IOException {
    try (var first = start()) {
      assertThat(first.segments()).isNotNull();
      assertThatThrownBy(this::start).isInstanceOf(FolderInUseException.class);
    }
    start().close();
  }
}
