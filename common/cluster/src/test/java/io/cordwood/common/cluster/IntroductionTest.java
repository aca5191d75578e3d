package io.cordwood.common.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.common.testing.Seed;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class IntroductionTest {
  private static final String ID = "0123456789abcdef";

  @Test
  void whatIsWrittenReadsBack() throws GossipFormatException {
    for (List<String> ids : List.of(List.<String>of(), List.of(ID), List.of(ID, "f".repeat(16)))) {
      Introduction read = Introduction.read(Introduction.of("prod", ids).bytes());
      assertThat(read.clusterName()).isEqualTo("prod");
      assertThat(read.keyIds()).isEqualTo(ids);
    }
  }

  @Test
  void longestOneFits() {
    byte[] bytes = Introduction.of("n".repeat(255), Collections.nCopies(8, ID)).bytes();
    assertThat(bytes).hasSize(Introduction.MAX_BYTES);
  }

  @Test
  void noTwoAreTheSame() {
    assertThat(Introduction.of("prod", List.of()).bytes())
        .isNotEqualTo(Introduction.of("prod", List.of()).bytes());
  }

  @Test
  void everyTruncationAndBytesLeftOverAreRefused() {
    byte[] bytes = Introduction.of("prod", List.of(ID)).bytes();
    for (int length = 0; length <= bytes.length + 1; length++) {
      byte[] other = Arrays.copyOf(bytes, length);
      if (length != bytes.length) {
        assertThatThrownBy(() -> Introduction.read(other))
            .isInstanceOf(GossipFormatException.class);
      }
    }
  }

  @Test
  void damageReadsOrIsRefusedButNeverAnythingElse() {
    long seed = Seed.of(IntroductionTest.class);
    Random random = new Random(seed);
    byte[] bytes = Introduction.of("prod", List.of(ID)).bytes();
    for (int i = 0; i < 3_000; i++) {
      byte[] damaged = bytes.clone();
      damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
      try {
        assertThat(Introduction.read(damaged).keyIds()).as("seed %d", seed).hasSizeLessThan(9);
      } catch (GossipFormatException e) {
        assertThat(e.getMessage())
            .as("seed %d", seed)
            .containsAnyOf("introduction", "a cluster name");
      }
    }
  }
}
