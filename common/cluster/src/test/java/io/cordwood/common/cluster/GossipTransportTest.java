package io.cordwood.common.cluster;

import static io.cordwood.common.cluster.Nodes.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.net.HostPort;
import io.cordwood.common.testing.Patience;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.scalecube.cluster.transport.api.Message;
import io.scalecube.cluster.transport.api.MessageCodec;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/**
 * Two transports on real sockets. A node that passed on a message too early would never hear of the
 * member who sent it.
 */
final class GossipTransportTest {
  private static final int THOUSAND = 1100;
  private static final int SENT_AT_ONCE = 50;

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
    return bind(registry, HostPort::resolve);
  }

  private static GossipTransport bind(SimpleMeterRegistry registry, Resolver resolver)
      throws IOException {
    return bind(registry, resolver, new Words());
  }

  private static GossipTransport bind(
      SimpleMeterRegistry registry, Resolver resolver, MessageCodec codec) throws IOException {
    return new GossipTransport(
        new HostPort("127.0.0.1", 0),
        codec,
        resolver,
        new Handshake("test", ClusterKeys.NONE),
        Optional.empty(),
        GossipMetrics.in(registry));
  }

  @AfterEach
  void stop() {
    silent.stop().block(Patience.LONG);
    caller.stop().block(Patience.LONG);
  }

  private void call(String word) {
    caller.send(silent.address(), Message.fromQualifier(word)).block(Patience.LONG);
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

  /** All live at one address, under names of their own: only connections are counted. */
  @Test
  void aNodeThatTalksToAThousandKeepsFewConnectionsAndLosesNoMessage() throws IOException {
    silent.hear();
    SimpleMeterRegistry counted = new SimpleMeterRegistry();
    HostPort all = HostPort.parse(silent.address(), 0);
    GossipTransport talker = bind(counted, _ -> all.resolve());
    try {
      for (int i = 0; i < THOUSAND; i += SENT_AT_ONCE) {
        List<Mono<Void>> sent = new ArrayList<>();
        for (int j = i; j < i + SENT_AT_ONCE; j++) {
          sent.add(talker.send("node-" + j + ".test:7659", Message.fromQualifier("to " + j)));
        }
        Mono.when(sent).block(Patience.LONG);
      }
      eventually().until(() -> heard.size() == THOUSAND);
    } finally {
      talker.stop().block(Patience.LONG);
    }
    assertThat(new HashSet<>(heard)).hasSize(THOUSAND);
    assertThat(count(counted, "sends.refused")).isZero();
    assertThat(count(registry, "connections.refused")).isZero();
    assertThat(count(counted, "connections.replaced")).isEqualTo(THOUSAND - PeerLinks.MAX_LINKS);
  }

  @Test
  void gossipsToOneAddressArriveInFewFramesInTheirOrder() throws IOException {
    SimpleMeterRegistry counted = new SimpleMeterRegistry();
    GossipCodec codec = new GossipCodec();
    GossipTransport listener = bind(counted, HostPort::resolve, codec);
    GossipTransport talker = bind(new SimpleMeterRegistry(), HostPort::resolve, codec);
    List<String> read = new CopyOnWriteArrayList<>();
    listener.listen().subscribe(message -> read.add(message.<Object>data().toString()));
    listener.hear();
    try {
      List<Mono<Void>> sent = new ArrayList<>();
      for (int i = 0; i < GossipInput.MOST_GOSSIPS; i++) {
        Frames frame = Frames.head(6).u8(9).i32(1).gossip("a", 1, "a", 0, i).text("from");
        Message gossip = codec.deserialize(new ByteArrayInputStream(frame.body()));
        sent.add(talker.send(listener.address(), gossip));
      }
      Mono.when(sent).block(Patience.LONG);
      List<Integer> all = IntStream.range(0, GossipInput.MOST_GOSSIPS).boxed().toList();
      eventually().untilAsserted(() -> assertThat(incarnations(read)).isEqualTo(all));
      assertThat(count(counted, "frames.received")).isLessThan(all.size() / 2.0);
    } finally {
      talker.stop().block(Patience.LONG);
      listener.stop().block(Patience.LONG);
    }
  }

  private static List<Integer> incarnations(List<String> read) {
    return Pattern.compile("inc: (\\d+)")
        .matcher(String.join(" ", read))
        .results()
        .map(found -> Integer.valueOf(found.group(1)))
        .toList();
  }

  private static double count(SimpleMeterRegistry registry, String name) {
    return registry.get("cordwood.cluster." + name).counter().count();
  }

  @Test
  void whoSpeaksHears() {
    callTwiceUnheard();
    silent.send(caller.address(), Message.fromQualifier("hello")).block(Patience.LONG);
    call("third");

    eventually().until(() -> heard.contains("third"));
    assertThat(heard).doesNotContain("first");
  }
}
