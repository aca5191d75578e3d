package io.cordwood.query.loki;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A cluster for each test. */
abstract class LokiFixture {
  LokiCluster cluster;

  @BeforeEach
  void start() throws IOException {
    cluster = new LokiCluster();
  }

  @AfterEach
  void stop() {
    cluster.close();
  }
}
