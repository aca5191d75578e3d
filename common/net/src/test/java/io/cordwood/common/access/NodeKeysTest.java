package io.cordwood.common.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.access.NodeKeys.Check;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

final class NodeKeysTest {
  private static final byte[] FIRST = new byte[32];
  private static final byte[] SECOND =
      "0123456789abcdef0123456789abcdef".getBytes(java.nio.charset.StandardCharsets.US_ASCII);

  private final AtomicReference<Instant> now =
      new AtomicReference<>(Instant.parse("2030-01-01T00:00:00Z"));
  private final NodeKeys caller = new NodeKeys(List.of(FIRST), now::get);

  private static String signed(NodeKeys keys) {
    return Objects.requireNonNull(keys.sign("peer", "POST", "/ingest/claim?max=1"));
  }

  private Check check(NodeKeys keys, String header) {
    return keys.check(header, "POST", "/ingest/claim?max=1");
  }

  @Test
  void aCallOfTheSameKeyIsGood() {
    assertThat(check(caller, signed(caller))).isEqualTo(Check.GOOD);
  }

  @Test
  void anotherKeyMethodOrTargetIsForeign() {
    var other = new NodeKeys(List.of(SECOND), now::get);
    assertThat(check(other, signed(caller))).isEqualTo(Check.FOREIGN);
    assertThat(caller.check(signed(caller), "GET", "/ingest/claim?max=1")).isEqualTo(Check.FOREIGN);
    assertThat(caller.check(signed(caller), "POST", "/ingest/claim?max=2"))
        .isEqualTo(Check.FOREIGN);
  }

  @Test
  void keysAreChangedNodeByNode() {
    var both = new NodeKeys(List.of(SECOND, FIRST), now::get);
    assertThat(check(both, signed(caller))).isEqualTo(Check.GOOD);
  }

  @Test
  void aCallHoldsForMinutes() {
    String header = signed(caller);
    now.set(now.get().plus(NodeKeys.WINDOW));
    assertThat(check(caller, header)).isEqualTo(Check.GOOD);
    now.set(now.get().plusMillis(1));
    assertThat(check(caller, header)).isEqualTo(Check.OTHER_TIME);
  }

  @Test
  void nodesWhoseClocksAreADayApartUnderstandEachOther() {
    var ahead = new NodeKeys(List.of(FIRST), () -> now.get().plus(Duration.ofDays(1)));
    assertThat(check(ahead, signed(caller))).isEqualTo(Check.OTHER_TIME);
    assertThat(caller.learn("peer", ahead.time())).isTrue();
    assertThat(check(ahead, signed(caller))).isEqualTo(Check.GOOD);
    assertThat(caller.learn("peer", ahead.time())).isFalse();
    assertThat(caller.learn("peer", "soon")).isFalse();
    assertThat(caller.learn("peer", null)).isFalse();
  }

  @Test
  void oddBytesAreForeign() {
    var random = new Random(5);
    String good = signed(caller);
    for (int i = 0; i < 1000; i++) {
      int at = random.nextInt(good.length());
      char other = (char) (32 + random.nextInt(95));
      String changed = good.substring(0, at) + other + good.substring(at + 1);
      if (!changed.equalsIgnoreCase(good)) {
        assertThat(check(caller, changed)).isEqualTo(Check.FOREIGN);
      }
      assertThat(check(caller, good.substring(0, at))).isEqualTo(Check.FOREIGN);
    }
  }

  @Test
  void withoutAKeyNothingIsSignedAndNothingIsGood() {
    assertThat(NodeKeys.NONE.sign("peer", "GET", "/")).isNull();
    assertThat(check(NodeKeys.NONE, signed(caller))).isEqualTo(Check.FOREIGN);
  }
}
