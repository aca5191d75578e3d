package io.cordwood.common.cluster;

import io.cordwood.common.testing.Patience;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** Nodes that end with the test. */
abstract class NodesFixture {
  static final Duration LONG = Patience.LONG;

  @TempDir Path folder;
  final Nodes nodes = new Nodes();

  @AfterEach
  void stop() {
    nodes.close();
  }
}
