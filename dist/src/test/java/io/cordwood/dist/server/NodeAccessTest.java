package io.cordwood.dist.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.cluster.ClusterKeys;
import java.time.InstantSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class NodeAccessTest {
  @ParameterizedTest
  @CsvSource({
    "false, false, true",
    "false, true, true",
    "true, false, false",
    "true, true, true",
  })
  void withoutAKeyANodeWithTokensTrustsCertificatesOrItselfAlone(
      boolean hasTokens, boolean hasTls, boolean none) {
    var keys = NodeAccess.keys(ClusterKeys.NONE, hasTokens, hasTls, InstantSource.system());
    assertThat(keys.areNone()).isEqualTo(none);
  }
}
