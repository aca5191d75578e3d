package io.cordwood.common.segment;

import static io.cordwood.common.segment.FilterFixtures.candidates;
import static io.cordwood.common.segment.FilterFixtures.logBlocks;
import static io.cordwood.common.segment.FilterFixtures.open;
import static io.cordwood.common.segment.FilterFixtures.section;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class FilterDamageTest {
  private static final List<byte[]> BLOCKS = logBlocks(1, 5, 12_000);
  private static final byte[] INTACT = section(new FilterBuilder(56 << 10), BLOCKS);

  @Test
  void everyFlippedBitIsDetectedAndNeverRefusesWhatIsThere() throws IOException {
    byte[] needle = Arrays.copyOfRange(BLOCKS.get(3), 2, 60);
    for (int bit = 0; bit < INTACT.length * 8; bit++) {
      byte[] damaged = flipped(INTACT, bit);
      if (bit < FilterLayout.HEADER_BYTES * 8) {
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
    List<byte[]> blocks = logBlocks(2, 16, 150_000);
    byte[] intact = section(new FilterBuilder(150_000), blocks);
    Random random = new Random(3);
    for (int i = 0; i < 300; i++) {
      byte[] damaged = intact.clone();
      for (int flips = 1 + random.nextInt(60); flips > 0; flips--) {
        damaged =
            flipped(
                damaged,
                FilterLayout.HEADER_BYTES * 8
                    + random.nextInt((intact.length - FilterLayout.HEADER_BYTES) * 8));
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
    for (int at = FilterLayout.HEADER_BYTES; at < damaged.length; at += FilterPages.PAGE_BYTES) {
      damaged[at] ^= 1;
    }
    BlockFilter filter = open(damaged);

    assertThat(candidates(filter, "nosuchneedle42").cardinality()).isEqualTo(BLOCKS.size());
    assertThat(filter.damagedReads()).isEqualTo("nosuchneedle42".length() - 4);
    assertThat(candidates(open(INTACT), "nosuchneedle42").cardinality()).isZero();
  }

  @Test
  void pagesThatChangedPlacesAreDetected() throws IOException {
    byte[] swapped = INTACT.clone();
    int first = FilterLayout.HEADER_BYTES;
    int second = first + FilterPages.PAGE_BYTES;
    System.arraycopy(INTACT, second, swapped, first, FilterPages.PAGE_BYTES);
    System.arraycopy(INTACT, first, swapped, second, FilterPages.PAGE_BYTES);

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
    header.putShort(4, (short) 2);
    FilterLayout.seal(header);
    assertThatThrownBy(() -> open(header.array())).hasMessageContaining("version 1, found 2");
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
