package io.cordwood.common.segment;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.common.wire.CorruptException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class KeptIndexesTest {
  private static final int SEGMENTS = 12;

  private final List<byte[]> files = new ArrayList<>();

  /** The same segments, with all indexes in memory. */
  private final List<StoreSegment> whole = new ArrayList<>();

  KeptIndexesTest() throws IOException {
    for (int i = 0; i < SEGMENTS; i++) {
      var records = new Records(i);
      List<Batch> batches = new ArrayList<>();
      for (int j = 0; j < 10 * (i + 1); j++) {
        batches.add(records.batch(new Topic("topic" + j), 10));
      }
      files.add(SegmentFiles.storeSegment(SegmentFiles.sorted(batches)));
      whole.add(StoreSegment.open(SegmentFiles.file(files.getLast())));
    }
  }

  private List<StoreSegment> open(KeptIndexes kept) throws IOException {
    List<StoreSegment> segments = new ArrayList<>();
    for (byte[] file : files) {
      segments.add(StoreSegment.open(SegmentFiles.file(file), kept));
    }
    return segments;
  }

  @Test
  void whatIsLetGoIsReadAgainAndSaysTheSame() throws IOException {
    var kept = new KeptIndexes(30_000);
    List<StoreSegment> segments = open(kept);
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < SEGMENTS; i++) {
        StoreSegment segment = segments.get(i);
        assertThat(segment.blocks()).isEqualTo(whole.get(i).blocks());
        assertThat(segment.totals()).isEqualTo(SegmentTotals.of(whole.get(i).blocks()));
        for (String text : new String[] {"some service", "java.lang.Error", "no such thing"}) {
          var required = List.of(new AnyOf(List.of(text.getBytes(US_ASCII))));
          assertThat(segment.candidates(required))
              .as(text)
              .isEqualTo(whole.get(i).candidates(required));
        }
        assertThat(kept.bytes()).isBetween(1L, 30_000L);
      }
    }
  }

  @Test
  void noneIsKeptOfSegmentsThatAreReleased() throws IOException {
    var kept = new KeptIndexes(Long.MAX_VALUE);
    open(kept).forEach(StoreSegment::release);
    assertThat(kept.bytes()).isZero();
  }

  @Test
  void anIndexThatIsDamagedAfterItWasLetGoIsAnErrorAndNoAnswer() throws IOException {
    StoreSegment segment = open(new KeptIndexes(1)).getLast();
    byte[] file = files.getLast();
    int indexEnd = (int) StoreSegment.readFooter(SegmentFiles.file(file)).batchesOffset();
    file[indexEnd - 40] ^= 1;
    assertThatThrownBy(segment::blocks).isInstanceOf(CorruptException.class);
    assertThat(segment.totals()).isEqualTo(whole.getLast().totals());
  }
}
