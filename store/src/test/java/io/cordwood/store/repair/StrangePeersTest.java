package io.cordwood.store.repair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.client.PeerClient;
import io.cordwood.common.http.client.PeerResponse;
import io.cordwood.common.http.server.Handler;
import io.cordwood.common.http.server.HttpServer;
import io.cordwood.common.http.server.HttpServerOptions;
import io.cordwood.common.http.server.Params;
import io.cordwood.common.http.server.Routes;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.Records;
import io.cordwood.common.segment.SegmentFiles;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.testing.Patience;
import io.cordwood.common.testing.Seed;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.store.StorePeer;
import io.cordwood.store.keep.LostRange;
import io.cordwood.store.keep.TestLog;
import io.cordwood.store.segment.Replica;
import io.cordwood.store.segment.Stored;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What other stores answer is believed only as far as it can be checked. */
final class StrangePeersTest {
  private static final Duration LONG = Patience.LONG;
  private static final Topic TOPIC = Topic.DEFAULT;

  @TempDir Path folder;
  private final Records records = new Records(91);
  private final Routes routes = new Routes();
  private final HttpServer server;

  StrangePeersTest() throws IOException {
    server =
        HttpServer.start(HttpServerOptions.at("127.0.0.1", 0), routes, new SimpleMeterRegistry());
  }

  @AfterEach
  void closeServer() {
    server.close();
  }

  private StorePeer peer() {
    return new StorePeer("zzz", URI.create("http://127.0.0.1:" + server.port()), 0, 1 << 30);
  }

