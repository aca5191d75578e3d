package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.testing.Seed;
import io.cordwood.query.Answer;
import io.cordwood.query.SegmentFixture;
import io.cordwood.query.gather.RandomSearch;
import io.cordwood.query.gather.SearchedRecord;
import io.cordwood.store.ByTopic;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Random questions to any node of a whole cluster are answered byte for byte as a naive search over
 * all that was sent answers them: while records come in, some of them twice and to different nodes,
 * are consumed, replicated, merged by the real compactor and purged by the real retention, and
 * while stores are started anew.
 *
 * <p>Records are sent round by round, in the order of their ULIDs. In each round is asked what the
 * rounds before it sent, and retention keeps until the round is over. One topic is kept for longer,
 * and all of it is there in the end. An answer that may lack something says so, and is asked for
 * again.
 */
class ClusterLifeTest {
  private static final int ROUNDS = 7;
  private static final int BATCHES_A_ROUND = 20;
  private static final int QUESTIONS_A_ROUND = 6;

  /** Of the records' time, which goes on by about two milliseconds a batch. */
  private static final Duration RETENTION = Duration.ofMillis(100);

  /** Not an hour of the records' time passes. */
  private static final Duration LONGEST = Duration.ofHours(1);

  private static final Topic LONG_KEPT = new Topic("billing");

  private static final Duration RETRY = Duration.ofMillis(20);

  /** A store that is ended may leave what it had claimed to its lease, which is not waited for. */
  private static final Duration PACE = Duration.ofMillis(100);

  private static final Duration LOOK = Duration.ofMillis(1);

  /** What goes on while questions are asked. */
  private interface Happening {
    void happen() throws IOException;
  }

  @TempDir private Path folder;
  private final long seed = Seed.of(ClusterLifeTest.class);
  private final SplittableRandom random = new SplittableRandom(seed);
  private final List<Batch> batches =
      SegmentFixture.batches(seed, ROUNDS * BATCHES_A_ROUND).stream()
          .sorted(Comparator.comparing(Batch::first))
          .toList();
  private volatile Instant now = batches.getFirst().first().time();

  @ParameterizedTest
  @CsvSource({"2, 2, 1", "3, 3, 2"})
  void anyQuestionIsAnsweredAsANaiveSearchAnswersIt(int ingest, int stores, int copies)
      throws Exception {
    var retention = new ByTopic<>(Map.of("*", RETENTION, LONG_KEPT.name(), LONGEST));
    var shape = new LivingCluster.Shape(ingest, stores, copies, retention);
    try (var cluster = new LivingCluster(folder, shape, () -> now);
        ExecutorService beside = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int round = 0; round < ROUNDS; round++) {
        live(round, cluster, stores, ingest, beside);
      }
      await().alias("merges").until(() -> cluster.merges() > ROUNDS);
      await().alias("segments beyond retention").until(() -> cluster.retired() > 0);
      await().alias("segments without what is over").until(() -> cluster.rewritten() > 0);
      for (int node = 0; node < cluster.size(); node++) {
        ask(cluster, node, allOf(LONG_KEPT));
      }
    }
  }

  private void live(
      int round, LivingCluster cluster, int stores, int ingest, ExecutorService beside)
      throws Exception {
    int sent = round * BATCHES_A_ROUND;
    List<Batch> next = batches.subList(sent, sent + BATCHES_A_ROUND);
    now = next.getLast().first().time();
    List<Happening> happens = new ArrayList<>();
    List<List<Batch>> shares = shares(next, batches.subList(0, sent), ingest);
    for (int node = 0; node < ingest; node++) {
      int to = node;
      happens.add(() -> send(shares.get(to), cluster, to));
    }
    int store = random.nextInt(stores);
    happens.add(() -> cluster.restartStore(store));
    List<Future<?>> running = new ArrayList<>();
    for (Happening each : happens) {
      running.add(
          beside.submit(() -> {
            each.happen();
            return each;
          }));
    }
    if (round > 0) {
      List<SearchedRecord> settled = SearchedRecord.of(kept(batches.subList(0, sent)));
      for (int i = 0; i < QUESTIONS_A_ROUND; i++) {
        ask(cluster, RandomSearch.of(random, settled));
      }
    }
    for (Future<?> each : running) {
      each.get();
    }
  }

  /** Each batch goes to a node, some go to another one too, and some old ones come again. */
  private List<List<Batch>> shares(List<Batch> next, List<Batch> old, int nodes) {
    List<List<Batch>> shares = new ArrayList<>();
    for (int node = 0; node < nodes; node++) {
      shares.add(new ArrayList<>());
    }
    for (Batch batch : next) {
      int node = random.nextInt(nodes);
      shares.get(node).add(batch);
      if (random.nextInt(4) == 0) {
        shares.get((node + 1) % nodes).add(batch);
      }
      if (random.nextInt(8) == 0 && !old.isEmpty()) {
        shares.get(random.nextInt(nodes)).add(old.get(random.nextInt(old.size())));
      }
    }
    return shares;
  }

  /**
   * Each as a segment of its own, in fast and in durable mode, and at the pace at which stores
   * consume: so they make small segments of them, which have to be merged.
   */
  private static void send(List<Batch> share, LivingCluster cluster, int node) throws IOException {
    for (int i = 0; i < share.size(); i++) {
      List<Integer> ports = cluster.senderPorts(node);
      try (var sender = new Sender(ports.get(i % ports.size()))) {
        assertThat(sender.send(share.get(i).encode().array()).end()).doesNotContain("error");
      }
      long end = System.nanoTime() + PACE.toNanos();
      while (!cluster.isConsumed(node) && System.nanoTime() < end) {
        LockSupport.parkNanos(LOOK.toNanos());
      }
    }
  }

  private List<Batch> kept(List<Batch> sent) {
    Instant horizon = now.minus(RETENTION);
    return sent.stream().filter(batch -> !batch.first().time().isBefore(horizon)).toList();
  }

  private RandomSearch allOf(Topic topic) {
    List<SearchedRecord> all =
        SearchedRecord.of(batches.stream().filter(b -> b.topic().equals(topic)).toList());
    var found = new ByteArrayOutputStream();
    for (SearchedRecord each : all) {
      found.writeBytes(each.expected().bytes());
      found.write('\n');
    }
    return new RandomSearch("/query?q=&topic=" + topic, found.toByteArray(), all.size());
  }

  private void ask(LivingCluster cluster, RandomSearch search) {
    ask(cluster, random.nextInt(cluster.size()), search);
  }

  private void ask(LivingCluster cluster, int node, RandomSearch search) {
    String what = "-Dcordwood.seed=%d, node %d".formatted(seed, node);
    Answer answer =
        await()
            .alias(what + " gives a complete answer to " + search.path())
            .pollDelay(Duration.ZERO)
            .pollInterval(RETRY)
            .ignoreExceptionsInstanceOf(IOException.class)
            .until(
                () -> Answer.get(cluster.apiPort(node), search.path()),
                given -> "complete".equals(given.field("verdict")));
    search.check(answer, what);
  }
}
