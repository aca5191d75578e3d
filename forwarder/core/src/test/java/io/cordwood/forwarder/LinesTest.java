package io.cordwood.forwarder;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** Bytes are found as one by one, also beside those that differ from them by little. */
final class LinesTest {
  @Test
  void theFirstByteOfAValueIsFound() {
    var random = new Random(Long.getLong("cordwood.seed", 45));
    byte[] few = {'\n', '\n' + 1, '\n' - 1, 0, 1, -1, (byte) ('\n' | 0x80)};
    for (int round = 0; round < 20_000; round++) {
      byte[] bytes = new byte[random.nextInt(120)];
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] = few[random.nextInt(40) == 0 ? 0 : random.nextInt(1, few.length)];
      }
      int from = random.nextInt(bytes.length + 1);
      int to = random.nextInt(from, bytes.length + 1);
      int expected = from;
      while (expected < to && bytes[expected] != '\n') {
        expected++;
      }
      assertThat(Lines.first((byte) '\n', bytes, from, to))
          .isEqualTo(expected < to ? expected : -1);
    }
  }
}
