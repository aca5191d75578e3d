package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.file.Filesystem;
import io.cordwood.common.http.server.HttpServer;
import io.cordwood.common.http.server.HttpServerOptions;
import io.cordwood.common.http.server.Routes;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.ingest.node.IngestNode;
import io.cordwood.store.KnownPeers;
import io.cordwood.store.node.StoreNode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two ingest nodes whose clocks are two days apart, and a store whose clock is like one of both.
 */
final class ClocksApartTest {
  private static final Duration DAY = Duration.ofDays(1);
  private static final int RECORDS = 200;

  @TempDir private Path folder;
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  /** An ingest node that stores can reach. */
  private record Served(IngestNode node, HttpServer http) implements AutoCloseable {
    @Override
    public void close() throws IOException {
      http.close();
      node.close();
    }

    URI uri() {
      return URI.create("http://127.0.0.1:" + http.port());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 1})
  void recordsOfNodesADayApartAreFoundOnceEach(int daysOfTheStore) throws IOException {
    List<String> early = records("of yesterday");
    List<String> late = records("of tomorrow");
    try (Served behind = serve("behind", off(-1));
        Served ahead = serve("ahead", off(1));
        StoreNode store =
            StoreNode.start(
                InProcessNode.storeOptions(folder, 0),
                KnownPeers.onlyIngestNodes(() -> List.of(behind.uri(), ahead.uri())),
                Filesystem.real(),
                registry,
                off(daysOfTheStore))) {
      InProcessNode.send(ahead.node, late);
      InProcessNode.send(behind.node, early);
      await().until(() -> stored(store).size() >= 2 * RECORDS);
      assertThat(stored(store).values())
          .as("in the order of the clocks that stamped them")
          .containsExactlyElementsOf(Stream.of(early, late).flatMap(List::stream).toList());
    }
  }

  private static InstantSource off(int days) {
    return () -> InstantSource.system().instant().plus(DAY.multipliedBy(days));
  }

  private static List<String> records(String what) {
    return IntStream.range(0, RECORDS).mapToObj(i -> "record " + i + " " + what).toList();
  }

  private Served serve(String name, InstantSource clock) throws IOException {
    Path home = Files.createDirectory(folder.resolve(name));
    IngestNode node = InProcessNode.startIngest(home, Filesystem.real(), registry, clock);
    Routes routes = new Routes();
    node.addRoutes(routes);
    return new Served(
        node, HttpServer.start(HttpServerOptions.at("127.0.0.1", 0), routes, registry));
  }

  private static Map<Ulid, String> stored(StoreNode store) {
    Map<Ulid, String> records = new TreeMap<>();
    InProcessNode.addStored(store, records);
    return records;
  }
}
