package io.cordwood.common.segment;

import static io.cordwood.common.segment.FilterFixtures.candidates;
import static io.cordwood.common.segment.FilterFixtures.logBlocks;
import static io.cordwood.common.segment.FilterFixtures.open;
import static io.cordwood.common.segment.FilterFixtures.section;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.common.file.ByteSource;
import io.cordwood.common.wire.CorruptException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class FilterDamageTest {
  private static final List<byte[]> BLOCKS = logBlocks(1, 5, 12_000);
  private static final byte[] INTACT = section(new FilterBuilder(56 << 10), BLOCKS);
  private static final int HEADER_BYTES = headerBytes(INTACT);

  private static int headerBytes(byte[] section) {
    try {
      return FilterFixtures.layout(section).headerBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void everyFlippedBitIsDetectedAndNeverRefusesWhatIsThere() throws IOException {
    byte[] needle = Arrays.copyOfRange(BLOCKS.get(3), 2, 60);
    for (int bit = 0; bit < INTACT.length * 8; bit++) {
      byte[] damaged = flipped(INTACT, bit);
      if (bit < HEADER_BYTES * 8) {
        assertThatThrownBy(() -> open(damaged)).isInstanceOf(CorruptException.class);
      } else {
        BlockFilter filter = open(damaged);
        assertThat(filter.damagedPages()).as("bit %d", bit).isEqualTo(1);
        assertThat(candidates(filter, needle).get(3)).as("bit %d", bit).isTrue();
      }
    }
  }

  @Test
  void damagedPagesOfADigestRefuseNothingThatIsThere() throws IOException {
    List<byte[]> blocks = FilterFixtures.blocksWithStopKeys(2, 16, 150_000);
    byte[] intact = section(new FilterBuilder(150_000), blocks);
    int headerBytes = headerBytes(intact);
    Random random = new Random(3);
    for (int i = 0; i < 300; i++) {
      byte[] damaged = intact.clone();
      for (int flips = 1 + random.nextInt(60); flips > 0; flips--) {
        damaged =
            flipped(damaged, headerBytes * 8 + random.nextInt((intact.length - headerBytes) * 8));
      }
      BlockFilter filter = open(damaged);
      int b = random.nextInt(blocks.size());
      int from = random.nextInt(100_000);
      byte[] needle = Arrays.copyOfRange(blocks.get(b), from, from + 5 + random.nextInt(20));
      assertThat(candidates(filter, needle).get(b)).isTrue();
    }
  }

  @Test
  void allPagesDamagedMakesAllBlocksCandidatesAndIsCounted() throws IOException {
    byte[] damaged = INTACT.clone();
    for (int at = HEADER_BYTES; at < damaged.length; at += FilterPages.PAGE_BYTES) {
      damaged[at] ^= 1;
    }
    BlockFilter filter = open(damaged);

    assertThat(candidates(filter, "nosuchneedle42").cardinality()).isEqualTo(BLOCKS.size());
    assertThat(filter.damagedReads()).isEqualTo("nosuchneedle42".length() - 4);
    assertThat(candidates(open(INTACT), "nosuchneedle42").cardinality()).isZero();
  }

  @Test
  void pagesThatChangedPlacesAreDetected() throws IOException {
    byte[] intact = section(new FilterBuilder(56 << 10), logBlocks(5, 5, 24_000));
    byte[] swapped = intact.clone();
    int first = headerBytes(intact);
    int second = first + FilterPages.PAGE_BYTES;
    System.arraycopy(intact, second, swapped, first, FilterPages.PAGE_BYTES);
    System.arraycopy(intact, first, swapped, second, FilterPages.PAGE_BYTES);

    assertThat(open(swapped).damagedPages()).isEqualTo(2);
  }

  @Test
  void everyTruncationIsRefused() {
    for (int length = 0; length < INTACT.length; length++) {
      byte[] cut = Arrays.copyOf(INTACT, length);
      assertThatThrownBy(() -> open(cut)).isInstanceOf(CorruptException.class);
      assertThatThrownBy(
              () -> BlockFilter.open(ByteSource.of(ByteBuffer.wrap(cut)), 0, INTACT.length))
          .isInstanceOf(CorruptException.class);
    }
  }

  @Test
  void headersOfAnyNumbersAreRefusedWithoutReadingOn() {
    Random random = new Random(4);
    for (int i = 0; i < 2_000; i++) {
      ByteBuffer header = ByteBuffer.wrap(INTACT.clone()).order(ByteOrder.LITTLE_ENDIAN);
      header.putInt(8 + 4 * random.nextInt(4), random.nextInt());
      FilterLayout.seal(header);
      assertThatThrownBy(() -> open(header.array())).isInstanceOf(CorruptException.class);
    }
  }

  @Test
  void otherVersionIsRefused() {
    ByteBuffer header = ByteBuffer.wrap(INTACT.clone()).order(ByteOrder.LITTLE_ENDIAN);
    header.putShort(4, (short) 3);
    FilterLayout.seal(header);
    assertThatThrownBy(() -> open(header.array())).hasMessageContaining("version 2, found 3");
  }

  @Test
  void sectionOutsideItsSourceIsRefused() {
    ByteSource source = ByteSource.of(ByteBuffer.wrap(INTACT));
    long length = INTACT.length;
    assertThatThrownBy(() -> BlockFilter.open(source, -1, length))
        .isInstanceOf(CorruptException.class);
    assertThatThrownBy(() -> BlockFilter.open(source, 1, length))
        .isInstanceOf(CorruptException.class);
    assertThatThrownBy(() -> BlockFilter.open(source, 0, Long.MAX_VALUE))
        .isInstanceOf(CorruptException.class);
  }

  private static byte[] flipped(byte[] bytes, int bit) {
    byte[] flipped = bytes.clone();
    flipped[bit / 8] ^= (byte) (1 << bit % 8);
    return flipped;
  }
}
