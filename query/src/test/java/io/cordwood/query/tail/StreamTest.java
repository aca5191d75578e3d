package io.cordwood.query.tail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.Records;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.query.Receiver;
import io.cordwood.query.TestCluster.Node;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Three nodes that receive, a store and a node that holds nothing: any of them gives it all. */
final class StreamTest extends StreamFixture {
  private static final Topic BILLING = new Topic("billing");

  @Test
  void whatAnyNodeReceivesComesFromEveryNodeOnce() throws IOException {
    List<TailClient> all = new ArrayList<>();
    for (Node node : cluster.nodes) {
      all.add(open(node, ""));
    }
    for (int i = 0; i < 30; i++) {
      receivers.get(i % 3).receive("line " + i, "and " + i);
    }
    for (TailClient client : all) {
      assertThat(client.await(60)).hasSize(60).doesNotHaveDuplicates();
    }
  }

  /** It has lost its disk, and was back before anybody missed it. */
  @Test
  void aNodeThatComesToTheAddressOfAnotherOneIsFollowed() throws IOException {
    cluster.takenFor.put("ingest-0", "lost");
    TailClient client = open(query(), "");
    receivers.get(1).receive("first");
    client.awaitLine("first");
    cluster.takenFor.clear();
    receivers.get(0).receive("second");
    client.awaitLine("second");
    assertThat(client.records()).containsExactly("first", "second");
  }

  @Test
  void copiesOfABatchComeOnce() throws IOException {
    TailClient client = open(query(), "");
    Batch batch = Records.lines(Receiver.stamp(2), "one", "two");
    receivers.forEach(receiver -> receiver.receive(batch));
    client.await(2);
    receivers.get(1).receive(batch);
    receivers.get(2).receive("end");
    client.awaitLine("end");
    assertThat(client.records()).containsExactly("one", "two", "end");
  }

  @Test
  void whatIsFoundInRecordsComesWithThem() throws IOException {
    TailClient json = open(query(), "format=json&parsed=true");
    TailClient events = open(query(), "format=sse&parsed=true&lines=1");
    receivers.get(0).receive("level=warn n=1");
    String parsed = "\"parsed\":{\"level\":\"warn\",\"fields\":{\"level\":\"warn\",\"n\":\"1\"}}}";
    await().until(() -> json.lines().stream().anyMatch(line -> line.endsWith(parsed)));
    await().until(() -> events.lines().stream().anyMatch(line -> line.endsWith(parsed)));
  }

  @Test
  void recordsAreChosenAsByQueries() throws IOException {
    List<TailClient> all = new ArrayList<>();
    for (String parameters :
        List.of(
            "q=Error&q=warn",
            "q=error&ignore_case=true",
            "q=error&ignore_case=true&word=true",
            "q=r.*r&regex=true&invert=true",
            "topic=billing",
            "where=n%3D2",
            "q=[a-z]%2B&regex=true&only_matching=true&topic=billing")) {
      all.add(open(query(), parameters));
    }
    Ulid first = Receiver.stamp(3);
    receivers.get(0).receive(Records.lines(first, "Error 1", "warn", "fine"));
    receivers.get(0).receive(Records.lines(BILLING, Receiver.stamp(1), "2 errors"));
    receivers.get(0).receive(Records.lines(Receiver.stamp(2), "n=1", "{\"n\":2}"));
    assertThat(all.get(0).await(2)).containsExactly("Error 1", "warn");
    assertThat(all.get(1).await(2)).containsExactly("Error 1", "2 errors");
    assertThat(all.get(2).await(1)).containsExactly("Error 1");
    assertThat(all.get(3).await(4)).containsExactly("warn", "fine", "n=1", "{\"n\":2}");
    assertThat(all.get(4).await(1)).containsExactly("2 errors");
    assertThat(all.get(5).await(1)).containsExactly("{\"n\":2}");
    assertThat(all.get(6).await(1)).containsExactly("errors");
  }

  @Test
  void formsTellTheUlidOfEachRecord() throws IOException {
    TailClient ulid = open(query(), "format=ulid");
    TailClient json = open(query(), "format=json");
    TailClient events = open(query(), "", "accept: text/event-stream\r\n");
    assertThat(events.head()).contains("text/event-stream");
    Ulid first = Receiver.stamp(2);
    receivers.get(2).receive(Records.lines(BILLING, first, "one", "two\r"));
    assertThat(ulid.await(2)).containsExactly(first + " one", first.plus(1) + " two");
    assertThat(json.await(2).get(1))
        .isEqualTo(
            "{\"ulid\":\"%s\",\"time\":\"%s\",\"topic\":\"billing\",\"record\":\"two\\r\"}"
                .formatted(first.plus(1), first.time()));
    events.until(() -> events.lines().size() >= 6);
    assertThat(events.lines().subList(1, 5))
        .containsExactly(
            "data: " + json.records().get(0),
            "",
            events.lines().getFirst(),
            "data: " + json.records().get(1));
    assertThat(position(events)).as("while a batch is given").isLessThan(first);
  }

