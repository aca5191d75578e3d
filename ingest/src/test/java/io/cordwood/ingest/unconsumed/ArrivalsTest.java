package io.cordwood.ingest.unconsumed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.segment.ArrivalSource;
import io.cordwood.common.segment.ArrivalSource.Arrived;
import io.cordwood.common.segment.ArrivalSource.Follower;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.Block;
import io.cordwood.ingest.node.RunningNode;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What those who follow an ingest node are given. */
final class ArrivalsTest {
  @TempDir private Path folder;

  private static ArrivalSource arrivals(RunningNode node) {
    return node.node.unconsumed().arrivals().orElseThrow();
  }

  /** Takes until a text was given that long. */
  private static String take(Follower follower, int chars) throws Exception {
    var text = new StringBuilder();
    long end = System.nanoTime() + RunningNode.PATIENCE.toNanos();
    while (text.length() < chars && System.nanoTime() < end) {
      for (Block block : follower.await(Duration.ofMillis(50)).blocks()) {
        for (Batch batch : block.toBatches()) {
          text.append(RunningNode.text(List.of(batch)));
        }
      }
    }
    return text.toString();
  }

  private static void write(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void onlyWhatCameBehindTheBeginningIsGivenAndAllOfThatOnce() throws Exception {
    try (RunningNode node = RunningNode.in(folder);
        Socket socket = node.connect()) {
      write(socket, "before\n");
      await().until(() -> node.counted("records_stored") == 1);
      try (Follower follower = arrivals(node).follow()) {
        write(socket, "one\ntwo\n");
        assertThat(take(follower, 8)).isEqualTo("one\ntwo\n");
        node.send("of another\n");
        assertThat(take(follower, 11)).isEqualTo("of another\n");
        node.consume(4);
        write(socket, "three\n");
        assertThat(take(follower, 6)).isEqualTo("three\n");
        write(socket, "four\n");
        assertThat(take(follower, 1)).as("nothing once more").isEqualTo("four\n");
      }
    }
  }

  @Test
  void durableLinesAreGivenToAllWhoFollow() throws Exception {
    try (RunningNode node = RunningNode.in(folder);
        Follower one = arrivals(node).follow();
        Follower other = arrivals(node).follow()) {
      node.sendDurable("kept\n".getBytes(StandardCharsets.UTF_8));
      assertThat(take(one, 5)).isEqualTo("kept\n");
      assertThat(take(other, 5)).isEqualTo("kept\n");
    }
  }

  @Test
  void whoIsSlowIsToldHowManyRecordsHeMissed() throws Exception {
    String line = "x".repeat(999) + "\n";
    int lines = Arrivals.HELD_BYTES / line.length() + 20_000;
    try (RunningNode node = RunningNode.in(folder);
        Follower slow = arrivals(node).follow();
        Follower quick = arrivals(node).follow()) {
      Thread sender = Thread.ofVirtual().start(() -> sendAll(node, line, lines));
      long seen = 0;
      while (seen < lines) {
        Arrived arrived = quick.await(Duration.ofSeconds(5));
        seen += arrived.missed() + records(arrived);
      }
      sender.join();
      long given = 0;
      long missed = 0;
      while (given + missed < lines) {
        Arrived arrived = slow.await(RunningNode.PATIENCE);
        assertThat(arrived.blocks()).isNotEmpty();
        missed += arrived.missed();
        given += records(arrived);
      }
      assertThat(missed).isPositive();
      assertThat(given + missed).isEqualTo(lines);
      assertThat(given * line.length()).isLessThanOrEqualTo(Arrivals.HELD_BYTES);
    }
  }

  private static long records(Arrived arrived) {
    return arrived.blocks().stream().mapToLong(Block::records).sum();
  }

  private static void sendAll(RunningNode node, String line, int lines) {
    try (Socket socket = node.connect()) {
      byte[] hundred = line.repeat(100).getBytes(StandardCharsets.UTF_8);
      for (int i = 0; i < lines / 100; i++) {
        socket.getOutputStream().write(hundred);
      }
      write(socket, line.repeat(lines % 100));
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @Test
  void nothingIsReadWhileNobodyFollows() throws Exception {
    try (RunningNode node = RunningNode.in(folder)) {
      try (Follower follower = arrivals(node).follow()) {
        node.send("one\n");
        assertThat(take(follower, 4)).isEqualTo("one\n");
        // Those of nodes that were closed before may take a moment to end.
        await().until(() -> threads() == 1);
      }
      await().until(() -> threads() == 0);
    }
  }

  private static long threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("arrivals"))
        .count();
  }

  @Test
  void whoFollowsLearnsThatTheNodeStops() throws Exception {
    RunningNode node = RunningNode.in(folder);
    try (Follower follower = arrivals(node).follow()) {
      node.close();
      assertThatThrownBy(() -> follower.await(Duration.ofSeconds(5)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("stops");
      assertThatThrownBy(() -> arrivals(node).follow()).isInstanceOf(IOException.class);
    }
  }
}
