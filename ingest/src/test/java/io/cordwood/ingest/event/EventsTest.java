package io.cordwood.ingest.event;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.ingest.IngestOptions;
import io.cordwood.ingest.node.EventNode;
import io.cordwood.ingest.node.RunningNode;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What records foreign events become, and that the events can be built again from them. */
class EventsTest {
  @TempDir Path folder;
  private EventNode node;

  @BeforeEach
  void start() throws Exception {
    node = new EventNode(RunningNode.options(folder));
  }

  @AfterEach
  void close() throws Exception {
    node.close();
  }

  private StoredEvent stored(Map<String, String> sender, EventTime time, String text, Beside beside)
      throws Exception {
    node.add(sender, time, text, beside);
    node.commit();
    return StoredEvent.of(node.node(), 1).getFirst();
  }

  @Test
  void aTextWithNothingBesideItIsTheRecord() throws Exception {
    StoredEvent event =
        stored(Map.of("app", "shop"), EventTime.NONE, "a \"b\" \\ {}", new Beside());
    assertThat(event.text()).isEqualTo("a \"b\" \\ {}");
    assertThat(event.beside()).isEmpty();
    assertThat(event.topic()).isEqualTo("shop");
    assertThat(event.labels()).isEqualTo(Map.of("app", "shop"));
  }

  @Test
  void theTimeOfAnEventIsThatOfItsRecordIfItIsWithinADay() throws Exception {
    Instant near = Instant.now().minus(Duration.ofHours(23));
    StoredEvent event = stored(Map.of(), EventTime.of(near), "x", new Beside());
    assertThat(event.millis()).isEqualTo(near.toEpochMilli());
    assertThat(event.beside()).isEmpty();
  }

  @Test
  void timesFarAwayStandBesideTheText() throws Exception {
    List<EventTime> far =
        List.of(
            EventTime.of(Instant.now().minus(Duration.ofHours(25))),
            EventTime.of(Instant.now().plus(Duration.ofHours(25))),
            EventTime.of(Instant.EPOCH.plusNanos(1)),
            EventTime.ofUnsignedNanos(-1),
            new EventTime(Long.MAX_VALUE, 0),
            EventTime.ofMillis(Long.MIN_VALUE));
    for (EventTime time : far) {
      node.add(Map.of(), time, "x", new Beside());
    }
    node.commit();
    List<StoredEvent> events = StoredEvent.of(node.node(), far.size());
    assertThat(events)
        .allMatch(event -> Math.abs(event.millis() - System.currentTimeMillis()) < 600_000);
    assertThat(events.stream().map(event -> event.beside().get("time")))
        .containsExactlyInAnyOrderElementsOf(far.stream().map(EventTime::toString).toList());
    assertThat(EventTime.ofUnsignedNanos(-1)).hasToString("2554-07-21T23:34:33.709551615Z");
  }

  @Test
  void anyTextAndAnythingBesideItCanBeBuiltAgain() throws Exception {
    var random = new Random(7);
    List<StoredEvent> sent =
        IntStream.range(0, 2000)
            .mapToObj(i -> {
              var beside = new LinkedHashMap<String, String>();
              for (int n = random.nextInt(3); n > 0; n--) {
                beside.put(n + piece(random), piece(random));
              }
              return new StoredEvent("default", Map.of(), 0, "t" + piece(random), beside);
            })
            .toList();
    for (StoredEvent event : sent) {
      var beside = new Beside();
      event.beside().forEach(beside::add);
      node.add(Map.of(), EventTime.NONE, event.text(), beside);
    }
    node.commit();
    assertThat(
            StoredEvent.of(node.node(), sent.size()).stream()
                .map(e -> new StoredEvent(e.topic(), e.labels(), 0, e.text(), e.beside())))
        .containsExactlyInAnyOrderElementsOf(sent);
  }

  private static String piece(Random random) {
    String[] parts = {
      " ", "  ", "{", "}", "\"", "\\", "\n", "\0", "a", "0", "  {\"a\":1}", "é", "\t"
    };
    var text = new StringBuilder();
    for (int n = random.nextInt(8); n > 0; n--) {
      text.append(parts[random.nextInt(parts.length)]);
    }
    return text.toString();
  }

  @Test
  void whatCannotBeALabelStandsBesideTheText() throws Exception {
    var sender = new LinkedHashMap<String, String>();
    sender.put("time", "reserved");
    sender.put("with space", "x");
    sender.put("lines", "a\nb");
    IntStream.range(0, 70).forEach(i -> sender.put("l" + i, "v"));
    StoredEvent event = stored(sender, EventTime.NONE, "x", new Beside());
    assertThat(event.labels()).hasSize(64);
    var all = new LinkedHashMap<>(event.labels());
    all.putAll(event.beside());
    assertThat(all).isEqualTo(sender);
  }

  /** Or a thousand short lines would take up a thousand times what was sent. */
  @Test
  void oneSenderTakesUpABoundedAmountBesideEachText() throws Exception {
    var sender = new LinkedHashMap<String, String>();
    sender.put("of lines", "a\nb");
    sender.put("long one", "x".repeat(2 * EventOrigins.MAX_BESIDE_BYTES));
    IntStream.range(0, 100).forEach(i -> sender.put("name " + i, "v".repeat(100)));
    StoredEvent event = stored(sender, EventTime.NONE, "x", new Beside());
    assertThat(event.beside()).containsEntry("of lines", "a\nb").doesNotContainKey("long one");
    int kept = event.beside().size() + event.labels().size();
    assertThat(kept).isBetween(70, 80);
    assertThat(node.node().counted("labels_left_out")).isEqualTo(sender.size() - kept);
  }

  @Test
  void theFirstLabelOfTheListIsTheTopicAndItsNameIsMadeOne() throws Exception {
    node.add(Map.of("job", "a", "app", "my shop/é"), EventTime.NONE, "1", new Beside());
    node.add(Map.of("job", "-"), EventTime.NONE, "2", new Beside());
    node.add(Map.of("other", "x"), EventTime.NONE, "3", new Beside());
    node.commit();
    assertThat(StoredEvent.of(node.node(), 3).stream().map(StoredEvent::topic))
        .containsExactlyInAnyOrder("my-shop-", "other", "default");
  }

  @Test
  void topicsBeyondTheMostAreTheUsualOneAndCounted() throws Exception {
    node.close();
    node =
        new EventNode(
            RunningNode.options(folder).with(IngestOptions.Quotas.DEFAULT.withMaxTopics(1)));
    node.add(Map.of("app", "one"), EventTime.NONE, "1", new Beside());
    node.add(Map.of("app", "two"), EventTime.NONE, "2", new Beside());
    node.commit();
    List<StoredEvent> events = StoredEvent.of(node.node(), 2);
    assertThat(events.stream().map(StoredEvent::topic)).containsExactlyInAnyOrder("one", "default");
    assertThat(events.stream().map(event -> event.labels().get("app")))
        .containsExactlyInAnyOrder("one", "two");
    assertThat(node.node().counted("topics_overflowed")).isEqualTo(1);
  }

  @Test
  void whatIsSentAgainWithItsKeyIsTheSameBatch() throws Exception {
    EventTime time = EventTime.of(Instant.now());
    for (String text : List.of("same", "same", "other")) {
      node.keyed("chunk");
      node.add(Map.of(), time, text, new Beside());
      node.commit();
    }
    assertThat(node.node().consume(3).stream().map(batch -> batch.first()).distinct()).hasSize(2);
  }
}
