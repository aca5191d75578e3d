package io.cordwood.ingest.loki;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.common.http.server.HttpError;
import io.cordwood.ingest.BufferedBytesLimit;
import io.cordwood.ingest.OpenConnections;
import io.cordwood.ingest.RefusedException;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.xerial.snappy.Snappy;

/** Blocks of Snappy, against the library for them. */
class SnappyBlockTest {
  private static final int MAX_BYTES = 1 << 20;

  private final Random random = new Random(5);
  private BufferedBytesLimit held = limit(1 << 30);

  private static BufferedBytesLimit limit(long bytes) {
    return new BufferedBytesLimit(bytes, new OpenConnections(10, 10));
  }

  @AfterEach
  void nothingIsHeld() {
    assertThat(held.bytes()).isZero();
  }

  private byte[] unpacked(byte[] block) throws Exception {
    try (var reader = new SnappyBlock(new ByteArrayInputStream(block), held, MAX_BYTES)) {
      return reader.unpack();
    }
  }

  /** Random bytes, words and repetitions, so that all kinds of elements occur. */
  private byte[] text() {
    byte[] text = new byte[random.nextInt(random.nextInt(10) == 0 ? 300_000 : 3000)];
    random.nextBytes(text);
    for (int at = 0; at < text.length; ) {
      int length = Math.min(1 + random.nextInt(500), text.length - at);
      switch (random.nextInt(3)) {
        case 0 -> Arrays.fill(text, at, at + length, (byte) 'x');
        case 1 -> System.arraycopy(text, random.nextInt(at + 1), text, at, length);
        default -> {}
      }
      at += length;
    }
    return text;
  }

  @Test
  void whatTheLibraryPacksIsUnpacked() throws Exception {
    for (int i = 0; i < 500; i++) {
      byte[] text = text();
      assertThat(unpacked(Snappy.compress(text))).isEqualTo(text);
    }
  }

  @Test
  void whatTheLibraryTakesOrRefusesIsTakenOrRefused() throws Exception {
    int refused = 0;
    for (int i = 0; i < 20_000; i++) {
      byte[] block = Snappy.compress(Arrays.copyOf(text(), 60));
      for (int n = 1 + random.nextInt(3); n > 0; n--) {
        block[1 + random.nextInt(block.length - 1)] = (byte) random.nextInt();
      }
      int length = i % 3 == 0 ? 1 + random.nextInt(block.length) : block.length;
      byte[] cut = Arrays.copyOf(block, length);
      if (Snappy.isValidCompressedBuffer(cut)) {
        assertThat(unpacked(cut)).isEqualTo(Snappy.uncompress(cut));
      } else {
        refused++;
        assertThatThrownBy(() -> unpacked(cut))
            .isInstanceOfSatisfying(HttpError.class, e -> assertThat(e.status()).isEqualTo(400));
      }
    }
    assertThat(refused).isBetween(1000, 19_900);
  }

  @Test
  void aCopyFromBeyondTheStartOrALengthThatIsTooLargeIsRefused() {
    byte[][] blocks = {
      {},
      {(byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff, 1},
      {4, 1, 0},
      {8, 0, 'a', 1, 2},
      {8, 0, 'a', 3, -1, -1, -1, -1},
      {8, (byte) (63 << 2), -1, -1, -1, -1},
      {8, (byte) (63 << 2), -1, -1, -1, 127},
      {2, 0, 'a'},
      {1, 0, 'a', 0, 'b'},
    };
    for (byte[] block : blocks) {
      assertThatThrownBy(() -> unpacked(block))
          .isInstanceOf(HttpError.class)
          .hasMessageContaining("expected a block of Snappy");
    }
  }

  @Test
  void aBlockThatSaysItIsTooLongIsRefusedBeforeItIsRead() {
    byte[] block = {(byte) 0x81, (byte) 0x80, (byte) 0x40};
    assertThatThrownBy(() -> unpacked(block))
        .hasMessage("body: expected at most 1048576 bytes, unpacked, found 1048577");
  }

  @Test
  void whenRequestsHoldTooMuchABlockIsNotTakenNow() throws Exception {
    held = limit(100_000);
    held.add(100_000);
    byte[] block = Snappy.compress("y".repeat(1_000_000).getBytes(StandardCharsets.US_ASCII));
    assertThatThrownBy(() -> unpacked(block))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("too much memory");
    held.add(-100_000);
  }
}
