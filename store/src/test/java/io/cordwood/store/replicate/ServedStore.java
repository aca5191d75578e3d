package io.cordwood.store.replicate;

import io.cordwood.common.file.Filesystem;
import io.cordwood.common.file.PassThroughFilesystem;
import io.cordwood.common.http.server.HttpServer;
import io.cordwood.common.http.server.HttpServerOptions;
import io.cordwood.common.http.server.Routes;
import io.cordwood.common.segment.Batch;
import io.cordwood.store.KnownPeers;
import io.cordwood.store.StoreOptions;
import io.cordwood.store.StorePeer;
import io.cordwood.store.node.StoreNode;
import io.cordwood.store.segment.Stored;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** A store behind a real HTTP server, as in a node of its own. */
final class ServedStore implements AutoCloseable {
  /** Else old records would be rewritten at any time while a test looks at the files. */
  private static final StoreOptions.Settling UNSETTLED =
      new StoreOptions.Settling(Duration.ZERO, 0);

  final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  final StoreNode node;
  final String nodeId;
  private final HttpServer server;
  private final Path folder;

  /** How a store is started; the rest is as in production. */
  record Setup(
      StoreOptions options, Filesystem disk, Supplier<List<URI>> ingestNodes, Duration idle) {
    Setup(StoreOptions options, Filesystem disk, Supplier<List<URI>> ingestNodes) {
      this(options, disk, ingestNodes, Duration.ofMinutes(1));
    }

    static Setup at(Path folder) {
      var options = StoreOptions.at(folder).withGather(1 << 20, Duration.ofMillis(20));
      return new Setup(options, new PassThroughFilesystem(), List::of);
    }

    /** The same that gives up senders which stop for so long. */
    Setup withIdle(Duration longest) {
      return new Setup(options, disk, ingestNodes, longest);
    }
  }

  ServedStore(String nodeId, Setup setup, Supplier<List<StorePeer>> stores) throws IOException {
    this.nodeId = nodeId;
    this.folder = setup.options.folder();
    var routes = new Routes();
    server = HttpServer.start(options(setup.idle), routes, registry);
    var peers = new KnownPeers(nodeId, setup.ingestNodes, stores);
    StoreOptions options = setup.options.with(UNSETTLED);
    node = StoreNode.start(options, peers, setup.disk, registry, InstantSource.system());
    node.addRoutes(routes);
  }

  private static HttpServerOptions options(Duration idle) {
    return HttpServerOptions.at("127.0.0.1", 0)
        .withTimeouts(idle, idle, Duration.ofMinutes(1), Duration.ofMillis(50));
  }

  URI uri() {
    return URI.create("http://127.0.0.1:" + server.port());
  }

  int port() {
    return server.port();
  }

  StorePeer asPeer() {
    return new StorePeer(nodeId, uri(), node.storedBytes(), 1L << 40);
  }

  List<Batch> stored() {
    return Stored.batches(node.segments());
  }

  /** The names in its folder that end so. */
  List<Path> files(String ending) {
    try (Stream<Path> list = Files.list(folder)) {
      return list.filter(p -> p.toString().endsWith(ending)).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  double count(String name, String... tags) {
    var counter = registry.find("cordwood.store." + name).tags(tags).counter();
    return counter == null ? 0 : counter.count();
  }

  double gauge(String name) {
    return registry.get("cordwood.store." + name).gauge().value();
  }

  @Override
  public void close() throws IOException {
    node.close();
    server.close();
  }
}
