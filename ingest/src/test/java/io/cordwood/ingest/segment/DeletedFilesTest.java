package io.cordwood.ingest.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.segment.LeftOut;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.ingest.IngestOptions;
import io.cordwood.ingest.node.RunningNode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No used file is kept that may hold something deleted. */
final class DeletedFilesTest {
  private static final int SEGMENT_BYTES = 5 << 20;
  private static final String RECORDS = "a record to be deleted\n".repeat(SEGMENT_BYTES / 20);

  @TempDir private Path folder;

  private record Until(Ulid last) implements LeftOut {
    @Override
    public boolean touches(UlidRange range) {
      return !range.from().isAfter(last);
    }

    @Override
    public Extent of(Topic topic, UlidRange range) {
      return Extent.SOME;
    }

    @Override
    public boolean has(Topic topic, Ulid record) {
      return !record.isAfter(last);
    }
  }

  private RunningNode node() throws IOException {
    return new RunningNode(
        RunningNode.options(folder)
            .with(
                new IngestOptions.Flushing(
                    SEGMENT_BYTES, Duration.ofHours(1), Duration.ofMillis(5), 64)));
  }

  private static List<String> spares(RunningNode node) throws IOException {
    return node.files().stream().filter(name -> name.endsWith(".spare")).toList();
  }

  private static void sendAndConsume(RunningNode node) throws IOException {
    node.send(RECORDS);
    node.consume(RECORDS.lines().count());
    await().until(() -> node.log().claims().held() == 0);
  }

  @Test
  void filesThatAreKeptGoWhenSomethingIsDeleted() throws IOException {
    try (var node = node()) {
      sendAndConsume(node);
      await().until(() -> !spares(node).isEmpty());
      node.log().leaveOut(() -> new Until(Ulid.lastOf(Instant.now().toEpochMilli())));
      assertThat(spares(node)).isEmpty();
    }
  }

  @Test
  void aSegmentOfBeforeIsNotKeptAndCountsUntilAStoreHasIt() throws IOException {
    try (var node = node()) {
      node.send(RECORDS);
      await().until(() -> node.log().claims().held() > 0);
      node.log().leaveOut(() -> new Until(Ulid.firstOf(1)));
      assertThat(node.log().old()).isPositive();
      node.consume(RECORDS.lines().count());
      await().until(() -> node.log().claims().held() == 0);
      assertThat(spares(node)).isEmpty();
      await().until(() -> node.log().old() == 0);
    }
  }

  @Test
  void aLaterSegmentIsKeptUnlessItHoldsWhatIsDeleted() throws IOException {
    try (var node = node()) {
      node.log().leaveOut(() -> new Until(Ulid.firstOf(1)));
      sendAndConsume(node);
      await().until(() -> !spares(node).isEmpty());
    }
  }

  @Test
  void aLaterSegmentWithSomethingDeletedIsNotKept() throws IOException {
    try (var node = node()) {
      node.log().leaveOut(() -> new Until(Ulid.MAX));
      sendAndConsume(node);
      assertThat(spares(node)).isEmpty();
    }
  }
}
