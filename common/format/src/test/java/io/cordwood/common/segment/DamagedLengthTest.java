package io.cordwood.common.segment;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.wire.BatchHeader;
import io.cordwood.common.wire.CorruptException;
import io.cordwood.common.wire.Delimiter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A length that cannot be is refused by itself, before anything is allocated or read for it. */
final class DamagedLengthTest {
  private static final Batch BATCH =
      Records.batch(
          Topic.DEFAULT,
          Delimiter.LF,
          new Ulid(1L << 40, 1),
          List.of("some line".getBytes(StandardCharsets.US_ASCII)));

  @ParameterizedTest
  @CsvSource({
    "0,  0x57435442, a batch's magic",
    "4,  0x03000007, batch version 1 or 2",
    "4,  0x02000000, a topic and labels of 1 to 8320 bytes",
    "4,  0x02002081, a topic and labels of 1 to 8320 bytes",
    "4,  0x01060007, batch flags 0 or 1",
    "4,  0x01000000, a topic of 1 to 128 bytes",
    "4,  0x01007FFF, a topic of 1 to 128 bytes",
    "8,  0x00000000, 1 to 10 records",
    "8,  0x7FFFFFFF, 1 to 10 records",
    "8,  0xFFFFFFFF, 1 to 10 records",
    "12, 0x00000000, a payload of 1 to 2097152 bytes",
    "12, 0x00200001, a payload of 1 to 2097152 bytes",
    "12, 0xFFFFFFFF, a payload of 1 to 2097152 bytes",
  })
  void ofABatch(int index, String value, String expected) {
    ByteBuffer bytes =
        BATCH.encode().putInt(index, Integer.parseUnsignedInt(value.substring(2), 16));
    assertThatThrownBy(() -> BatchHeader.parse(bytes, 0, 77))
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining("at byte 77: expected " + expected);
  }

  @ParameterizedTest
  @CsvSource({
    "4,  0x01130007, block codec 0 to 2",
    "4,  0x01100081, topic length from 1 to 128",
    "8,  0x00004001, batches from 1 to 16384",
    "12, 0x00400001, records from 1 to 4194304",
    "16, 0x7FFFFFFF, table length from 1 to",
    "20, 0x00400001, raw length from 2 to 4194304",
    "20, 0xFFFFFFFF, raw length from 2 to 4194304",
    "24, 0x00410001, stored length from 1 to 4259840",
    "24, 0x80000000, stored length from 1 to 4259840",
  })
  void ofABlock(int index, String value, String expected) throws IOException {
    byte[] file = SegmentFiles.storeSegment(List.of(BATCH));
    BlockInfo block = StoreSegment.open(SegmentFiles.file(file)).blocks().getFirst();
    int at = (int) block.offset();
    ByteBuffer.wrap(file).putInt(at + index, Integer.parseUnsignedInt(value.substring(2), 16));
    assertThatThrownBy(
            () -> {
              try (var decoder = new BlockDecoder()) {
                decoder.read(SegmentFiles.file(file), at, block.storedBytes());
              }
            })
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining("at byte " + at + ": expected " + expected);
  }
}
