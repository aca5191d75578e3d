package io.cordwood.query.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.SegmentSource;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.query.Answer;
import io.cordwood.query.SegmentFixture;
import io.cordwood.query.SegmentFixture.Expected;
import io.cordwood.query.TestCluster;
import io.cordwood.query.TestCluster.Node;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** What is settled in a cluster, and many that ask each other. */
final class ClusterReadTest {
  /** A node that receives, whose clock stands still. */
  private record Receiving(SegmentSource source, Instant time) implements SegmentSource {
    @Override
    public View view(UlidRange range) throws IOException {
      return source.view(range);
    }

    @Override
    public Optional<Instant> stampTime() {
      return Optional.of(time);
    }
  }

  @Test
  void settledIsWhatTheSlowestClockSaysAndNothingWithoutOneOfThem() throws IOException {
    List<Batch> batches = SegmentFixture.batches(12, 60);
    List<Expected> all = new SegmentFixture(12, 1, batches).records();
    Instant middle = all.get(all.size() / 2).ulid().time();
    Ulid settled = Ulid.lastOf(middle.toEpochMilli() - 1);
    List<Expected> before = all.stream().filter(r -> !r.ulid().isAfter(settled)).toList();
    try (var cluster = new TestCluster(2)) {
      var received = new SegmentFixture(12, 2, batches.subList(0, 30));
      var others = new SegmentFixture(12, 2, batches.subList(30, 60));
      cluster.ingest("slow", new Receiving(received, middle));
      Node quick = cluster.ingest("quick", new Receiving(others, middle.plusSeconds(3)));
      cluster.store("one", new SegmentFixture(12, 2, batches));
      Node asked = cluster.query("asked");

      Answer whole = asked.get("/read?late_window=0s");
      assertThat(whole.field("settled-ulid")).isEqualTo(settled.toString());
      assertThat(whole.field("matches")).isEqualTo(all.size() + "");
      Answer only = asked.get("/read?late_window=0s&settled=true&format=json");
      assertThat(only.field("matches")).isEqualTo(before.size() + "");
      assertThat(only.field("settled-ulid")).isEqualTo(settled.toString());
      assertThat(only.field("next-ulid")).isEqualTo(before.getLast().ulid().toString());

      quick.close();
      Answer doubtful = asked.get("/read?late_window=0s");
      assertThat(doubtful.field("matches")).isEqualTo(all.size() + "");
      assertThat(doubtful.field("settled-ulid")).isNull();
      assertThat(asked.get("/read?late_window=0s&settled=true").status()).isEqualTo(503);
      cluster.forget(quick);
      assertThat(asked.get("/read?late_window=0s").field("settled-ulid")).isNull();
    }
  }

  @Test
  void nodesThatAskEachOtherAtOnceAllAnswer() throws Exception {
    List<Batch> batches = SegmentFixture.batches(13, 40);
    int records = batches.stream().mapToInt(Batch::records).sum();
    try (var cluster = TestCluster.random(13, 2, batches);
        ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Answer>> answers = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        for (Node node : cluster.nodes) {
          Callable<Answer> ask = () -> node.get("/query?count=true");
          answers.add(clients.submit(ask));
        }
      }
      for (Future<Answer> answer : answers) {
        assertThat(answer.get().text()).isEqualTo(records + "\n");
        assertThat(answer.get().field("verdict")).isEqualTo("complete");
      }
    }
  }
}
