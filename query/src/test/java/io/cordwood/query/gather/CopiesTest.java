package io.cordwood.query.gather;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.Records;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.query.SegmentFixture;
import io.cordwood.query.TestCluster;
import io.cordwood.query.TestCluster.Node;
import io.cordwood.query.Tier;
import io.cordwood.query.result.BatchId;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Queries see what too few stores hold, and tell the one that is to make the copies. */
final class CopiesTest {
  private final TestCluster cluster = new TestCluster(2);

  /** One record each, a millisecond apart. */
  private final List<Batch> batches =
      IntStream.range(0, 10).mapToObj(i -> Records.lines(ulid(i), "record " + i)).toList();

  @BeforeEach
  void copiesAreNotThere() {
    cluster.replicatedFromMillis = Long.MAX_VALUE;
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  private static Ulid ulid(int batch) {
    return Ulid.firstOf(1_700_000_000_000L + batch);
  }

  private static String range(int from, int to) {
    return new UlidRange(ulid(from), ulid(to)).toString();
  }

  private Node store(String id, int... numbers) throws IOException {
    List<Batch> held = IntStream.of(numbers).mapToObj(batches::get).toList();
    return cluster.store(id, new SegmentFixture(1, 1, held));
  }

  private static double few(Node node) {
    return node.meters.get("cordwood.query.copies.few").counter().count();
  }

  private static double sent(Node node) {
    return node.meters.get("cordwood.query.hints").tag("outcome", "sent").counter().count();
  }

  @Test
  void theHolderWithTheLeastIdIsToldOfWhatTooFewGave() throws IOException {
    Node one = store("a", 0, 1, 2, 3, 4, 7, 9);
    Node two = store("b", 0, 4, 5, 6, 7, 8, 9);
    Node query = cluster.query("asked");
    assertThat(query.get("/query").text().lines()).hasSize(10);
    await().until(() -> sent(query) == 3);
    assertThat(few(query)).isEqualTo(6);
    assertThat(one.hints).containsExactly(range(1, 3));
    assertThat(two.hints).containsExactly(range(5, 6), range(8, 8));
  }

  @Test
  void aStoreTellsItself() throws IOException {
    Node asked = store("a", 0, 1);
    store("b", 0);
    assertThat(asked.get("/query?count=true").text()).isEqualTo("2\n");
    await().until(() -> sent(asked) == 1);
    assertThat(asked.hints).containsExactly(range(1, 1));
  }

  /**
   * A third store answers nothing; a limit and the newest end stores' parts at different places.
   */
  @Test
  void whatMayBeThereIsNotCalledMissing() throws IOException {
    store("a", 0, 1, 2);
    Node two = store("b", 0, 1);
    Node query = cluster.query("asked");
    assertThat(query.get("/query?limit=2").text().lines()).hasSize(2);
    assertThat(query.get("/query?last=2").text().lines()).hasSize(2);
    two.close();
    cluster.nodes.remove(two);
    cluster.addStranger("b", 1);
    assertThat(query.get("/query").text().lines()).hasSize(3);
    assertThat(few(query)).isZero();
  }

  @Test
  void whatIsNotConsumedYetHasNoCopies() throws IOException {
    cluster.ingest("in", new SegmentFixture(1, 1, batches));
    store("a", 0, 1);
    store("b", 0, 1);
    Node query = cluster.query("asked");
    assertThat(query.get("/query").text().lines()).hasSize(10);
    assertThat(few(query)).isZero();
  }

  /** One of them gave the batches that it was about to give next, the other not yet. */
  @Test
  void aReaderWhoLeavesTellsNobody() throws IOException {
    List<Batch> many = SegmentFixture.batches(3, 60);
    Node one = cluster.store("a", new SegmentFixture(3, 2, many).endless());
    Node two = cluster.store("b", new SegmentFixture(3, 1, many));
    Node asked = cluster.query("asked");
    try (var client = new Socket(InetAddress.getLoopbackAddress(), asked.port())) {
      String request = "GET /query?invert=true HTTP/1.1\r\nHost: x\r\n\r\n";
      client.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      await().until(() -> one.meters.get("cordwood.query.tier.running").gauge().value() == 1);
    }
    await().until(() -> asked.meters.get("cordwood.query.abandoned").counter().count() == 1);
    assertThat(few(asked)).isZero();
    assertThat(one.hints).isEmpty();
    assertThat(two.hints).isEmpty();
  }

  @Test
  void rangesAreBounded() {
    var count = new CopyCount(2);
    for (int i = 0; i < 3 * CopyCount.MAX_RANGES; i++) {
      var id = new BatchId(ulid(i), Topic.DEFAULT);
      count.seen(id, new PartialResult.Holder(i % 2 == 0 ? "a" : "b", Tier.STORE));
    }
    count.settle();
    assertThat(count.batches()).isEqualTo(3 * CopyCount.MAX_RANGES);
    assertThat(new ArrayList<>(count.tooFew())).hasSize(CopyCount.MAX_RANGES);
  }
}
