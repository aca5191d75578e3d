package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.wire.Delimiter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reading on from a position, while records are received and consumed. */
final class ReadIT {
  private static final String LATE = "cordwood_ingest_late_records_total";

  @TempDir private Path folder;
  private NodeProcess node;

  @BeforeEach
  void startNode() throws IOException {
    // Small segments, so that there are many, and they move to the store all the time.
    node = NodeProcess.start(folder, "--flush-size", "1MiB", "--flush-age", "50ms");
  }

  @AfterEach
  void stopNode() {
    node.stop();
  }

  private Program.Result read(String... arguments) throws IOException {
    List<String> all = new ArrayList<>(List.of("read", "--node", "localhost:" + node.apiPort()));
    all.addAll(List.of(arguments));
    return Program.run(all.toArray(String[]::new));
  }

  /** A page: its records by ULID, and the positions. */
  private record Page(Map<String, String> records, String next, String settled) {}

  private Page page(String parameters) throws IOException {
    var answer = node.request("GET", "/read?format=json&" + parameters);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    List<String> lines = new ArrayList<>(answer.body().lines().toList());
    String positions = lines.removeLast();
    Map<String, String> records = new LinkedHashMap<>();
    lines.forEach(line -> records.put(field(line, "ulid"), field(line, "record")));
    assertThat(records).hasSameSizeAs(lines);
    return new Page(records, field(positions, "next_ulid"), field(positions, "settled_ulid"));
  }

  private static String field(String json, String name) {
    String start = '"' + name + "\":\"";
    int from = json.indexOf(start) + start.length();
    return json.substring(from, json.indexOf('"', from));
  }

  /** By the rule for readers: take up again at what is settled, drop what was read before. */
  @Test
  void aReaderThatResumesAtWhatIsSettledMissesNothingAndDropsWhatItSaw() throws IOException {
    int bursts = 12;
    int lines = 2000;
    Map<String, String> read = new LinkedHashMap<>();
    List<Sender> senders = new ArrayList<>();
    String position = Ulid.MIN.toString();
    for (int burst = 0; burst < bursts; burst++) {
      senders.add(node.connect());
      for (Sender sender : senders) {
        sender.send(text(burst + " of " + senders.indexOf(sender), lines / senders.size()));
      }
      position = readAll(position, 100 + 400 * burst, read);
    }
    Set<String> sent = new HashSet<>();
    for (int burst = 0; burst < bursts; burst++) {
      for (int sender = 0; sender <= burst; sender++) {
        sent.addAll(text(burst + " of " + sender, lines / (burst + 1)).lines().toList());
      }
    }
    for (Sender sender : senders) {
      sender.end();
    }
    readAll(position, 1000, read);
    assertSame(read.values(), sent);
    node.awaitStored(sent.size());
    Map<String, String> again = new LinkedHashMap<>();
    readAll(Ulid.MIN.toString(), 5000, again);
    assertSame(again.values(), sent);
    assertThat(List.copyOf(again.keySet())).isSorted();
    assertThat(node.metric(LATE)).isZero();
  }

  private static void assertSame(Collection<String> found, Set<String> expected) {
    assertThat(found.size()).isEqualTo(expected.size());
    assertThat(new HashSet<>(found).equals(expected)).isTrue();
  }

  private static String text(String burst, int lines) {
    var text = new StringBuilder();
    for (int i = 0; i < lines; i++) {
      text.append("line ").append(i).append(" of burst ").append(burst).append('\n');
    }
    return text.toString();
  }

  /** Reads page by page up to the end; gives the position to resume from. */
  private String readAll(String from, int limit, Map<String, String> read) throws IOException {
    String position = from;
    while (true) {
      Page page = page("limit=%d&from_ulid=%s".formatted(limit, position));
      read.putAll(page.records());
      if (page.records().size() < limit) {
        return page.settled();
      }
      position = page.next();
    }
  }

  @Test
  void aLateBatchIsFoundAgainIfItIsWithinTheWindowAndCountedIfNot() throws IOException {
    send(System.currentTimeMillis(), "first");
    Page before = page("");
    assertThat(before.records()).containsValue("first");

    send(Ulid.parse(before.settled()).millis() + 2000, "late within the window");
    Page resumed = page("from_ulid=" + before.settled());
    assertThat(resumed.records()).containsValue("late within the window");
    assertThat(page("from_ulid=" + before.next()).records()).isEmpty();

    double counted = node.metric(LATE);
    Ulid late = send(System.currentTimeMillis() - 60_000, "late beyond the window");
    assertThat(page("from_ulid=" + resumed.settled()).records())
        .doesNotContainValue("late beyond the window");
    assertThat(node.metric(LATE)).isEqualTo(counted + 1);
    assertThat(page("from_ulid=" + late.previous()).records())
        .containsValue("late beyond the window");

    Page wider = page("late_window=90s");
    assertThat(Ulid.parse(wider.settled()).isBefore(late)).isTrue();
  }

  /** Sends a batch that was stamped at some time, and waits until it is written. */
  private Ulid send(long stampMillis, String record) throws IOException {
    Ulid first = Ulid.firstOf(stampMillis);
    ByteBuffer body = ByteBuffer.wrap((record + "\n").getBytes(StandardCharsets.UTF_8));
    ByteBuffer head = Batch.head(Topic.DEFAULT, Delimiter.LF, first, 1, body);
    try (Sender sender = node.connect()) {
      sender.send(
          ByteBuffer.allocate(head.remaining() + body.remaining()).put(head).put(body).array());
      assertThat(sender.end()).isEqualTo("ack 1\n");
    }
    return first;
  }

  @Test
  void commandReadsOnFromWhereItEnded() throws IOException {
    node.send("one\ntwo\nthree\n");
    Program.Result first = read("--limit", "2", "--print-position");
    assertThat(first.exitCode()).isZero();
    assertThat(first.text()).matches("[0-9A-Z]{26} one\n[0-9A-Z]{26} two\n");
    String position = first.text().lines().toList().getLast().substring(0, Ulid.CHARS);
    assertThat(first.errors()).startsWith("next " + position + "\nsettled ").hasLineCount(2);
    Program.Result second = read("--from-ulid", position, "--text");
    assertThat(second.text()).isEqualTo("three\n");
    assertThat(second.errors()).isEmpty();
    assertThat(read("--from-ulid", position, "--topic", "nobody").exitCode()).isEqualTo(1);
    assertThat(read("--settled", "--late-window", "1h").exitCode()).isEqualTo(1);
    assertThat(read("--json", "--limit", "1").text().lines()).hasSize(2);
    Program.Result refused = read("--limit", "0");
    assertThat(refused.exitCode()).isEqualTo(2);
    assertThat(refused.errors()).contains("parameter limit: expected a number from 1");
  }
}
