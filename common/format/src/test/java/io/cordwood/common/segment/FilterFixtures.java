package io.cordwood.common.segment;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.cordwood.common.file.ByteSource;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Random;

/** Blocks of log-like lines or of random bytes from a seed, and the sections built over them. */
final class FilterFixtures {
  private static final String[] PHRASES = {
    "INFO dfs.DataNode$PacketResponder: Received block blk_",
    "WARN session opened for user",
    "ERROR Connection refused by",
    "sshd[24200]: Failed password for invalid user admin from",
    "jk2_init() Found child in scoreboard slot"
  };

  private FilterFixtures() {}

  static byte[] logBlock(Random random, int bytes) {
    StringBuilder text = new StringBuilder(bytes + 200);
    while (text.length() < bytes) {
      text.append("2026-11-").append(10 + random.nextInt(20)).append(' ');
      text.append(PHRASES[random.nextInt(PHRASES.length)]).append(' ');
      text.append(random.nextInt(1_000_000_000)).append('\n');
    }
    return text.toString().getBytes(ISO_8859_1);
  }

  /** Records of any bytes but the delimiter, of 0 to 39 bytes, which may hold the other one. */
  static byte[] binaryBlock(Random random, int records, byte delimiter) {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    for (int i = 0; i < records; i++) {
      for (int left = random.nextInt(40); left > 0; left--) {
        int any = random.nextInt(256);
        block.write(any == delimiter ? 'x' : any);
      }
      block.write(delimiter);
    }
    return block.toByteArray();
  }

  static List<byte[]> logBlocks(long seed, int count, int bytes) {
    Random random = new Random(seed);
    List<byte[]> blocks = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      blocks.add(logBlock(random, bytes));
    }
    return blocks;
  }

  /** So many bytes a block, with several thousand grams that are in every one. */
  static List<byte[]> blocksWithStopKeys(long seed, int count, int bytes) {
    var everywhere = new StringBuilder();
    for (int i = 0; i < 5_000; i++) {
      everywhere.append("k").append(i).append('\n');
    }
    byte[] shared = everywhere.toString().getBytes(ISO_8859_1);
    List<byte[]> blocks = logBlocks(seed, count, bytes - shared.length);
    blocks.replaceAll(block -> {
      byte[] both = Arrays.copyOf(block, block.length + shared.length);
      System.arraycopy(shared, 0, both, block.length, shared.length);
      return both;
    });
    return blocks;
  }

  static byte[] section(FilterBuilder builder, List<byte[]> blocks) {
    for (byte[] block : blocks) {
      builder.addBlock(block, 0, block.length);
    }
    ByteBuffer section = builder.build();
    byte[] bytes = new byte[section.remaining()];
    section.get(bytes);
    return bytes;
  }

  static FilterLayout layout(byte[] section) throws IOException {
    return FilterLayout.read(ByteSource.of(ByteBuffer.wrap(section)), 0, section.length);
  }

  static BlockFilter open(byte[] section) throws IOException {
    return BlockFilter.open(ByteSource.of(ByteBuffer.wrap(section)), 0, section.length);
  }

  static BitSet candidates(BlockFilter filter, byte[]... literals) {
    try {
      return filter.candidates(List.of(new AnyOf(List.of(literals))));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static BitSet candidates(BlockFilter filter, String literal) {
    return candidates(filter, literal.getBytes(ISO_8859_1));
  }
}