  private List<Batch> someBatches(int count) {
    List<Batch> batches = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      batches.add(records.batch(TOPIC, 5));
    }
    return batches;
  }

  private static Handler bytes(byte[] body) {
    return (_, response) -> response.body().write(body);
  }

  private static LostRange lost(List<Batch> batches) {
    var range = batches.getFirst().range().union(batches.getLast().range());
    return new LostRange(TOPIC, range, batches.size(), 1);
  }

  /** Fetches what is lost; the batches of the store afterwards. */
  private List<Batch> refetch(List<Batch> held, LostRange lost) throws IOException {
    try (var test = TestLog.open(folder);
        var client = new HoldingsClient()) {
      test.store(held);
      test.lost.add(List.of(lost));
      new Refetch(test.log, client, test.lost, TestStore.ALL_KEPT, new RepairMetrics(test.registry))
          .run(List.of(peer()));
      try (Stream<Path> files = Files.list(folder)) {
        assertThat(files.filter(p -> p.toString().endsWith(".active"))).isEmpty();
      }
      return Stored.batches(test.log);
    }
  }

  @Test
  void whatIsFetchedIsWhatWasNotThere() throws IOException {
    List<Batch> all = someBatches(50);
    routes.get(
        ApiPaths.STORE_FETCH,
        Params.ANY,
        bytes(SegmentFiles.storeSegment(SegmentFiles.sorted(all))));

    assertThat(refetch(all.subList(0, 20), lost(all))).isEqualTo(SegmentFiles.sorted(all));
  }

  @Test
  void aFetchedSegmentWithAnyBrokenByteIsRefused() throws IOException {
    long seed = Seed.of(StrangePeersTest.class);
    var random = new SplittableRandom(seed);
    List<Batch> all = someBatches(20);
    List<Batch> held = all.subList(0, 10);
    byte[] whole = SegmentFiles.storeSegment(SegmentFiles.sorted(all));
    byte[] broken = whole.clone();
    routes.get(ApiPaths.STORE_FETCH, Params.ANY, bytes(broken));
    for (int i = 0; i < 30; i++) {
      int at = random.nextInt(whole.length);
      broken[at] ^= (byte) (1 + random.nextInt(255));
      Path own = Files.createDirectory(folder.resolve("at-" + i));
      try (var test = TestLog.open(own);
          var client = new HoldingsClient()) {
        test.store(held);
        test.lost.add(List.of(lost(all)));
        new Refetch(
                test.log, client, test.lost, TestStore.ALL_KEPT, new RepairMetrics(test.registry))
            .run(List.of(peer()));
        assertThat(Stored.batches(test.log))
            .as("byte %d, seed %d", at, seed)
            .isEqualTo(SegmentFiles.sorted(held));
      }
      broken[at] = whole[at];
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 100, 2000})
  void aFetchedSegmentThatBreaksOffIsRefused(int length) throws IOException {
    List<Batch> all = someBatches(50);
    List<Batch> held = all.subList(0, 10);
    byte[] whole = SegmentFiles.storeSegment(SegmentFiles.sorted(all));
    routes.get(
        ApiPaths.STORE_FETCH,
        Params.ANY,
        (_, response) -> {
          response.contentLength(whole.length);
          response.body().write(whole, 0, length);
          response.body().flush();
          throw new IOException("the test breaks this answer off");
        });

    assertThat(refetch(held, lost(all))).isEqualTo(SegmentFiles.sorted(held));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "<html>not found</html>", "length\t600000\n"})
  void aPeerThatTellsNonsenseIsCountedAndTheStoreGoesOn(String answer) throws IOException {
    routes.get(ApiPaths.STORE_SLICES, Params.ANY, (_, response) -> response.text(200, answer));
    try (var test = TestLog.open(folder)) {
      test.store(someBatches(30));
    }
    var options = TestStore.options(folder, 2);
    try (var store = new TestStore("a", options, () -> List.of(peer()))) {
      await()
          .until(() ->
              store.registry.find("cordwood.store.repair.failures").counters().stream()
                  .anyMatch(c -> c.count() > 1));
      // It is as if nobody were there: after the bound, all is said to lack its copy.
      await().until(() -> store.missingBytes() > 0);
    }
  }

  @Test
  void aPeerWhoseListsAreNonsenseIsSentNothing() throws IOException {
    routes.get(
        ApiPaths.STORE_SLICES,
        Params.ANY,
        (_, response) -> response.text(200, "length\t50\nhorizon\t1970-01-01T00:00:00Z\nend\t0\n"));
    routes.get(ApiPaths.STORE_BATCHES, Params.ANY, bytes(new byte[100]));
    routes.post(
        ApiPaths.STORE_REPLICATE,
        Params.ANY,
        1 << 20,
        (_, _) -> {
          throw new AssertionError("nothing should be sent");
        });
    try (var test = TestLog.open(folder)) {
      test.store(someBatches(30));
    }
    var options = TestStore.options(folder, 2);
    try (var store = new TestStore("a", options, () -> List.of(peer()))) {
      await()
          .until(() ->
              store
                  .registry
                  .find("cordwood.store.repair.failures")
                  .tag("what", "compare")
                  .counters()
                  .stream()
                  .anyMatch(c -> c.count() > 2));
      assertThat(store.count("repair.copied.bytes")).isZero();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "/store/batches, 400",
    "/store/batches?from_ulid=x&to_ulid=y, 400",
    "/store/batches?from_ulid=7ZZZZZZZZZZZZZZZZZZZZZZZZZ&to_ulid=00000000000000000000000000, 400",
    "/store/batches?from_ulid=00000000000000000000000000&to_ulid=7ZZZZZZZZZZZZZZZZZZZZZZZZZ, 200",
    "/store/fetch?from_ulid=00000000000000000000000000&to_ulid=00000000000000000000000009, 204",
    "/store/fetch?topic=-, 400",
    "/store/slices, 200",
    "/store/slices?to_node=a, 200",
    "/store/slices?to_node=b, 421",
    "/store/batches?to_node=b, 421",
    "/store/fetch?to_node=b, 421",
  })
  void aStoreAnswersWhatItIsAskedAndRefusesTheRest(String path, int status) throws IOException {
    try (var test = TestLog.open(folder)) {
      test.store(someBatches(3));
    }
    try (var store = new TestStore("a", TestStore.options(folder, 1), List::of);
        var client = new PeerClient(LONG, LONG);
        PeerResponse response = client.get(store.asPeer().uri().resolve(path), LONG)) {
      assertThat(response.status()).isEqualTo(status);
    }
  }

  @Test
  void whatAStoreGivesIsInTheRangeAndOfTheTopicThatWereAskedFor() throws IOException {
    List<Batch> batches = someBatches(30);
    Batch other = records.batch(new Topic("other"), 3);
    List<Batch> all = new ArrayList<>(batches);
    all.add(other);
    Path source = Files.createDirectory(folder.resolve("source"));
    try (var test = TestLog.open(source)) {
      test.store(all);
    }
    List<Batch> wanted = SegmentFiles.sorted(batches).subList(5, 12);
    Ulid from = wanted.getFirst().first();
    Ulid to = wanted.getLast().first();
    try (var store = new TestStore("a", TestStore.options(source, 1), List::of);
        var test = TestLog.open(Files.createDirectory(folder.resolve("target")));
        var client = new HoldingsClient()) {
      try (Replica replica = test.log.newReplica()) {
        var range = new io.cordwood.common.ulid.UlidRange(from, to);
        assertThat(client.fetch(store.asPeer(), TOPIC, range, replica.file())).isTrue();
        test.log.publish(replica.flush());
      }
      assertThat(Stored.batches(test.log)).isEqualTo(wanted);
    }
  }
}
