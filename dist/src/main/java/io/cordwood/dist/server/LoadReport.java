package io.cordwood.dist.server;

import io.cordwood.common.cluster.Cluster;
import io.cordwood.common.cluster.NodeLoad;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Tells the cluster once a second how busy this node is. */
final class LoadReport implements AutoCloseable {
  private static final long PERIOD_MILLIS = 1000;

  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("load-report").factory());

  LoadReport(Cluster cluster, Supplier<NodeLoad> load) {
    var _ =
        thread.scheduleAtFixedRate(
            () -> cluster.load(load.get()), 0, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
  }

  @Override
  public void close() {
    thread.shutdown();
  }
}
