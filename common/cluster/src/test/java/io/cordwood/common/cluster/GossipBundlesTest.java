package io.cordwood.common.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.scalecube.cluster.transport.api.Message;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

final class GossipBundlesTest {
  private final GossipCodec codec = new GossipCodec();
  private final List<String> sent = new ArrayList<>();
  private final List<String> outcomes = new ArrayList<>();
  private final List<Runnable> later = new ArrayList<>();
  private final GossipBundles bundles = new GossipBundles(this::sending, later::add);

  private void sending(String address, Message message, MonoSink<Void> done) {
    if (address.equals("away")) {
      done.error(new IOException("nobody there"));
      return;
    }
    boolean gossip = message.qualifier().equals(MessageKind.GOSSIP.qualifier());
    sent.add(address + (gossip ? incarnations(message) : " " + message.qualifier()));
    done.success();
  }

  /** Those of the news in a request, in their order, each with a space before it. */
  private static String incarnations(Message request) {
    return PeerClasses.gossips(request).stream()
        .map(gossip -> gossip.toString().replaceAll("(?s).*inc: (\\d+).*", " $1"))
        .reduce("", String::concat);
  }

  private Message gossip(int incarnation) throws IOException {
    return gossip("a", "host-a:7659", incarnation);
  }

  private Message gossip(String text, String address, int incarnation) throws IOException {
    Frames frame = new Frames().u8(1).u8(6).text("").text(address).u8(9).i32(1);
    frame.u8(8).text(text).u8(7).u8(4).u8(1).text(text).text(address).text(text);
    byte[] body = frame.u8(2).u8(0).i32(incarnation).i64(1).text(text).body();
    return codec.deserialize(new ByteArrayInputStream(body));
  }

  private void send(String address, Message message) {
    Mono.<Void>create(done -> bundles.send(address, message, done))
        .subscribe(null, failure -> outcomes.add(failure.getMessage()), () -> outcomes.add("sent"));
  }

  private void letTimePass() {
    List<Runnable> due = List.copyOf(later);
    later.clear();
    due.forEach(Runnable::run);
  }

  @Test
  void gossipsToOneAddressGoTogetherInTheirOrder() throws IOException {
    send("x", gossip(1));
    send("y", gossip(2));
    send("x", gossip(3));
    send("x", gossip(4));
    assertThat(later).hasSize(1);
    assertThat(sent).isEmpty();
    assertThat(outcomes).isEmpty();

    letTimePass();
    assertThat(sent).containsExactly("x 1 3 4", "y 2");
    assertThat(outcomes).containsExactly("sent", "sent", "sent", "sent");

    send("x", gossip(5));
    letTimePass();
    assertThat(sent).endsWith("x 5");
  }

  @Test
  void aPieceOfNewsGoesOnceThoughTheNodeHasItTwice() throws IOException {
    send("x", gossip(1));
    send("x", gossip(2));
    send("x", gossip(1));
    letTimePass();
    assertThat(sent).containsExactly("x 1 2");
    assertThat(outcomes).containsExactly("sent", "sent", "sent");
  }

  @Test
  void aBundleHasTheSenderOfItsGossips() throws IOException {
    Message bundle = PeerClasses.bundle(List.of(gossip(1), gossip(2)));
    assertThat(bundle.sender()).isEqualTo("host-a:7659");
    assertThat(bundle.correlationId()).isNull();
    Message again = writtenAndRead(bundle);
    assertThat(again.sender()).isEqualTo("host-a:7659");
    assertThat(again.<Object>data().toString()).isEqualTo(bundle.<Object>data().toString());
  }

  @Test
  void otherMessagesFollowTheGossipsOfBeforeAtOnce() throws IOException {
    Message ping = Message.fromQualifier(MessageKind.PING.qualifier());
    send("x", gossip(1));
    send("y", gossip(2));
    send("x", ping);
    assertThat(sent).containsExactly("x 1", "x " + ping.qualifier());
    letTimePass();
    assertThat(sent).endsWith("y 2");
  }

  @Test
  void whatAFrameMayNotHoldGoesInAnotherOne() throws IOException {
    int most = GossipInput.MOST_GOSSIPS;
    for (int i = 0; i <= most; i++) {
      send("x", gossip(i));
    }
    assertThat(sent)
        .containsExactly(
            IntStream.range(0, most).mapToObj(i -> " " + i).reduce("x", String::concat));
    letTimePass();
    assertThat(sent).hasSize(2).endsWith("x " + most);
  }

  @Test
  void theLongestGossipsFitAndAFrameIsNeverLonger() throws IOException {
    String text = "t".repeat(GossipInput.MAX_TEXT_CHARS);
    String address = "h".repeat(253) + ":7659";
    List<Message> longest = new ArrayList<>();
    for (int i = 0; i < 2 * GossipInput.MOST_GOSSIPS; i++) {
      longest.add(gossip(text, address, GossipInput.MAX_INCARNATION - i));
    }
    Message full = PeerClasses.bundle(longest.subList(0, GossipInput.MOST_GOSSIPS));
    assertThat(PeerClasses.gossips(writtenAndRead(full))).hasSize(GossipInput.MOST_GOSSIPS);

    Message beyond = PeerClasses.bundle(longest);
    assertThatThrownBy(() -> writtenAndRead(beyond))
        .isInstanceOf(GossipFormatException.class)
        .hasMessageContaining("a frame has 65536");
  }

  @Test
  void eachGossipIsToldThatItsBundleFailed() throws IOException {
    send("away", gossip(1));
    send("away", gossip(2));
    letTimePass();
    assertThat(outcomes).containsExactly("nobody there", "nobody there");
  }

  private Message writtenAndRead(Message message) throws IOException {
    var body = new ByteArrayOutputStream();
    codec.serialize(message, body);
    return codec.deserialize(new ByteArrayInputStream(body.toByteArray()));
  }
}
