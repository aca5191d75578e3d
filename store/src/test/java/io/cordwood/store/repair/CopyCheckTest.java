package io.cordwood.store.repair;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.BatchInfo;
import io.cordwood.common.segment.Records;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.store.StorePeer;
import io.cordwood.store.segment.SegmentMerge;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Every batch that any store holds is counted, whoever else holds it. */
final class CopyCheckTest {
  private final Random random = new Random(7);
  private final Records records = new Records(7);

  /** Lists of stores, by node id. */
  private record Lists(Map<String, NavigableSet<BatchInfo>> held) implements Holdings {
    @Override
    public Map<StorePeer, SliceTable> slices(
        List<StorePeer> peers, BiConsumer<StorePeer, IOException> failed) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Listing batches(StorePeer peer, UlidRange range) {
      Iterator<BatchInfo> next = Objects.requireNonNull(held.get(peer.nodeId())).iterator();
      return new Listing() {
        @Override
        public @Nullable BatchInfo next() {
          return next.hasNext() ? next.next() : null;
        }

        @Override
        public void close() {}
      };
    }
  }

  private record Own(NavigableSet<BatchInfo> batches) implements Contents.Held {
    @Override
    public UlidRange range() {
      return UlidRange.ALL;
    }

    @Override
    public void list(SegmentMerge.Sink<BatchInfo> sink) throws IOException {
      for (BatchInfo batch : batches) {
        sink.accept(batch);
      }
    }

    @Override
    public long copy(List<BatchInfo> wanted, Contents.Taker taker) {
      throw new UnsupportedOperationException();
    }
  }

  @Test
  void itIsWholeIfAndOnlyIfEachBatchThatIsKeptHasItsCopies() throws IOException {
    int whole = 0;
    for (int round = 0; round < 300; round++) {
      int copies = 2 + random.nextInt(2);
      List<NavigableSet<BatchInfo>> held = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        held.add(new TreeSet<>());
      }
      boolean all = true;
      for (int i = random.nextInt(8); i >= 0; i--) {
        Batch batch = records.batch(new Topic(random.nextInt(4) == 0 ? "gone" : "kept"), 2);
        int holders = random.nextInt(6) == 0 ? copies - 1 : copies + random.nextInt(5 - copies);
        List<Integer> order = new ArrayList<>(List.of(0, 1, 2, 3));
        Collections.shuffle(order, random);
        order.stream().limit(holders).forEach(store -> held.get(store).add(BatchInfo.of(batch)));
        all &= holders >= copies || batch.topic().name().equals("gone");
      }
      assertThat(check(held, copies)).as("round %d: %s", round, held).isEqualTo(all);
      whole += all ? 1 : 0;
    }
    assertThat(whole).isBetween(30, 270);
  }

  private static boolean check(List<NavigableSet<BatchInfo>> held, int copies) throws IOException {
    Map<String, NavigableSet<BatchInfo>> others = new TreeMap<>();
    List<StorePeer> peers = new ArrayList<>();
    for (int i = 1; i < held.size(); i++) {
      others.put("store" + i, held.get(i));
      peers.add(new StorePeer("store" + i, URI.create("http://127.0.0.1:1"), 0, 0));
    }
    return new CopyCheck(copies, peers, batch -> !batch.topic().name().equals("gone"))
        .run(new Lists(others), new Own(held.getFirst()));
  }
}
