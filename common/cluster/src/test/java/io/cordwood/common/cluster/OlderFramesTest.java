package io.cordwood.common.cluster;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.scalecube.cluster.transport.api.Message;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * What an older build wrote and read, which knew neither {@link GossipBundles} nor {@link
 * NewsName}: {@code older-frames.txt} says which one.
 */
final class OlderFramesTest {
  private static final String GOSSIP = MessageKind.GOSSIP.qualifier();

  private record Recorded(String name, byte[] body) {}

  private static List<Recorded> recorded() throws IOException {
    try (InputStream file = OlderFramesTest.class.getResourceAsStream("older-frames.txt")) {
      return new String(Objects.requireNonNull(file).readAllBytes(), US_ASCII)
          .lines()
          .filter(line -> !line.startsWith("#"))
          .map(line -> line.split(" "))
          .map(parts -> new Recorded(parts[0], HexFormat.of().parseHex(parts[1])))
          .toList();
    }
  }

  private static List<Recorded> recorded(String name) throws IOException {
    return recorded().stream().filter(each -> each.name.equals(name)).toList();
  }

  private static Message read(Recorded recorded) throws IOException {
    return new GossipCodec().deserialize(new ByteArrayInputStream(recorded.body));
  }

  private static byte[] written(Message message) throws IOException {
    var body = new ByteArrayOutputStream();
    new GossipCodec().serialize(message, body);
    return body.toByteArray();
  }

  @Test
  void itsFramesAreReadAndAllButGossipsAreWrittenAsItWroteThem() throws IOException {
    List<String> kinds = new ArrayList<>();
    for (Recorded each : recorded()) {
      Message message = read(each);
      if (!each.name.equals(GOSSIP)) {
        assertThat(written(message)).as(each.name).isEqualTo(each.body);
      }
      kinds.add(message.qualifier());
    }
    assertThat(kinds).contains(MessageKind.SYNC_ACK.qualifier(), MessageKind.PING.qualifier());
  }

  @Test
  void itsGossipsAreReadAsTheNewsThatTheyAreAndAsLongAsTheyWere() throws IOException {
    List<String> news = new ArrayList<>();
    for (Recorded each : recorded(GOSSIP)) {
      Message message = read(each);
      assertThat(written(message)).hasSameSizeAs(each.body);
      news.addAll(PeerClasses.gossips(message).stream().map(Object::toString).toList());
    }
    assertThat(news).hasSize(2);
    assertThat(news.get(0)).contains("gossiperId='c69c8f6a-", "s: ALIVE, inc: 0");
    assertThat(news.get(1)).contains("gossiperId='f741dfda-", "s: ALIVE, inc: 0");
  }

  @Test
  void aBundleHasTheBytesThatItReadAndWroteAgain() throws IOException {
    var gossips = new ArrayList<Message>();
    for (Recorded each : recorded(GOSSIP)) {
      gossips.add(read(each));
    }
    byte[] bundle = recorded("bundle").getFirst().body;
    assertThat(written(PeerClasses.bundle(gossips))).isEqualTo(bundle);
    assertThat(PeerClasses.gossips(read(recorded("bundle").getFirst()))).hasSize(2);
  }
}
