package io.cordwood.common.cluster;

import static io.cordwood.common.cluster.Nodes.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.net.HostPort;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.scalecube.cluster.transport.api.Message;
import io.scalecube.cluster.transport.api.MessageCodec;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Two transports on real sockets. A node that passed on a message too early would never hear of the
 * member who sent it.
 */
final class GossipTransportTest {
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final List<String> heard = new CopyOnWriteArrayList<>();
  private GossipTransport silent;
  private GossipTransport caller;

  /** Messages that are their text. */
  private static final class Words implements MessageCodec {
    @Override
    public Message deserialize(InputStream stream) throws IOException {
      return Message.fromQualifier(new String(stream.readAllBytes(), StandardCharsets.UTF_8));
    }

    @Override
    public void serialize(Message message, OutputStream stream) throws IOException {
      stream.write(message.qualifier().getBytes(StandardCharsets.UTF_8));
    }
  }

  @BeforeEach
  void bind() throws IOException {
    silent = bind(registry);
    caller = bind(new SimpleMeterRegistry());
    silent.listen().subscribe(message -> heard.add(message.qualifier()));
  }

  private static GossipTransport bind(SimpleMeterRegistry registry) throws IOException {
    return new GossipTransport(
        new HostPort("127.0.0.1", 0),
        new Words(),
        HostPort::resolve,
        new Handshake("test", ClusterKeys.NONE),
        Optional.empty(),
        GossipMetrics.in(registry));
  }

  @AfterEach
  void stop() {
    silent.stop().block(Duration.ofSeconds(10));
    caller.stop().block(Duration.ofSeconds(10));
  }

  private void call(String word) {
    caller.send(silent.address(), Message.fromQualifier(word)).block(Duration.ofSeconds(10));
  }

  /** Both have arrived, so that the first is dealt with. */
  private void callTwiceUnheard() {
    call("first");
    call("second");
    eventually()
        .until(() -> registry.get("cordwood.cluster.frames.received").counter().count() == 2);
  }

  @Test
  void whoHasNotSpokenHearsNothingUntilTold() {
    callTwiceUnheard();
    silent.hear();
    call("third");

    eventually().until(() -> heard.contains("third"));
    assertThat(heard).doesNotContain("first");
  }

  @Test
  void whoSpeaksHears() {
    callTwiceUnheard();
    silent.send(caller.address(), Message.fromQualifier("hello")).block(Duration.ofSeconds(10));
    call("third");

    eventually().until(() -> heard.contains("third"));
    assertThat(heard).doesNotContain("first");
  }
}
