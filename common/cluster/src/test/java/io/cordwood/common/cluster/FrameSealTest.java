package io.cordwood.common.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

final class FrameSealTest {
  private static final byte[] BODY =
      "what one node says to another".getBytes(StandardCharsets.UTF_8);
  private static final byte[] CONTEXT = {1, 2, 3};

  private final ClusterKey key = new ClusterKey(new byte[ClusterKey.BYTES]);
  private final FrameSeal sealing = new FrameSeal(key.forConnection(CONTEXT));
  private final FrameSeal opening = new FrameSeal(key.forConnection(CONTEXT));

  @Test
  void whatIsSealedOpensInItsOrder() throws GossipFormatException {
    for (int length : new int[] {0, 1, 15, 16, 17, Frame.MAX_BYTES}) {
      byte[] body = new byte[length];
      Arrays.fill(body, (byte) length);
      byte[] sealed = sealing.seal(body);
      assertThat(sealed).hasSize(length + FrameSeal.TAG_BYTES);
      assertThat(opening.open(sealed)).isEqualTo(body);
    }
  }

  @Test
  void sealShowsNothingAndIsNeverTheSameTwice() {
    byte[] first = sealing.seal(BODY);
    assertThat(sealing.seal(BODY)).isNotEqualTo(first);
    assertThat(Arrays.copyOf(first, BODY.length)).isNotEqualTo(BODY);
  }

  @Test
  void everyChangedBitIsRefused() {
    byte[] sealed = sealing.seal(BODY);
    for (int bit = 0; bit < 8 * sealed.length; bit++) {
      byte[] damaged = sealed.clone();
      damaged[bit / 8] ^= (byte) (1 << bit % 8);
      refuses(new FrameSeal(key.forConnection(CONTEXT)), damaged);
    }
  }

  @Test
  void everyTruncationIsRefused() {
    byte[] sealed = sealing.seal(BODY);
    for (int length = 0; length < sealed.length; length++) {
      refuses(new FrameSeal(key.forConnection(CONTEXT)), Arrays.copyOf(sealed, length));
    }
  }

  @Test
  void repeatedFrameIsRefused() throws GossipFormatException {
    byte[] sealed = sealing.seal(BODY);
    opening.open(sealed);
    refuses(opening, sealed);
  }

  @Test
  void leftOutFrameIsNoticed() {
    sealing.seal(BODY);
    refuses(opening, sealing.seal(BODY));
  }

  @Test
  void frameOfAnotherConnectionIsRefused() {
    refuses(new FrameSeal(key.forConnection(new byte[] {1, 2, 4})), sealing.seal(BODY));
  }

  @Test
  void frameUnderAnotherKeyIsRefused() {
    byte[] other = new byte[ClusterKey.BYTES];
    other[31] = 1;
    refuses(new FrameSeal(new ClusterKey(other).forConnection(CONTEXT)), sealing.seal(BODY));
  }

  private static void refuses(FrameSeal seal, byte[] sealed) {
    assertThatThrownBy(() -> seal.open(sealed))
        .isInstanceOf(GossipFormatException.class)
        .extracting(e -> ((GossipFormatException) e).reason())
        .isEqualTo(GossipFormatException.Reason.BROKEN_SEAL);
  }
}
