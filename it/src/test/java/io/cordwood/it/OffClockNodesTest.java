package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.agent.follow.FollowLog;
import io.cordwood.agent.follow.FollowOptions;
import io.cordwood.agent.follow.Follower;
import io.cordwood.agent.follow.LabelRule;
import io.cordwood.agent.follow.Multiline;
import io.cordwood.agent.follow.TopicRule;
import io.cordwood.common.file.Filesystem;
import io.cordwood.common.testing.Patience;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.forwarder.Forwarder;
import io.cordwood.forwarder.ForwarderListener;
import io.cordwood.forwarder.ForwarderOptions;
import io.cordwood.forwarder.Target;
import io.cordwood.ingest.node.IngestNode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two real nodes whose clocks differ by days from the sender's, and a connection that loses the
 * acknowledgement: what is sent again, to the other node, is the same to a reader.
 */
final class OffClockNodesTest {
  private static final Duration LONG = Patience.LONG;
  private static final int NOWHERE = -1;

  @TempDir private Path folder;

  private IngestNode node(String name, InstantSource clock) throws IOException {
    return InProcessNode.startIngest(
        folder.resolve(name), Filesystem.real(), new SimpleMeterRegistry(), clock);
  }

  private static InstantSource ahead(int days) {
    return InstantSource.offset(InstantSource.system(), Duration.ofDays(days));
  }

  private static Forwarder forwarder(int port) {
    ForwarderOptions options =
        ForwarderOptions.builder()
            .target(new Target("127.0.0.1", port))
            .backoff(Duration.ofMillis(1), Duration.ofMillis(20))
            .build();
    return Forwarder.start(options, ForwarderListener.NONE);
  }

  /** What a reader of both nodes finds. */
  private Collection<String> found() throws IOException {
    Map<Ulid, String> found = InProcessNode.recovered(folder.resolve("first"));
    found.putAll(InProcessNode.recovered(folder.resolve("second")));
    return found.values();
  }

  @ParameterizedTest
  @ValueSource(ints = {-3, 3})
  void whatAnotherNodeIsSentAgainIsThereOnce(int days) throws IOException {
    try (IngestNode first = node("first", ahead(days));
        IngestNode second = node("second", ahead(days));
        var relay = new Relay(first.durablePort(), second.durablePort());
        Forwarder forwarder = forwarder(relay.port())) {
      forwarder.send("record".getBytes(StandardCharsets.US_ASCII));
      assertThat(forwarder.flush(LONG).isNothing()).isTrue();
      assertThat(relay.forgotten).hasValue(1);
    }
    assertThat(found()).containsExactly("record");
  }

  /** What the first run had planned is sent again by the second. */
  @ParameterizedTest
  @ValueSource(ints = {-3, 3})
  void linesOfAFileThatANextRunSendsAgainAreThereOnce(int days) throws Exception {
    Path file = Files.writeString(folder.resolve("shop.log"), "one\ntwo\n");
    try (IngestNode first = node("first", ahead(days));
        IngestNode second = node("second", ahead(days));
        var relay = new Relay(first.durablePort(), NOWHERE)) {
      try (Forwarder forwarder = forwarder(relay.port());
          Follower follower = follower(file, forwarder)) {
        relay.onForgotten = follower::stop;
        assertThat(follower.run()).isFalse();
        forwarder.close(Duration.ZERO);
      }
      try (Forwarder forwarder = forwarder(second.durablePort());
          Follower follower = follower(file, forwarder)) {
        assertThat(follower.run()).isTrue();
      }
    }
    assertThat(InProcessNode.recovered(folder.resolve("second"))).hasSize(2);
    assertThat(found()).containsExactly("one", "two");
  }

  private Follower follower(Path file, Forwarder forwarder) throws IOException {
    return Follower.open(
        new FollowOptions(
            List.of(file.toString()),
            folder.resolve("checkpoint"),
            TopicRule.template("shop"),
            LabelRule.NONE,
            FollowOptions.Reading.of(Multiline.NONE),
            true,
            1 << 24),
        forwarder,
        new FollowLog(_ -> {}));
  }

  /**
   * Passes a first connection on to one node up to its first acknowledgement, which it keeps to
   * itself, and later ones to another node, or nowhere.
   */
  private static final class Relay implements AutoCloseable {
    private final ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
    private final int first;
    private final int later;
    final AtomicInteger forgotten = new AtomicInteger();
    volatile Runnable onForgotten = () -> {};

    Relay(int first, int later) throws IOException {
      this.first = first;
      this.later = later;
      Thread.ofVirtual().start(this::accept);
    }

    int port() {
      return server.getLocalPort();
    }

    private void accept() {
      try {
        pass(server.accept(), first, true);
        while (true) {
          pass(server.accept(), later, false);
        }
      } catch (IOException e) {
        // The test is over.
      }
    }

    private void pass(Socket sender, int port, boolean forgets) throws IOException {
      if (port == NOWHERE) {
        sender.close();
        return;
      }
      Socket node = new Socket(InetAddress.getLoopbackAddress(), port);
      Thread.ofVirtual()
          .start(() -> {
            try (sender;
                node) {
              sender.getInputStream().transferTo(node.getOutputStream());
            } catch (IOException e) {
              // One side is gone.
            }
          });
      try (sender;
          node) {
        var answers =
            new BufferedReader(
                new InputStreamReader(node.getInputStream(), StandardCharsets.US_ASCII));
        for (String line = answers.readLine(); line != null; line = answers.readLine()) {
          if (forgets && line.startsWith("ack ")) {
            forgotten.incrementAndGet();
            onForgotten.run();
            return;
          }
          sender.getOutputStream().write((line + "\n").getBytes(StandardCharsets.US_ASCII));
        }
      } catch (IOException e) {
        // The sender is gone.
      }
    }

    @Override
    public void close() throws IOException {
      server.close();
    }
  }
}
