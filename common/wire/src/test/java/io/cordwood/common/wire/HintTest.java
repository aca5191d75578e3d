package io.cordwood.common.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class HintTest {
  private static final Load LOAD = new Load(1, 2, 3, Long.MAX_VALUE / 10);

  @Test
  void aSenderReadsWhatANodeWrites() {
    comesBack(new Hint.Self("a", LOAD), "self a 1 2 3 922337203685477580\n");
    comesBack(new Hint.Other("b!", "h.x:1", LOAD), "node b! h.x:1 1 2 3 922337203685477580\n");
    comesBack(new Hint.Other("b", "[::1]:1", LOAD), "node b [::1]:1 1 2 3 922337203685477580\n");
    comesBack(new Hint.Go("b"), "go b\n");
  }

  private static void comesBack(Hint hint, String line) {
    assertThat(hint.line()).isEqualTo(line);
    assertThat(Hint.isMeant(line.stripTrailing())).isTrue();
    assertThat(Hint.parse(line.stripTrailing())).isEqualTo(hint);
    assertThat(Hint.parse(line.stripTrailing() + " more")).isEqualTo(hint);
  }
}
