package io.cordwood.store.keep;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.Records;
import io.cordwood.common.segment.SliceSums;
import io.cordwood.common.segment.StoreSegment;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.wire.Delimiter;
import io.cordwood.store.segment.SegmentBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What does not fit into the list of a segment's batches is left out, and counted. */
final class ListLimitsTest {
  private static final int MAX_SLICES = 65_536;
  private static final int MAX_LIST_BYTES = 32 << 20;

  /** An entry of a batch that another sender sent than the batch before. */
  private static final int LEAST_ENTRY_BYTES = 1 + 1 + 6 + 5 + 1 + 1;

  private TestLog store;

  @BeforeEach
  void open(@TempDir Path folder) throws IOException {
    store = TestLog.open(folder);
  }

  @AfterEach
  void close() throws IOException {
    store.close();
  }

  private StoreSegment write(int batches, long millisBetween) throws IOException {
    try (SegmentBuilder active = store.log.newActive()) {
      for (int i = 0; i < batches; i++) {
        active.append(batch(i, millisBetween));
      }
      return store.log.publish(active.flush()).segment();
    }
  }

  /** Each of another sender, and with a counter of five bytes. */
  private static Batch batch(int number, long millisBetween) {
    var first = new Ulid((number * millisBetween) << 16 | number % 7, (1L << 47) - number);
    return Records.batch(Topic.DEFAULT, Delimiter.LF, first, List.of(new byte[] {'a'}));
  }

  private void assertCounted(int unlisted, int unsummed) {
    assertThat(store.count("unlisted.segments")).isEqualTo(unlisted);
    assertThat(store.count("unsummed.segments")).isEqualTo(unsummed);
  }

  @Test
  void asManySlicesAsFitAreListedAndOneMoreIsCounted() throws IOException {
    assertThat(write(MAX_SLICES, SliceSums.USUAL_MILLIS).slices()).isPresent();
    assertCounted(0, 0);
    assertThat(write(MAX_SLICES + 1, SliceSums.USUAL_MILLIS).slices()).isEmpty();
    assertCounted(0, 1);
    store.settle();
    assertCounted(0, 2);
  }

  @Test
  void aListThatIsTooLongIsLeftOutAndCounted() throws IOException {
    StoreSegment segment = write(MAX_LIST_BYTES / LEAST_ENTRY_BYTES, 1);
    assertThat(segment.listBytes()).isZero();
    assertCounted(1, 0);
  }
}
