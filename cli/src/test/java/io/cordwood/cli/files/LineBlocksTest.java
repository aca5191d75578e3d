package io.cordwood.cli.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class LineBlocksTest {
  private static final long SEED = 4;

  /** Gives as many bytes at a time as a random number says. */
  private static final class Trickle extends InputStream {
    private final ByteArrayInputStream in;
    private final Random random;

    Trickle(byte[] bytes, Random random) {
      this.in = new ByteArrayInputStream(bytes);
      this.random = random;
    }

    @Override
    public int read() {
      return in.read();
    }

    @Override
    public int read(byte[] bytes, int offset, int length) {
      return in.read(bytes, offset, Math.min(length, 1 + random.nextInt(400_000)));
    }
  }

  @Test
  void blocksAreWholeLinesAndNothingIsLost() throws IOException {
    Random random = new Random(SEED);
    for (int round = 0; round < 30; round++) {
      byte[] bytes = new byte[random.nextInt(1_500_000)];
      int lineBytes = 1 << random.nextInt(20);
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] = (byte) (random.nextInt(lineBytes) == 0 ? '\n' : 'a' + random.nextInt(26));
      }
      var given = new ByteArrayOutputStream();
      new LineBlocks(new Trickle(bytes, random))
          .read((block, from, to, delimiter) -> {
            assertThat(block[to - 1]).isEqualTo(delimiter).isEqualTo((byte) '\n');
            given.write(block, from, to - from);
            return true;
          });
      if (bytes.length > 0 && bytes[bytes.length - 1] != '\n') {
        bytes = java.util.Arrays.copyOf(bytes, bytes.length + 1);
        bytes[bytes.length - 1] = '\n';
      }
      assertThat(given.toByteArray()).as("seed %d, round %d", SEED, round).isEqualTo(bytes);
    }
  }

  @Test
  void linesOfAnyLengthAreCutToABoundAndCounted() throws IOException {
    byte[] bytes = new byte[2 * LineBlocks.MAX_LINE_BYTES + 10];
    java.util.Arrays.fill(bytes, (byte) 'x');
    var lines = new LineBlocks(new ByteArrayInputStream(bytes));
    List<Integer> lengths = new ArrayList<>();
    lines.read((block, from, to, delimiter) -> lengths.add(to - from));
    assertThat(lengths)
        .containsExactly(LineBlocks.MAX_LINE_BYTES + 1, LineBlocks.MAX_LINE_BYTES + 1, 11);
    assertThat(lines.cutLines()).isEqualTo(2);
  }

  @Test
  void readingEndsWhenNoMoreIsWanted() throws IOException {
    var in = new ByteArrayInputStream("a\n".repeat(1_000_000).getBytes(StandardCharsets.UTF_8));
    new LineBlocks(in).read((block, from, to, delimiter) -> false);
    assertThat(in.available()).isGreaterThan(1_000_000);
  }
}
