package io.cordwood.common.cold;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.segment.BlockInfo;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.UlidRange;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Blocks that lie close together are one request, within a number of bytes. */
final class JoinedBlocksTest {
  private static final int KIB = 1 << 10;

  private static BlockInfo block(int ordinal, long offset, int bytes) {
    return new BlockInfo(
        ordinal, new Topic("shop"), UlidRange.ALL, offset, bytes, 4 * bytes, 1, 1, 0);
  }

  @Test
  void aGapIsReadUpToItsBound() {
    int gap = JoinedBlocks.MOST_GAP_BYTES;
    assertThat(JoinedBlocks.of(List.of(block(0, 16, KIB), block(3, 16 + KIB + gap, KIB))))
        .containsExactly(new JoinedBlocks(16, 2 * KIB + gap, 2, 2 * KIB));
    assertThat(JoinedBlocks.of(List.of(block(0, 16, KIB), block(3, 17 + KIB + gap, KIB))))
        .containsExactly(
            new JoinedBlocks(16, KIB, 1, KIB), new JoinedBlocks(17 + KIB + gap, KIB, 1, KIB));
    assertThat(JoinedBlocks.of(List.of())).isEmpty();
  }

  @Test
  void aRangeEndsAtItsBoundAndALargerBlockIsOneByItself() {
    int most = JoinedBlocks.MOST_BYTES;
    assertThat(
            JoinedBlocks.of(
                List.of(block(0, 0, most - KIB), block(1, most - KIB, KIB), block(2, most, KIB))))
        .containsExactly(new JoinedBlocks(0, most, 2, most), new JoinedBlocks(most, KIB, 1, KIB));
    assertThat(JoinedBlocks.of(List.of(block(0, 0, 3 * most), block(1, 3L * most, KIB))))
        .containsExactly(
            new JoinedBlocks(0, 3 * most, 1, 3 * most), new JoinedBlocks(3L * most, KIB, 1, KIB));
    assertThat(new JoinedBlocks(0, 10, 2, 7).gapBytes()).isEqualTo(3);
  }
}
