package io.cordwood.common.segment;

import static io.cordwood.common.segment.FilterFixtures.binaryBlock;
import static io.cordwood.common.segment.FilterFixtures.candidates;
import static io.cordwood.common.segment.FilterFixtures.logBlock;
import static io.cordwood.common.segment.FilterFixtures.logBlocks;
import static io.cordwood.common.segment.FilterFixtures.open;
import static io.cordwood.common.segment.FilterFixtures.section;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class BlockFilterTest {
  private static final int BLOCK_BYTES = 256 << 10;

  @ParameterizedTest
  @CsvSource({"1,1", "2,1", "3,7", "4,33", "5,63", "6,64", "7,65", "8,130"})
  void noSubstringOfARecordIsEverRefused(long seed, int blocks) throws IOException {
    Random random = new Random(seed);
    List<byte[]> content = new ArrayList<>();
    for (int b = 0; b < blocks; b++) {
      byte delimiter = (byte) (b % 2 == 0 ? '\n' : 0);
      content.add(
          b % 3 == 2 ? logBlock(random, 2_000) : binaryBlock(random, 1 + b % 60, delimiter));
    }
    BlockFilter filter = open(section(new FilterBuilder(BLOCK_BYTES), content));

    for (int b = 0; b < blocks; b++) {
      byte[] block = content.get(b);
      for (int i = 0; i < 300; i++) {
        int from = random.nextInt(block.length);
        int to = from + 1 + random.nextInt(Math.min(45, block.length - from));
        assertFound(filter, b, block, from, to);
      }
      assertFound(filter, b, block, 0, Math.min(5, block.length));
      assertFound(filter, b, block, Math.max(0, block.length - 6), block.length);
    }
  }

  @Test
  void everyWindowOfABlockIsFoundWhateverItsAlignment() throws IOException {
    byte[] block = binaryBlock(new Random(11), 40, (byte) '\n');
    for (int padding = 0; padding < 9; padding++) {
      byte[] shifted = new byte[padding + block.length];
      Arrays.fill(shifted, (byte) 'p');
      System.arraycopy(block, 0, shifted, padding, block.length);
      FilterBuilder builder = new FilterBuilder(BLOCK_BYTES);
      builder.addBlock(shifted, padding, shifted.length);
      byte[] other = new byte[100];
      builder.addBlock(other, 0, other.length);
      BlockFilter filter = open(array(builder.build()));
      for (int from = 0; from + 5 <= block.length; from++) {
        assertFound(filter, 0, block, from, from + 5);
      }
    }
  }

  @Test
  void stopKeysOfASegmentWithDigestRefuseNothingThatIsThere() throws IOException {
    List<byte[]> content = FilterFixtures.blocksWithStopKeys(21, 70, 150_000);
    byte[] section = section(new FilterBuilder(150_000), content);
    BlockFilter filter = open(section);
    assertThat(FilterFixtures.layout(section).digest().tellsStopKeys()).isTrue();

    Random random = new Random(22);
    for (int i = 0; i < 5_000; i++) {
      int b = random.nextInt(content.size());
      byte[] block = content.get(b);
      int from = random.nextInt(block.length - 30);
      assertFound(filter, b, block, from, from + 5 + random.nextInt(25));
    }
  }

  @Test
  void rareNeedlesAreRefusedInNearlyAllOtherBlocks() throws IOException {
    List<byte[]> content = logBlocks(31, 40, BLOCK_BYTES);
    content.set(17, withLine(content.get(17), "needle Zq7-Xw9.Kj3 here"));
    BlockFilter filter = open(section(new FilterBuilder(BLOCK_BYTES), content));

    assertThat(candidates(filter, "zq7-xw9.kj3").get(17)).isTrue();
    assertThat(candidates(filter, "zq7-xw9.kj3").cardinality()).isLessThanOrEqualTo(2);
    assertThat(candidates(filter, "nosuchneedle42").cardinality()).isZero();
    assertThat(candidates(filter, "Received block blk_").cardinality()).isGreaterThan(39);
  }

  @Test
  void absentNearMissesAreMostlyRefused() throws IOException {
    List<byte[]> content = logBlocks(41, 40, BLOCK_BYTES);
    BlockFilter filter = open(section(new FilterBuilder(BLOCK_BYTES), content));
    Random random = new Random(42);
    int candidates = 0;
    for (int i = 0; i < 200; i++) {
      byte[] block = content.get(random.nextInt(content.size()));
      int from = random.nextInt(block.length - 12);
      byte[] needle = Arrays.copyOfRange(block, from, from + 12);
      needle[3] = '~';
      needle[8] = '~';
      candidates += candidates(filter, needle).cardinality();
    }
    assertThat(candidates).isLessThan(200 * 40 / 20);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a", "blk_", "a\nb\tc\0d", "\n\n\n\n\n\n"})
  void whatHasNoGramIsTakenToBeEverywhere(String literal) throws IOException {
    BlockFilter filter =
        open(section(new FilterBuilder(BLOCK_BYTES), logBlocks(51, 3, BLOCK_BYTES)));
    assertThat(candidates(filter, literal).cardinality()).isEqualTo(3);
  }

  @Test
  void clausesAreAllRequiredAndTheirLiteralsAreAlternatives() throws IOException {
    List<byte[]> content = new ArrayList<>();
    for (String line :
        new String[] {"alpha-one", "beta-two", "alpha-one beta-two", "gamma-three"}) {
      content.add((line + "\n").repeat(1_000).getBytes(ISO_8859_1));
    }
    BlockFilter filter = open(section(new FilterBuilder(BLOCK_BYTES), content));
    AnyOf alpha = new AnyOf(List.of("alpha-one".getBytes(ISO_8859_1)));
    AnyOf betaOrGamma =
        new AnyOf(List.of("beta-two".getBytes(ISO_8859_1), "gamma-three".getBytes(ISO_8859_1)));

    assertThat(filter.candidates(List.of())).hasToString("{0, 1, 2, 3}");
    assertThat(filter.candidates(List.of(alpha))).hasToString("{0, 2}");
    assertThat(filter.candidates(List.of(betaOrGamma))).hasToString("{1, 2, 3}");
    assertThat(filter.candidates(List.of(alpha, betaOrGamma))).hasToString("{2}");
    assertThat(filter.candidates(List.of(new AnyOf(List.of())))).hasToString("{}");
  }

  @Test
  void fullSegmentsStayWithinFivePercent() {
    List<byte[]> blocks = logBlocks(61, 4, BLOCK_BYTES);
    FilterBuilder builder = new FilterBuilder(BLOCK_BYTES);
    long rawBytes = 0;
    for (int i = 0; i < 256; i++) {
      byte[] block = blocks.get(i % 4);
      builder.addBlock(block, 0, block.length);
      rawBytes += block.length;
    }
    assertThat(builder.build().remaining()).isBetween(1, (int) (rawBytes * 5 / 100));
  }

  @Test
  void aBlockWithFewGramsHasASmallSignature() {
    List<byte[]> content = logBlocks(62, 8, BLOCK_BYTES);
    byte[] mixed = section(new FilterBuilder(BLOCK_BYTES), content);
    content.replaceAll(block -> repeated(block, block.length / 64));
    byte[] uniform = section(new FilterBuilder(BLOCK_BYTES), content);

    assertThat(uniform.length).isLessThan(mixed.length / 8);
  }

  @Test
  void blocksOfAnyMixtureAreOnSeveralSheetsAndStillFound() throws IOException {
    Random random = new Random(63);
    List<byte[]> content = new ArrayList<>();
    for (int b = 0; b < 200; b++) {
      byte[] block = logBlock(random, 1 + random.nextInt(BLOCK_BYTES));
      content.add(repeated(block, 1 + random.nextInt(block.length)));
    }
    byte[] section = section(new FilterBuilder(BLOCK_BYTES), content);
    BlockFilter filter = open(section);
    long sheets =
        FilterFixtures.layout(section).sheets().stream().filter(s -> s.blocks().length > 0).count();

    assertThat(sheets).isGreaterThan(3);
    for (int i = 0; i < 5_000; i++) {
      int b = random.nextInt(content.size());
      byte[] block = content.get(b);
      int from = random.nextInt(block.length);
      assertFound(filter, b, block, from, from + random.nextInt(Math.min(30, block.length - from)));
    }
  }

  /** The start of a block, again and again, up to the block's length. */
  private static byte[] repeated(byte[] block, int bytes) {
    byte[] repeated = new byte[block.length];
    for (int at = 0; at < repeated.length; at += bytes) {
      System.arraycopy(block, 0, repeated, at, Math.min(bytes, repeated.length - at));
    }
    return repeated;
  }

  @ParameterizedTest
  @CsvSource({"100,400", "10000,1024", "100000,6500"})
  void smallSegmentsHaveSmallFilters(int rawBytes, int limit) {
    byte[] section = section(new FilterBuilder(BLOCK_BYTES), logBlocks(71, 1, rawBytes));
    assertThat(section).hasSizeLessThanOrEqualTo(limit);
  }

  @Test
  void manySmallBlocksAreFoldedAndStillFound() throws IOException {
    FilterBuilder builder = new FilterBuilder(BLOCK_BYTES);
    byte[] block = "record 00000\n".getBytes(ISO_8859_1);
    for (int i = 0; i < FilterLayout.MAX_BLOCKS; i++) {
      byte[] digits = "%05d".formatted(i).getBytes(ISO_8859_1);
      System.arraycopy(digits, 0, block, 7, 5);
      builder.addBlock(block, 0, block.length);
    }
    assertThatThrownBy(() -> builder.addBlock(block, 0, 1))
        .isInstanceOf(IllegalStateException.class);
    byte[] section = array(builder.build());

    assertThat(section.length).isLessThanOrEqualTo(FilterLayout.MAX_BLOCKS * 240);
    BlockFilter filter = open(section);
    for (int i : new int[] {0, 1, 64, 4_095, 65_535}) {
      assertThat(candidates(filter, "%05d".formatted(i)).get(i)).isTrue();
    }
  }

  @Test
  void sheetsOfALargeSegmentAreFoldedAndItsBlocksStillFound() throws IOException {
    int blockBytes = 2 << 20;
    Random random = new Random(72);
    byte[][] large = new byte[8][blockBytes];
    for (byte[] block : large) {
      random.nextBytes(block);
    }
    byte[] small = Arrays.copyOf(large[0], 100_000);
    byte[] alone = section(new FilterBuilder(blockBytes), List.of(large[0]));
    FilterBuilder builder = new FilterBuilder(blockBytes);
    for (int i = 0; i < 130; i++) {
      byte[] block = i == 128 ? small : large[i % 8];
      builder.addBlock(block, 0, block.length);
    }
    byte[] section = array(builder.build());

    assertThat(section.length).isLessThan(FilterSheets.MAX_BYTES + (1 << 20));
    assertThat(FilterFixtures.layout(section).sheets().getFirst().rows())
        .isLessThan(FilterFixtures.layout(alone).sheets().getFirst().rows());
    BlockFilter filter = open(section);
    for (int i = 0; i < 1_000; i++) {
      int from = random.nextInt(small.length - 30);
      assertFound(filter, 128, small, from, from + 30);
      from = random.nextInt(blockBytes - 30);
      assertFound(filter, i % 128, large[i % 8], from, from + 30);
    }
  }

  @Test
  void builtFilterTakesNoMoreBlocksAndEmptyOneIsRefused() {
    FilterBuilder builder = new FilterBuilder(BLOCK_BYTES);
    assertThatThrownBy(builder::build).isInstanceOf(IllegalStateException.class);
    builder.addBlock(new byte[10], 0, 10);
    builder.build();
    assertThatThrownBy(() -> builder.addBlock(new byte[10], 0, 10))
        .isInstanceOf(IllegalStateException.class);
  }

  private static void assertFound(BlockFilter filter, int block, byte[] bytes, int from, int to) {
    byte[] needle = Arrays.copyOfRange(bytes, from, to);
    assertThat(candidates(filter, needle).get(block))
        .as("block %d, bytes %d to %d: %s", block, from, to, Arrays.toString(needle))
        .isTrue();
    assertThat(candidates(filter, asciiUpper(needle)).get(block)).isTrue();
  }

  private static byte[] asciiUpper(byte[] bytes) {
    byte[] upper = bytes.clone();
    for (int i = 0; i < upper.length; i++) {
      if (upper[i] >= 'a' && upper[i] <= 'z') {
        upper[i] = (byte) (upper[i] - 32);
      }
    }
    return upper;
  }

  private static byte[] withLine(byte[] block, String line) {
    String text = new String(block, ISO_8859_1).toLowerCase(Locale.ROOT);
    return (text + line + "\n").getBytes(ISO_8859_1);
  }

  private static byte[] array(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
    return bytes;
  }
}
