package io.cordwood.forwarder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What arrives of records and lines of any kind. */
final class ForwarderTest extends NodeFixture {
  @Test
  void recordsArriveInOrderUnderTheTopic() {
    List<String> expected = IntStream.range(0, 10_000).mapToObj(i -> "record " + i).toList();
    try (Forwarder forwarder = start(options().topic("web.front-1"))) {
      expected.forEach(r -> assertThat(forwarder.send(bytes(r))).isTrue());
      flush(forwarder);
      assertThat(archive.records()).isEqualTo(expected);
      assertThat(archive.batches()).allMatch(b -> b.topic.equals("web.front-1"));
      assertThat(forwarder.counters().acknowledged()).isEqualTo(10_000);
    }
  }

  @Test
  void countersAreShownByMicrometer() {
    var registry = new SimpleMeterRegistry();
    try (Forwarder forwarder = start(options())) {
      registry.gauge("cordwood.acknowledged", forwarder, f -> f.counters().acknowledged());
      sendLines(forwarder, "one\ntwo\n");
      flush(forwarder);
      assertThat(registry.get("cordwood.acknowledged").gauge().value()).isEqualTo(2);
    }
  }

  @Test
  void percentSignsAreData() {
    try (Forwarder forwarder = start(options())) {
      sendLines(forwarder, "100% done %d %s %n\n");
      forwarder.send(bytes("%d"));
      flush(forwarder);
    }
    assertThat(archive.records()).containsExactly("100% done %d %s %n", "%d");
  }

  @Test
  void allByteValuesArrive() {
    StringBuilder all = new StringBuilder();
    IntStream.range(0, 256).filter(b -> b != '\n').forEach(b -> all.append((char) b));
    String noNul = all.substring(1) + "\nat line two";
    try (Forwarder forwarder = start(options())) {
      forwarder.send(bytes(all.toString()));
      forwarder.send(bytes(noNul));
      forwarder.send(bytes(""));
      sendLines(forwarder, all + "\r\n");
      flush(forwarder);
    }
    assertThat(archive.records()).containsExactly(all.toString(), noNul, "", all + "\r");
  }

  @Test
  void recordWithLfAndNulArrivesAsLinesAndIsCounted() {
    try (Forwarder forwarder = start(options())) {
      forwarder.send(bytes("a\0b\n\nc\n"));
      flush(forwarder);
      assertThat(forwarder.counters().handling().cuts()).isEqualTo(3);
      assertThat(forwarder.counters().appended()).isEqualTo(4);
    }
    assertThat(archive.records()).containsExactly("a\0b", "", "c", "");
  }

  @Test
  void longRecordIsCutNotLost() {
    String text = "x\ny".repeat(1 << 20);
    try (Forwarder forwarder = start(options())) {
      forwarder.send(bytes(text));
      flush(forwarder);
      assertThat(forwarder.counters().handling().cuts()).isEqualTo(2);
    }
    assertThat(String.join("", archive.records())).isEqualTo(text);
    assertThat(archive.records()).allMatch(r -> r.length() == 1 << 20);
  }

  @Test
  void blankLinesAreLeftOutAndCounted() {
    try (Forwarder forwarder = start(options())) {
      sendLines(forwarder, "\n\na\n\nb\nc\n\n\n");
      sendLines(forwarder, "\n");
      sendLines(forwarder, "d\n");
      flush(forwarder);
      assertThat(forwarder.counters().handling().blankLines()).isEqualTo(6);
      assertThat(forwarder.counters().appended()).isEqualTo(4);
    }
    assertThat(archive.records()).containsExactly("a", "b", "c", "d");
  }

  @Test
  void blankLinesThatEndWithCarriageReturnsAreLeftOutToo() {
    try (Forwarder forwarder = start(options())) {
      sendLines(forwarder, "\r\na\r\nb\r\n\r\n\r\n12345678\r\n\r\n\n\r\nx\n\r\n");
      flush(forwarder);
      assertThat(forwarder.counters().handling().blankLines()).isEqualTo(7);
    }
    assertThat(archive.records()).containsExactly("a\r", "b\r", "12345678\r", "x");
  }

  @Test
  void blankLinesAreFoundWhereverTheyStand() {
    var random = new Random(3);
    for (int round = 0; round < 2_000; round++) {
      var lines = new StringBuilder("x");
      for (int i = random.nextInt(40); i > 0; i--) {
        lines.append("\r\nx".charAt(random.nextInt(3)));
      }
      byte[] bytes = bytes(lines.append('\n').toString());
      int naive = bytes.length;
      for (int end = bytes.length - 1; end > 0; end--) {
        boolean cr = bytes[end - 1] == '\r' && end > 1 && bytes[end - 2] == '\n';
        if (bytes[end] == '\n' && (bytes[end - 1] == '\n' || cr)) {
          naive = cr ? end - 1 : end;
        }
      }
      assertThat(Lines.blank(bytes, 0, bytes.length)).as(lines.toString()).isEqualTo(naive);
      int count = Lines.count(bytes, 0, bytes.length);
      assertThat(Lines.countUnlessBlank(bytes, 0, bytes.length))
          .as(lines.toString())
          .isEqualTo(naive < bytes.length ? -1 : count);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"localhost:41111:foo", "http://a:1", "a:b:c", ""})
  void whatIsNoTargetIsRefused(String text) {
    assertThatThrownBy(() -> Target.parse(text, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("expected ");
  }

  @Test
  void addressesOfIpv6AreTargets() {
    assertThat(Target.parse("1:2:3:4:5:6:7:8", 7)).isEqualTo(new Target("1:2:3:4:5:6:7:8", 7));
    assertThat(Target.parse("::1", 7)).isEqualTo(new Target("::1", 7));
    assertThat(Target.parse("fe80::1%eth0", 7)).isEqualTo(new Target("fe80::1%eth0", 7));
    assertThat(Target.parse("[::1]:8", 7)).isEqualTo(new Target("::1", 8));
  }

  @Test
  void streamKeepsItsLastLineAndCutsALongOne() throws IOException {
    String text = "first\n" + "L".repeat(3 << 20) + "\n%d\n" + "last without newline";
    try (Forwarder forwarder = start(options())) {
      stream(forwarder, text);
      flush(forwarder);
      assertThat(forwarder.counters().handling().cuts()).isEqualTo(2);
    }
    String part = "L".repeat(1 << 20);
    assertThat(archive.records())
        .containsExactly("first", part, part, part, "%d", "last without newline");
  }

  @Test
  void timeNeverRunsBackwardsWhateverTheClockDoes() {
    AtomicLong millis = new AtomicLong(1_000_000);
    InstantSource backwards = () -> Instant.ofEpochMilli(millis.addAndGet(-1000));
    List<String> expected = IntStream.range(0, 50).mapToObj(i -> "line " + i).toList();
    ForwarderOptions options = options().build();
    node.clock = millis::get;
    try (Forwarder forwarder =
        Forwarder.start(options, ForwarderListener.NONE, backwards, InetAddress::getAllByName)) {
      for (String line : expected) {
        sendLines(forwarder, line + "\n");
        flush(forwarder);
      }
    }
    long first = archive.batches().getFirst().millis();
    assertThat(first).isIn(998_000L, 999_000L);
    assertThat(archive.batches()).hasSize(50).allMatch(b -> b.millis() == first);
    assertThat(archive.records()).isEqualTo(expected);
  }
}
