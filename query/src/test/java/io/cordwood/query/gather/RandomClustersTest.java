package io.cordwood.query.gather;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.SegmentSource;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.query.SegmentFixture;
import io.cordwood.query.TestCluster;
import io.cordwood.query.TestCluster.Answer;
import io.cordwood.query.TestCluster.Node;
import io.cordwood.query.gather.RandomQuestion.Searched;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
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
    List<Searched> all =
        new SegmentFixture(seed, 1, batches).records().stream().map(Searched::new).toList();
    try (TestCluster cluster = cluster(random, batches)) {
      Thread mover = Thread.ofPlatform().start(() -> move(seed));
      try {
        for (int i = 0; i < QUESTIONS; i++) {
          Node node = cluster.nodes.get(random.nextInt(cluster.nodes.size()));
          ask(node, RandomQuestion.of(random), all, random, seed);
        }
      } finally {
        over.set(true);
        mover.join();
      }
    }
  }

  private static void ask(
      Node node, RandomQuestion question, List<Searched> all, SplittableRandom random, long seed)
      throws IOException {
    boolean invert = !question.parts() && random.nextInt(5) == 0;
    int from = random.nextInt(all.size());
    int to = random.nextBoolean() ? all.size() - 1 : from + random.nextInt(all.size() - from);
    Topic topic = SegmentFixture.TOPICS.get(random.nextInt(SegmentFixture.TOPICS.size()));
    boolean anyTopic = random.nextInt(3) > 0;
    Predicate<Searched> wanted =
        r ->
            (anyTopic || r.topic().equals(topic))
                && question.matches(r) != invert
                && question.given(r).length > 0;
    List<Searched> found = all.subList(from, to + 1).stream().filter(wanted).toList();
    String path =
        "/query?%s&invert=%s&from=%s&to=%s%s"
            .formatted(
                question.parameters(),
                invert,
                all.get(from).ulid(),
                all.get(to).ulid(),
                anyTopic ? "" : "&topic=" + topic.name());
    int number = 1 + random.nextInt(found.size() + 2);
    int count = Math.min(number, found.size());
    switch (random.nextInt(3)) {
      case 0 -> check(node, path, question, found, seed);
      case 1 -> check(node, path + "&limit=" + number, question, found.subList(0, count), seed);
      default -> {
        List<Searched> last = found.subList(found.size() - count, found.size());
        check(node, path + "&last=" + number, question, last, seed);
      }
    }
  }

  private static void check(
      Node node, String path, RandomQuestion question, List<Searched> expected, long seed)
      throws IOException {
    String what = "seed %d, %s asked %s".formatted(seed, node.id, path);
    var text = new ByteArrayOutputStream();
    for (Searched record : expected) {
      text.writeBytes(question.given(record));
    }
    Answer answer = node.get(path);
    assertThat(answer.status()).as(what).isEqualTo(200);
    assertThat(answer.body()).as(what).isEqualTo(text.toByteArray());
    assertThat(answer.field("verdict")).as(what).isEqualTo("complete");
    assertThat(answer.field("matches")).as(what).isEqualTo(expected.size() + "");
  }
}
