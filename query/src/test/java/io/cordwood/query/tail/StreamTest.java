package io.cordwood.query.tail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.Records;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.query.Receiver;
import io.cordwood.query.SegmentFixture;
import io.cordwood.query.TestCluster;
import io.cordwood.query.TestCluster.Node;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Three nodes that receive, a store and a node that holds nothing: any of them gives it all. */
final class StreamTest {
  private static final Topic BILLING = new Topic("billing");

  private final TestCluster cluster = new TestCluster(1);
  private final List<Receiver> receivers = List.of(new Receiver(), new Receiver(), new Receiver());
  private final List<TailClient> clients = new ArrayList<>();

  @BeforeEach
  void start() throws IOException {
    for (int i = 0; i < 3; i++) {
      cluster.ingest("ingest-" + i, receivers.get(i));
    }
    cluster.store("store", new SegmentFixture(1, 1, List.of()));
    cluster.query("query");
  }

  @AfterEach
  void stop() throws IOException {
    for (TailClient client : clients) {
      client.close();
    }
    await().until(() -> followers() == 0);
    cluster.close();
  }

  private int followers() {
    return receivers.stream().mapToInt(Receiver::followers).sum();
  }

  private TailClient open(Node node, String parameters) throws IOException {
    return open(node, parameters, "");
  }

  private TailClient open(Node node, String parameters, String header) throws IOException {
    TailClient client = TailClient.open(node, "/stream?" + parameters, header);
    clients.add(client);
    assertThat(client.head()).startsWith("HTTP/1.1 200");
    return client;
  }

  private Node query() {
    return cluster.nodes.getLast();
  }

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

  /** The id of the newest event. */
  private static Ulid position(TailClient events) {
    return events.lines().stream()
        .filter(line -> line.startsWith("id: "))
        .reduce((_, newer) -> newer)
        .map(line -> Ulid.parse(line.substring(4)))
        .orElseThrow();
  }

  private TailClient events(Node node, String parameters) throws IOException {
    return open(node, "format=sse&" + parameters);
  }

  private TailClient eventsBehind(Ulid position) throws IOException {
    return open(query(), "format=sse", "last-event-id: " + position + "\r\n");
  }

  @Test
  void whatComesLateWhileNobodyFollowsIsGivenToWhoGoesOnBehindAnEvent() throws IOException {
    TailClient events = events(cluster.nodes.getFirst(), "");
    Ulid late = Receiver.stamp(1);
    receivers.get(1).receive("in time");
    events.awaitLine("in time");
    events.close();
    receivers.get(2).receive(Records.lines(late, "late"));
    TailClient goesOn = eventsBehind(position(events));
    goesOn.awaitLine("\"late\"");
    goesOn.awaitLine("\"in time\"");
  }

  @Test
  void whatIsGivenOfASenderWhoseClockIsAheadHidesNothingFromWhoGoesOn() throws IOException {
    TailClient events = events(cluster.nodes.getFirst(), "late_window=0s");
    Ulid ahead = Ulid.firstOf(Receiver.stamp(1).millis() + Duration.ofHours(1).toMillis());
    receivers.get(0).receive(Records.lines(ahead, "ahead"));
    events.awaitLine("ahead");
    events.close();
    receivers.get(1).receive("then");
    eventsBehind(position(events)).awaitLine("\"then\"");
  }

  @Test
  void whatANodeThatIsNotFollowedReceivesIsGivenToWhoGoesOnBehindAnEvent() throws IOException {
    TailClient events = events(query(), "late_window=0s");
    receivers.get(0).dead(true);
    events.awaitLine("node ingest-0 is not followed");
    Ulid missed = Receiver.stamp(1);
    receivers.get(0).receive(Records.lines(missed, "missed"));
    Duration later = Duration.ofSeconds(2);
    cluster.clock = () -> Instant.now().plus(later);
    Ulid then = Ulid.firstOf(Receiver.stamp(1).millis() + later.toMillis());
    receivers.get(1).receive(Records.lines(then, "of another"));
    events.awaitLine("of another");
    events.close();
    receivers.get(0).dead(false);
    eventsBehind(position(events)).awaitLine("\"missed\"");
  }

  @Test
  void historyThatBreaksOffIsGivenToItsEndToWhoGoesOn() throws IOException {
    Ulid old = Ulid.firstOf(Receiver.stamp(1).millis() - Duration.ofHours(1).toMillis());
    receivers.get(0).receive(Records.lines(old, "first"));
    receivers.get(0).receive(Records.lines(old.plus(1), "second"));
    TailClient events = events(query(), "from_ulid=" + old.previous());
    events.awaitLine("\"first\"");
    events.close();
    eventsBehind(Ulid.parse(events.lines().getFirst().substring(4))).awaitLine("\"second\"");
  }

  @Test
  void betweenHistoryAndWhatComesIsNeitherAGapNorADouble() throws Exception {
    var next = new AtomicInteger();
    var over = new java.util.concurrent.atomic.AtomicBoolean();
    Thread sender =
        Thread.ofVirtual()
            .start(() -> {
              while (!over.get()) {
                int i = next.getAndIncrement();
                receivers.get(i % 3).receive("line " + i);
                java.util.concurrent.locks.LockSupport.parkNanos(500_000);
              }
            });
    for (int round = 0; round < 5; round++) {
      int before = next.get();
      TailClient client = open(cluster.nodes.get(round), "lines=5&window=200ms");
      client.await(5);
      int first = numbers(client).first();
      client.until(() -> numbers(client).subSet(first, first + 300).size() == 300);
      client.close();
      assertThat(client.records()).doesNotHaveDuplicates();
      assertThat(first).isGreaterThanOrEqualTo(before - 8);
    }
    over.set(true);
    sender.join();
  }

  private static NavigableSet<Integer> numbers(TailClient client) {
    return client.records().stream()
        .map(line -> Integer.valueOf(line.substring(5)))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void streamsGoOnBehindAUlid() throws IOException {
    List<Ulid> ulids = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      ulids.add(Receiver.stamp(1));
      receivers.get(i % 3).receive(Records.lines(ulids.get(i), "line " + i));
    }
    TailClient client = open(query(), "from_ulid=" + ulids.get(2));
    String began = "format=ulid&from_ulid=" + ulids.get(2);
    TailClient events = open(query(), began, "last-event-id: " + ulids.get(4) + "\r\n");
    receivers.get(1).receive("new");
    assertThat(client.await(4)).containsExactly("line 3", "line 4", "line 5", "new");
    assertThat(events.await(2).getFirst()).isEqualTo(ulids.get(5) + " line 5");
  }

  @Test
  void whatComesWithinTheWindowComesInOrder() throws IOException {
    TailClient client = open(query(), "window=5s");
    Ulid first = Receiver.stamp(1);
    Ulid second = Receiver.stamp(1);
    receivers.get(0).receive(Records.lines(second, "second"));
    receivers.get(1).receive(Records.lines(first, "first"));
    assertThat(client.await(2)).containsExactly("first", "second");
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
    assertThat(quick.lines()).hasSize(batches);
    await().until(() -> query().meters.get("cordwood.http.held.bytes").gauge().value() <= 24 << 10);
    slow.reading();
    slow.awaitLine("records were dropped, since this stream is read too slowly");
    receivers.get(0).receive("end");
    slow.awaitLine("end");
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
    assertThat(followers()).isEqualTo(3);
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