  @Test
  void whatComesWithinTheWindowComesInOrder() throws IOException {
    TailClient client = open(query(), "window=1s");
    await()
        .alias("all that is sent together comes within the window")
        .until(() -> {
          int before = client.records().size();
          List<Ulid> ulids = Stream.generate(() -> Receiver.stamp(1)).limit(20).toList();
          List<String> lines = ulids.stream().map(ulid -> "line " + ulid).toList();
          for (int i = lines.size() - 1; i >= 0; i--) {
            receivers.get(i % 3).receive(Records.lines(ulids.get(i), lines.get(i)));
          }
          int all = before + lines.size();
          return client.await(all).subList(before, all).equals(lines);
        });
  }

  @Test
  void whatComesAfterTheWindowStillComes() throws IOException {
    TailClient client = open(query(), "window=50ms");
    Ulid first = Receiver.stamp(1);
    receivers.get(0).receive("second");
    client.await(1);
    receivers.get(2).receive(Records.lines(first, "first"));
    assertThat(client.await(2)).containsExactly("second", "first");
  }

  @Test
  void aNodeThatJoinsIsFollowedFromItsFirstRecordOn() throws IOException {
    TailClient client = open(query(), "");
    receivers.get(0).receive("old");
    client.await(1);
    var joined = new Receiver();
    joined.receive("before it is known");
    Node node = cluster.ingest("ingest-new", joined);
    joined.receive("just then");
    client.awaitLine("# cordwood: node ingest-new is followed");
    joined.receive("later");
    client.await(4);
    assertThat(client.records())
        .containsExactlyInAnyOrder("old", "before it is known", "just then", "later");
    client.close();
    await().until(() -> joined.followers() == 0);
    cluster.nodes.remove(node);
    node.close();
  }

  @Test
  void aNodeThatDiesIsNamedAndTheOthersGoOnAndNothingOfItIsMissingOnceItIsBack()
      throws IOException {
    TailClient client = open(query(), "");
    receivers.get(0).dead(true);
    client.awaitLine("# cordwood: node ingest-0 is not followed: ");
    receivers.get(1).receive("of another");
    assertThat(client.await(1)).containsExactly("of another");
    receivers.get(0).receive("meanwhile");
    receivers.get(0).dead(false);
    client.awaitLine("# cordwood: node ingest-0 is followed");
    receivers.get(0).receive("then");
    client.await(3);
    assertThat(client.records()).containsExactlyInAnyOrder("of another", "meanwhile", "then");
    spoiled = true;
    Node gone = cluster.nodes.get(2);
    cluster.nodes.remove(gone);
    client.awaitLine("# cordwood: node ingest-2 is gone");
    gone.close();
  }

  @Test
  void whatASlowReaderMissesIsCountedAndToldToHimAndNobodyElseNotices() throws IOException {
    TailClient slow = TailClient.stalled(query(), "/stream", "");
    clients.add(slow);
    TailClient quick = open(query(), "");
    String padding = "x".repeat(10_000);
    int batches = 1500;
    for (int i = 0; i < batches; i++) {
      receivers.get(i % 3).receive("line " + i + padding);
      if (i % 50 == 49) {
        quick.await(i + 1);
      }
    }
    assertThat(quick.await(batches)).hasSize(batches);
    assertThat(quick.told()).isZero();
    await().until(() -> query().meters.get("cordwood.http.held.bytes").gauge().value() <= 24 << 10);
    slow.reading();
    slow.awaitLine("records were dropped, since this stream is read too slowly");
    receivers.get(0).receive("end");
    slow.awaitLine("end");
    slow.until(() -> slow.told() + slow.records().size() >= batches + 1);
    long told = slow.told();
    assertThat(told + slow.records().size()).isEqualTo(batches + 1);
    assertThat(query().meters.counter("cordwood.stream.dropped.records").count()).isEqualTo(told);
  }

  @Test
  void whatANodeLetGoUnsearchedIsTold() throws IOException {
    TailClient client = open(query(), "q=nothing");
    receivers.get(1).lose(7);
    receivers.get(1).receive("something");
    client.awaitLine("# cordwood: 7 records of node ingest-1 were not searched");
  }

  @Test
  void aClientThatLeavesEndsWhatRunsForItOnAllNodes() throws IOException {
    TailClient client = open(query(), "q=nothing");
    await().until(() -> followers() == 3);
    client.close();
    await().until(() -> followers() == 0);
  }

  @Test
  void whatIsNoStreamIsRefused() throws IOException {
    for (String bad :
        List.of(
            "lines=-1",
            "lines=x",
            "late_window=25h",
            "window=1h",
            "format=xml",
            "from_ulid=5",
            "from=5m",
            "limit=3",
            "count=true",
            "q=(&regex=true")) {
      assertThat(query().get("/stream?" + bad).status()).as(bad).isEqualTo(400);
    }
    assertThat(query().get("/stream/tier?tier=ingest&detail=ulids&q=&extent=part").status())
        .isEqualTo(404);
  }
}
