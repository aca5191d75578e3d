package io.cordwood.query.tail;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.segment.Records;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.query.Receiver;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Streams that go on behind what was given before, and miss nothing. */
final class StreamResumeTest extends StreamFixture {
  /** What is asked for is the history, too. */
  @BeforeEach
  void spoil() {
    spoiled = true;
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
}
