package io.cordwood.store.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.Records;
import io.cordwood.common.segment.SegmentFiles;
import io.cordwood.common.segment.Topic;
import io.cordwood.store.keep.TestLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A log that is closed changes nothing in its folder, which may be another process's by then. */
final class ClosedLogTest {
  @TempDir Path folder;
  private final List<Batch> batches =
      SegmentFiles.sorted(List.of(new Records(7).batch(Topic.DEFAULT, 5)));

  private List<String> names() throws IOException {
    try (Stream<Path> list = Files.list(folder)) {
      return list.map(p -> p.getFileName().toString()).sorted().toList();
    }
  }

  private SegmentBuilder.Flushed flushed(StoreLog log) throws IOException {
    try (SegmentBuilder active = log.newActive()) {
      for (Batch batch : batches) {
        active.append(batch);
      }
      return active.flush();
    }
  }

  @Test
  void whateverEndsAfterItIsRefused() throws IOException {
    try (var test = TestLog.open(folder)) {
      StoreLog log = test.log;
      test.store(batches);
      LiveSegment live = log.live().getFirst();
      SegmentBuilder.Flushed late = flushed(log);
      SegmentBuilder.Flushed damaged = flushed(log);
      SegmentBuilder.Flushed more = flushed(log);
      List<String> before = names();
      log.close();

      assertRefused(() -> log.replace(List.of(live), late));
      assertRefused(() -> log.replaceDamaged(live, damaged));
      assertRefused(() -> log.publish(more));
      assertRefused(() -> log.trash(live, Instant.EPOCH));
      assertRefused(() -> log.setAside(live));
      assertRefused(() -> log.setAside(live.file(), live.info().range()));
      assertRefused(() -> log.purge(live.file()));
      assertRefused(log::newActive);
      log.finishSwaps();
      assertThat(names()).isEqualTo(before);
      assertThat(log.live()).isEmpty();
    }
  }

  private static void assertRefused(ThrowingCallable change) {
    assertThatThrownBy(change).isInstanceOf(IOException.class).hasMessageContaining("closed");
  }
}
