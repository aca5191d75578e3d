package io.cordwood.query.gather;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.Segment;
import io.cordwood.common.segment.SegmentFiles;
import io.cordwood.common.segment.SegmentSource;
import io.cordwood.common.segment.StoreSegment;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.query.Answer;
import io.cordwood.query.SegmentFixture;
import io.cordwood.query.TestCluster;
import io.cordwood.query.TestCluster.Node;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/**
 * Records are consumed again and again while queries run: each is in every answer, and once. It is
 * on a store before it leaves its ingest node, as stores commit, and on no other one at most times.
 */
final class MovingRecordsTest {
  private static final int QUERIES = 150;

  /** So that what moves does so during most of a query. */
  private static final long PACE_NANOS = 300_000;

  /** A tier whose segments come and go. */
  private static final class Changing implements SegmentSource {
    private final List<Segment> segments = new CopyOnWriteArrayList<>();

    @Override
    public View view(UlidRange range) {
      List<Segment> now = List.copyOf(segments);
      return new View() {
        @Override
        public List<Segment> segments() {
          return now;
        }

        @Override
        public void close() {}
      };
    }
  }

  private final List<Changing> ingest = List.of(new Changing(), new Changing());
  private final List<Changing> stores = List.of(new Changing(), new Changing(), new Changing());
  private final AtomicBoolean over = new AtomicBoolean();

  private static Segment segment(Batch batch) throws IOException {
    byte[] bytes = SegmentFiles.storeSegment(List.of(batch));
    return StoreSegment.open(SegmentFiles.file(bytes));
  }

  /** Moves each segment from its ingest node to one of the stores, one after the other. */
  private void consume(List<Segment> all) {
    var random = new SplittableRandom(3);
    while (!over.get()) {
      for (Segment segment : all) {
        Changing from = ingest.get(random.nextInt(2));
        Changing to = stores.get(random.nextInt(3));
        if (from.segments.contains(segment)) {
          to.segments.add(segment);
          from.segments.remove(segment);
          LockSupport.parkNanos(PACE_NANOS);
        }
      }
    }
  }

  @Test
  void aRecordThatIsBeingConsumedIsInEveryAnswerOnce() throws Exception {
    List<Batch> batches = SegmentFixture.batches(6, 12);
    int records = batches.stream().mapToInt(Batch::records).sum();
    List<Segment> all = new ArrayList<>();
    for (Batch batch : batches) {
      all.add(segment(batch));
    }
    try (var cluster = new TestCluster(1)) {
      cluster.ingest("in-1", ingest.get(0));
      cluster.ingest("in-2", ingest.get(1));
      cluster.store("s-1", stores.get(0));
      cluster.store("s-2", stores.get(1));
      cluster.store("s-3", stores.get(2));
      cluster.query("q");
      for (int i = 0; i < QUERIES; i++) {
        askWhileConsuming(cluster.nodes.get(i % 6), all, records);
      }
    }
  }

  private void askWhileConsuming(Node node, List<Segment> all, int records) throws Exception {
    stores.forEach(store -> store.segments.clear());
    ingest.forEach(each -> each.segments.clear());
    for (int i = 0; i < all.size(); i++) {
      ingest.get(i % 2).segments.add(all.get(i));
    }
    over.set(false);
    Thread consumer = Thread.ofPlatform().start(() -> consume(all));
    try {
      Answer answer = node.get("/query?count=true");
      assertThat(answer.text()).isEqualTo(records + "\n");
      assertThat(answer.field("verdict")).isEqualTo("complete");
    } finally {
      over.set(true);
      consumer.join();
    }
  }
}
