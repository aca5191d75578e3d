package io.cordwood.forwarder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Connections that are left for others, so that load spreads. */
final class OldConnectionsTest extends NodeFixture {
  @Test
  void oldConnectionIsLeftForTheNextTargetAndNothingIsSentTwice() throws IOException {
    List<String> expected = new ArrayList<>();
    var options = options().maxConnectionAge(Duration.ofMillis(1));
    try (TestNode other = new TestNode(archive);
        Forwarder forwarder = start(options.target(other.target()))) {
      await()
          .atMost(LONG)
          .until(() -> {
            expected.add("record " + expected.size());
            forwarder.send(bytes(expected.getLast()));
            return node.connections.get() > 3 && other.connections.get() > 3;
          });
      flush(forwarder);
      assertThat(forwarder.counters().handling().resentRecords()).isZero();
      assertThat(forwarder.counters().connections().disconnects()).isZero();
      await().atMost(LONG).until(() -> node.open() + other.open() < 4);
      assertThat(other.faults).isEmpty();
    }
    assertThat(archive.records()).isEqualTo(expected);
    assertThat(archive.duplicates()).isZero();
  }

  @Test
  void agesOfConnectionsDifferByAFifthEitherWay() {
    LongSummaryStatistics ages =
        LongStream.generate(() -> Sender.ageNanos(Duration.ofNanos(1000)))
            .limit(1000)
            .summaryStatistics();
    assertThat(ages.getMin()).isBetween(800L, 850L);
    assertThat(ages.getMax()).isBetween(1150L, 1200L);
  }

  @Test
  void connectionWithoutAnAgeStays() {
    try (Forwarder forwarder = start(options().maxConnectionAge(Duration.ZERO))) {
      for (int i = 0; i < 100; i++) {
        forwarder.send(bytes("record"));
        flush(forwarder);
      }
    }
    assertThat(node.connections).hasValue(1);
  }

  @Test
  void everyAddressOfANameIsUsed() throws IOException {
    InetAddress[] addresses = InetAddress.getAllByName("127.0.0.1");
    NameResolver resolver =
        host -> {
          byte[] other = {127, 0, 0, 2};
          return new InetAddress[] {addresses[0], InetAddress.getByAddress(host, other)};
        };
    Set<String> tried = ConcurrentHashMap.newKeySet();
    node.close();
    try (TestNode everywhere = new TestNode(archive, InetAddress.getByName("0.0.0.0"))) {
      ForwarderListener listener =
          new ForwarderListener() {
            @Override
            public void connected(SocketAddress peer) {
              tried.add(peer.toString());
            }
          };
      ForwarderOptions options =
          ForwarderOptions.builder()
              .target("name", everywhere.port())
              .maxConnectionAge(Duration.ofMillis(1))
              .build();
      try (Forwarder forwarder =
          Forwarder.start(options, listener, InstantSource.system(), resolver)) {
        await()
            .atMost(LONG)
            .until(() -> {
              forwarder.send(bytes("record"));
              return tried.size() == 2;
            });
      }
    }
  }
}
