package io.cordwood.jmh.load;

import com.sun.management.OperatingSystemMXBean;
import io.cordwood.common.http.server.HttpServer;
import io.cordwood.common.http.server.HttpServerOptions;
import io.cordwood.common.http.server.Routes;
import io.cordwood.store.KnownPeers;
import io.cordwood.store.RepairOptions;
import io.cordwood.store.StoreOptions;
import io.cordwood.store.StorePeer;
import io.cordwood.store.node.StoreNode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;

/** A store with its API in this process, which repairs as fast as it can and does nothing else. */
final class MeasuredStore implements AutoCloseable {
  /** So that what is generated is neither merged nor settled. */
  private static final long TARGET_BYTES = 16 << 20;

  private static final Duration REPAIR_AFTER = Duration.ofSeconds(5);
  private static final Duration FOREVER = Duration.ofDays(3650);

  private final String id;
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final StoreNode node;
  private final HttpServer server;

  MeasuredStore(String id, Path folder, Supplier<List<MeasuredStore>> all, CountedReads reads)
      throws IOException {
    this.id = id;
    var options =
        StoreOptions.at(folder)
            .withGather(TARGET_BYTES, Duration.ofSeconds(1))
            .withCompactionRate(1 << 10)
            .with(new StoreOptions.Settling(FOREVER, 0))
            .with(new StoreOptions.Keeping(FOREVER, FOREVER, 0))
            .withReplicationFactor(2)
            .with(RepairOptions.DEFAULT.withRepair(REPAIR_AFTER, 1L << 40));
    Supplier<List<StorePeer>> peers =
        () -> List.copyOf(all.get()).stream().map(MeasuredStore::asPeer).toList();
    var known = new KnownPeers(id, List::of, peers);
    node = StoreNode.start(options, known, reads.filesystem(), registry, InstantSource.system());
    var routes = new Routes();
    node.addRoutes(routes);
    server = HttpServer.start(HttpServerOptions.at("127.0.0.1", 0), routes, registry);
  }

  private URI uri() {
    return URI.create("http://127.0.0.1:" + server.port());
  }

  private StorePeer asPeer() {
    return new StorePeer(id, uri(), node.storedBytes(), 1L << 40);
  }

  /** Processor time of all threads of this process. */
  static long cpuNanos() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  /** Waits until all of its slices are known. */
  void awaitKnown() throws IOException, InterruptedException {
    while (slices().contains("\nunknown\t")) {
      Thread.sleep(1);
    }
  }

  private String slices() throws IOException {
    try (InputStream in = uri().resolve("/store/slices").toURL().openStream()) {
      return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
    }
  }

  /** Waits until it has sent a number of batches. */
  void awaitCopied(long batches) throws InterruptedException {
    while (copied() < batches) {
      Thread.sleep(5);
    }
  }

  /** Waits until it has begun to compare itself with the others. */
  void awaitComparing() throws InterruptedException {
    while (count("rounds") == 0) {
      Thread.sleep(1);
    }
  }

  /** Waits until it has compared a number of slices. */
  void awaitCompared(int slices) throws InterruptedException {
    while (count("compared.slices") < slices) {
      Thread.sleep(1);
    }
  }

  private double count(String name) {
    return registry.get("cordwood.store.repair." + name).counter().count();
  }

  long copied() {
    return (long) count("copied.batches");
  }

  @Override
  public void close() throws IOException {
    server.close();
    node.close();
  }
}
