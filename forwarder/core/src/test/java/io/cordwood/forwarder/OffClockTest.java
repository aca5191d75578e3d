package io.cordwood.forwarder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.forwarder.TestNode.Behaviour;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A forwarder whose clock is wrong: what it sends again is the same, and no node stamps it anew.
 */
final class OffClockTest extends NodeFixture {
  private static final long NEAR_MILLIS = Duration.ofHours(1).toMillis();

  private final List<Duration> said = new CopyOnWriteArrayList<>();
  private final ForwarderListener listener =
      new ForwarderListener() {
        @Override
        public void clockIsOff(Target node, Duration ahead) {
          said.add(ahead);
        }
      };

  private volatile Duration ahead = Duration.ZERO;
  private final InstantSource wall = () -> InstantSource.system().instant().plus(ahead);

  private Forwarder start(ForwarderOptions.Builder options, ForwarderListener hearing) {
    return Forwarder.start(options.build(), hearing, wall, InetAddress::getAllByName);
  }

  private void assertTimesAreNear(Duration expected) {
    long now = System.currentTimeMillis() + expected.toMillis();
    assertThat(archive.batches())
        .isNotEmpty()
        .allMatch(batch -> Math.abs(batch.millis() - now) < NEAR_MILLIS);
  }

  private static List<String> numbered(int count) {
    return IntStream.range(0, count).mapToObj(i -> "record " + i).toList();
  }

  private void sendAndFlush(Forwarder forwarder, int from, int to) {
    IntStream.range(from, to).forEach(i -> forwarder.send(bytes("record " + i)));
    flush(forwarder);
  }

  @ParameterizedTest
  @ValueSource(ints = {-365, -2, 2, 20_000})
  void whatIsSentAgainIsTheSameThoughTheClockIsDaysOff(int days) {
    ahead = Duration.ofDays(days);
    node.behaviour = Behaviour.LEAVE;
    try (Forwarder forwarder = start(options(), listener)) {
      forwarder.send(bytes("record 0"));
      await().atMost(LONG).until(() -> archive.duplicates() > 2);
      node.behaviour = Behaviour.ACK;
      sendAndFlush(forwarder, 1, 20);
      assertThat(forwarder.clock().millis()).isBetween(0L, System.currentTimeMillis());
    }
    assertThat(archive.records()).isEqualTo(numbered(20));
    assertTimesAreNear(Duration.ZERO);
    assertThat(said).isNotEmpty().allMatch(off -> off.minus(ahead).abs().toHours() < 1);
  }

  @ParameterizedTest
  @ValueSource(ints = {-2, 2})
  void clockThatJumpsByDaysChangesNoTime(int days) {
    try (Forwarder forwarder = start(options(), listener)) {
      sendAndFlush(forwarder, 0, 5);
      ahead = Duration.ofDays(days);
      sendAndFlush(forwarder, 5, 10);
      ahead = Duration.ZERO;
      sendAndFlush(forwarder, 10, 15);
    }
    assertThat(archive.records()).isEqualTo(numbered(15));
    assertTimesAreNear(Duration.ZERO);
  }

  @Test
  void whatCameBeforeTheFirstNodeWasThereIsStampedByItsTime() throws IOException {
    ahead = Duration.ofDays(-3);
    node.close();
    try (Forwarder forwarder = start(options(), listener)) {
      assertThat(forwarder.knowsTime()).isFalse();
      forwarder.send(bytes("record 0"));
      startNodeAgain();
      sendAndFlush(forwarder, 1, 3);
      assertThat(forwarder.knowsTime()).isTrue();
    }
    assertThat(archive.records()).isEqualTo(numbered(3));
    assertTimesAreNear(Duration.ZERO);
  }

  @Test
  void clockThatIsHoursOffIsBelieved() {
    ahead = Duration.ofHours(-7);
    try (Forwarder forwarder = start(options(), listener)) {
      sendAndFlush(forwarder, 0, 5);
    }
    assertTimesAreNear(ahead);
    assertThat(said).isEmpty();
  }

  @Test
  void nodeThatTellsNoTimeIsSentTo() {
    ahead = Duration.ofDays(2);
    node.behaviour = Behaviour.WITHOUT_CLOCK;
    try (Forwarder forwarder = start(options(), listener)) {
      sendAndFlush(forwarder, 0, 5);
      assertThat(forwarder.knowsTime()).isTrue();
    }
    assertThat(archive.records()).isEqualTo(numbered(5));
    assertTimesAreNear(ahead);
  }

  /** A node may have them already. */
  @Test
  void recordsThatWaitedForDaysKeepTheirTime(@TempDir Path folder) throws IOException {
    spool(folder, Duration.ofDays(-3));
    try (Forwarder next = start(spooling(folder), listener)) {
      await().atMost(LONG).until(() -> next.counters().acknowledged() == 1);
    }
    assertThat(archive.records()).isEqualTo(numbered(1));
    assertTimesAreNear(Duration.ofDays(-3));
    assertThat(said).isEmpty();
  }

  @Test
  void recordsOfTheFutureAreStampedByTheirSenderAlone(@TempDir Path folder) throws IOException {
    spool(folder, Duration.ofDays(3));
    node.behaviour = Behaviour.LEAVE;
    try (Forwarder next = start(spooling(folder), listener)) {
      await().atMost(LONG).until(() -> archive.duplicates() > 2);
      node.behaviour = Behaviour.ACK;
      await().atMost(LONG).until(() -> next.counters().acknowledged() == 1);
    }
    assertThat(archive.records()).isEqualTo(numbered(1));
    assertTimesAreNear(Duration.ZERO);
  }

  private ForwarderOptions.Builder spooling(Path folder) {
    return options()
        .windowBytes(ForwarderOptions.MIN_WINDOW_WITH_SPOOL_BYTES)
        .spool(new SpoolOptions(folder, 1 << 24));
  }

  private void spool(Path folder, Duration off) throws IOException {
    node.close();
    ahead = off;
    Forwarder forwarder = start(spooling(folder), ForwarderListener.NONE);
    forwarder.send(bytes("record 0"));
    assertThat(forwarder.close(Duration.ZERO, LONG).isNothing()).isTrue();
    ahead = Duration.ZERO;
    startNodeAgain();
  }
}
