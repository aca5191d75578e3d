package io.cordwood.query.gather;

import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.SegmentSource;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.query.SegmentFixture;
import io.cordwood.query.TestCluster;
import io.cordwood.query.TestCluster.Node;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random questions to any node of random clusters, whose records are consumed and whose segments
 * are rewritten meanwhile, are answered byte for byte as a naive search over all records answers
 * them. The seed, and the question, stand in what is printed when they are not.
 */
class RandomClustersTest {
  private static final int QUESTIONS = 30;
  private static final int BATCHES = 40;

  /** What a tier holds, in segments that are made anew whenever that changes. */
  private static final class Tier implements SegmentSource {
    private final List<Batch> held = new ArrayList<>();
    private volatile SegmentFixture fixture = fixture(1, List.of());

    private static SegmentFixture fixture(long seed, List<Batch> batches) {
      try {
        return new SegmentFixture(seed, 3, batches);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    void rewrite(long seed) {
      fixture = fixture(seed, List.copyOf(held));
    }

    @Override
    public View view(UlidRange range) {
      return fixture.view(range);
    }
  }

  private final List<Tier> ingest = new ArrayList<>();
  private final List<Tier> stores = new ArrayList<>();
  private final AtomicBoolean over = new AtomicBoolean();
  private int copies;

  private TestCluster cluster(SplittableRandom random, List<Batch> batches) throws IOException {
    int storeCount = 1 + random.nextInt(4);
    copies = 1 + random.nextInt(Math.min(2, storeCount));
    var cluster = new TestCluster(copies);
    for (int i = 0; i < 1 + random.nextInt(2); i++) {
      ingest.add(new Tier());
      cluster.ingest("ingest-" + i, ingest.getLast());
    }
    for (int i = 0; i < storeCount; i++) {
      stores.add(new Tier());
      cluster.store("store-" + i, stores.getLast());
    }
    cluster.query("query");
    for (Batch batch : batches) {
      if (random.nextBoolean()) {
        ingest.get(random.nextInt(ingest.size())).held.add(batch);
      } else {
        store(batch, random);
      }
    }
    ingest.forEach(tier -> tier.rewrite(1));
    stores.forEach(tier -> tier.rewrite(2));
    return cluster;
  }

  private List<Tier> store(Batch batch, SplittableRandom random) {
    int first = random.nextInt(stores.size());
    List<Tier> holders = new ArrayList<>();
    for (int copy = 0; copy < copies; copy++) {
      Tier holder = stores.get((first + copy) % stores.size());
      holder.held.add(batch);
      holders.add(holder);
    }
    return holders;
  }

  /** Consumes a batch, or rewrites a store, again and again. */
  private void move(long seed) {
    var random = new SplittableRandom(seed);
    while (!over.get()) {
      Tier from = ingest.get(random.nextInt(ingest.size()));
      if (from.held.isEmpty() || random.nextBoolean()) {
        stores.get(random.nextInt(stores.size())).rewrite(random.nextLong());
      } else {
        Batch batch = from.held.get(random.nextInt(from.held.size()));
        store(batch, random).forEach(holder -> holder.rewrite(random.nextLong()));
        from.held.remove(batch);
        from.rewrite(random.nextLong());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void anyQuestionIsAnsweredAsANaiveSearchAnswersIt(long seed) throws Exception {
    var random = new SplittableRandom(seed);
    List<Batch> batches = SegmentFixture.batches(seed, BATCHES);
    List<SearchedRecord> all = SearchedRecord.of(batches);
    try (TestCluster cluster = cluster(random, batches)) {
      Thread mover = Thread.ofPlatform().start(() -> move(seed));
      try {
        for (int i = 0; i < QUESTIONS; i++) {
          Node node = cluster.nodes.get(random.nextInt(cluster.nodes.size()));
          RandomSearch search = RandomSearch.of(random, all);
          search.check(node.get(search.path()), "seed %d, %s".formatted(seed, node.id));
        }
      } finally {
        over.set(true);
        mover.join();
      }
    }
  }
}
