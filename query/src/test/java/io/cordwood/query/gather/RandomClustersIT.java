package io.cordwood.query.gather;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The same without the Vector API. */
final class RandomClustersIT extends RandomClustersTest {
  @Test
  void theVectorApiIsNotThere() {
    assertThat(ModuleLayer.boot().findModule("jdk.incubator.vector")).isEmpty();
  }
}
