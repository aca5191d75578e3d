package io.cordwood.ingest.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Both ways of looking at lines agree with a look at each byte. */
final class LineScanTest {
  private static final long SEED = 20261121;

  @Test
  void bothWaysFindWhatALookAtEachByteFinds() {
    var random = new Random(SEED);
    for (int round = 0; round < 3000; round++) {
      byte[] bytes = someLines(random);
      List<ByteBuffer> parts = parts(bytes, random);
      var narrow = new LineScan();
      var wide = new LineScan();
      for (ByteBuffer part : parts) {
        narrow.lookNarrow(part, part.position());
        if (part.remaining() >= 16) {
          wide.lookWide(part);
        } else {
          wide.lookNarrow(part, part.position());
        }
      }
      for (LineScan scan : List.of(narrow, wide)) {
        assertThat(scan.lines()).as("seed %d, round %d", SEED, round).isEqualTo(lines(bytes));
        assertThat(scan.mayHaveBlanks())
            .as("seed %d, round %d", SEED, round)
            .isEqualTo(hasCloseLineFeeds(bytes));
      }
    }
  }

  private static byte[] someLines(Random random) {
    byte[] bytes = new byte[random.nextInt(1, 400)];
    int lineFeedOneIn = 1 << random.nextInt(1, 9);
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = random.nextInt(lineFeedOneIn) == 0 ? (byte) '\n' : (byte) random.nextInt(256);
    }
    return bytes;
  }

  private static List<ByteBuffer> parts(byte[] bytes, Random random) {
    var all = ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
    List<ByteBuffer> parts = new ArrayList<>();
    for (int at = 0; at < bytes.length; ) {
      int length = Math.min(bytes.length - at, random.nextInt(1, 200));
      parts.add(all.duplicate().position(at).limit(at + length));
      at += length;
    }
    return parts;
  }

  private static int lines(byte[] bytes) {
    int lines = 0;
    for (byte value : bytes) {
      lines += value == '\n' ? 1 : 0;
    }
    return lines;
  }

  private static boolean hasCloseLineFeeds(byte[] bytes) {
    boolean close = bytes[0] == '\n' || (bytes.length > 1 && bytes[1] == '\n');
    for (int i = 1; i < bytes.length; i++) {
      close |= bytes[i] == '\n' && (bytes[i - 1] == '\n' || (i > 1 && bytes[i - 2] == '\n'));
    }
    return close;
  }
}
