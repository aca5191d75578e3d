package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The same without the Vector API. */
final class ClusterLifeIT extends ClusterLifeTest {
  @Test
  void theVectorApiIsNotThere() {
    assertThat(ModuleLayer.boot().findModule("jdk.incubator.vector")).isEmpty();
  }
}
