package io.cordwood.store.repair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.KnownParts;
import io.cordwood.common.http.client.PeerClient;
import io.cordwood.common.http.client.PeerResponse;
import io.cordwood.common.http.server.HttpServer;
import io.cordwood.common.http.server.HttpServerOptions;
import io.cordwood.common.http.server.Params;
import io.cordwood.common.http.server.Routes;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.Fingerprint;
import io.cordwood.common.segment.Records;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.testing.Patience;
import io.cordwood.common.testing.Seed;
import io.cordwood.store.ByTopic;
import io.cordwood.store.StorePeer;
import io.cordwood.store.keep.TestLog;
import io.cordwood.store.repair.SliceTable.Stretch;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.net.URI;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Of the table of a store, others fetch what is new. */
final class SliceTablesTest {
  private static final int SLICES = 1_000;

  @TempDir Path folder;

  private static Fingerprint print(long number) {
    return new Fingerprint(7, 1_000 + number, 90_000, number * number, ~number);
  }

  private static NavigableMap<Long, Fingerprint> slices(int count) {
    var slices = new TreeMap<Long, Fingerprint>();
    for (long slice = 2_900_000; slice < 2_900_000 + count; slice++) {
      slices.put(slice, print(slice));
    }
    return slices;
  }

  private static SliceTable table(NavigableMap<Long, Fingerprint> slices) {
    return new SliceTable(
        600_000, ByTopic.all(Instant.EPOCH), true, slices, List.of(new Stretch(1, 2)));
  }

  private static Optional<KnownParts> parts(SliceTable table) {
    return Optional.of(table.parts(KnownParts.countFor(table.slices().size())));
  }

  private static SliceTable parse(String text, SliceTable known) throws IOException {
    return SliceTableText.parse(new BufferedReader(new StringReader(text)), true, known);
  }

  @Test
  void ofATableThatIsTheSameNothingComesAgain() throws IOException {
    SliceTable table = table(slices(SLICES));
    String text = SliceTableText.of(table, parts(table));
    assertThat(SliceTableText.of(table, Optional.empty())).hasSizeGreaterThan(70_000);
    assertThat(text).hasSizeLessThan(200);
    assertThat(parts(table).orElseThrow().toString()).hasSizeLessThan(350);
    assertThat(parse(text, table)).isEqualTo(table);
  }

  @Test
  void ofATableThatHasASliceMoreFewSlicesCome() throws IOException {
    SliceTable before = table(slices(SLICES));
    SliceTable now = table(slices(SLICES + 1));
    String text = SliceTableText.of(now, parts(before));
    assertThat(text).hasSizeLessThan(4_000);
    assertThat(parse(text, before)).isEqualTo(now);
  }

  @Test
  void aStoreOfAnEarlierVersionGivesAll() throws IOException {
    SliceTable before = table(slices(SLICES));
    SliceTable now = table(slices(3));
    assertThat(parse(SliceTableText.of(now, Optional.empty()), before)).isEqualTo(now);
  }

  @Test
  void aChangedTableIsPutTogetherFromWhatWasThereAndWhatIsNew() throws IOException {
    long seed = Seed.of(SliceTablesTest.class);
    var random = new SplittableRandom(seed);
    SliceTable before = table(slices(random.nextInt(300)));
    for (int round = 0; round < 500; round++) {
      var slices = new TreeMap<>(before.slices());
      for (int change = random.nextInt(5); change > 0; change--) {
        long slice = 2_900_000L + random.nextInt(300);
        if (random.nextBoolean()) {
          slices.put(slice, print(random.nextLong(1L << 40)));
        } else {
          slices.remove(slice);
        }
      }
      SliceTable now = table(slices);
      assertThat(parse(SliceTableText.of(now, parts(before)), before))
          .as("seed %d, round %d", seed, round)
          .isEqualTo(now);
      before = now;
    }
  }

  @Test
  void partsThatDoNotFitAreRefused() {
    SliceTable known = table(slices(SLICES));
    SliceTable other = table(slices(SLICES + 7));
    String text = SliceTableText.of(known, parts(known));
    assertThatThrownBy(() -> parse(text, other)).isInstanceOf(IOException.class);
    for (String wrong : List.of("0", "257", "-1", "x")) {
      assertThatThrownBy(() -> parse(text.replace("parts\t31", "parts\t" + wrong), known))
          .isInstanceOf(IOException.class);
    }
    assertThatThrownBy(() -> parse(text.replace("parts\t31\t", "parts\t31\tf"), known))
        .isInstanceOf(IOException.class);
  }

  @Test
  void aStoreIsAskedForWhatIsNewOfItsTable() throws IOException {
    var records = new Records(45);
    List<Batch> batches = new ArrayList<>();
    for (int i = 0; i < SLICES; i++) {
      batches.add(records.batch(Topic.DEFAULT, 1));
    }
    try (var log = TestLog.open(folder)) {
      log.store(batches);
    }
    try (var store = new TestStore("a", TestStore.options(folder, 1), List::of);
        var client = new HoldingsClient()) {
      StorePeer peer = store.asPeer();
      SliceTable table =
          Objects.requireNonNull(client.slices(List.of(peer), SliceTablesTest::refuse).get(peer));
      assertThat(table.slices()).hasSizeGreaterThan(20);
      int whole = bytes(peer, Optional.empty());
      int again = bytes(peer, parts(table));
      assertThat(whole).isGreaterThan(70 * table.slices().size());
      assertThat(again).isLessThan(200);
      assertThat(client.slices(List.of(peer), SliceTablesTest::refuse))
          .isEqualTo(Map.of(peer, table));
    }
  }

  private static void refuse(StorePeer peer, IOException why) {
    throw new AssertionError(peer.toString(), why);
  }

  private static int bytes(StorePeer peer, Optional<KnownParts> known) throws IOException {
    String path = ApiPaths.STORE_SLICES + known.map(parts -> "?known=" + parts).orElse("");
    try (var client = new PeerClient(Patience.LONG, Patience.LONG);
        PeerResponse response = client.get(peer.uri().resolve(path), Patience.LONG)) {
      return response.body().readAllBytes().length;
    }
  }

  /** Each answers when the other is asked. */
  @Test
  void storesAreAskedAtOnce() throws IOException {
    SliceTable table = table(slices(3));
    var asked = new CountDownLatch(HoldingsClient.MAX_ASKED);
    var routes =
        new Routes()
            .get(
                ApiPaths.STORE_SLICES,
                Params.ANY,
                (_, response) -> {
                  asked.countDown();
                  RepairFixture.pass(asked);
                  response.text(200, SliceTableText.of(table, Optional.empty()));
                });
    List<StorePeer> peers = new ArrayList<>();
    try (var server =
            HttpServer.start(
                HttpServerOptions.at("127.0.0.1", 0), routes, new SimpleMeterRegistry());
        var client = new HoldingsClient()) {
      URI uri = URI.create("http://127.0.0.1:" + server.port());
      for (int i = 0; i < HoldingsClient.MAX_ASKED; i++) {
        peers.add(new StorePeer("store-" + i, uri, 0, 1 << 30));
      }
      assertThat(client.slices(peers, SliceTablesTest::refuse).keySet())
          .containsExactlyElementsOf(peers);
    }
  }
}
