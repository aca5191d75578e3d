package io.cordwood.ingest.sender;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.access.Token;
import io.cordwood.common.access.TokenText;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.wire.Labels;
import io.cordwood.ingest.node.Port;
import io.cordwood.ingest.node.RunningNode;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Ports for records, of a node that asks for tokens. */
final class TokensOnPortsTest extends TokensOnPortsFixture {
  @ParameterizedTest
  @EnumSource
  void linesBehindATokenAreTaken(Port port) throws IOException {
    byte[] bytes = joined("CORDWOOD/1 token=" + shop + " topic=shop-1\nan order\n");
    List<Batch> found = sendAndConsume(port, bytes, 1);
    assertThat(found).hasSize(1);
    assertThat(found.getFirst().topic()).isEqualTo(new Topic("shop-1"));
  }

  @ParameterizedTest
  @EnumSource
  void batchesBehindATokenAreTakenWithTheirTopics(Port port) throws IOException {
    byte[] bytes =
        joined("CORDWOOD/1 token=" + shop + "\n", batch("shop-1", "a"), batch("shop-2", "b"));
    assertThat(sendAndConsume(port, bytes, 2).stream().map(Batch::topic))
        .containsExactlyInAnyOrder(new Topic("shop-1"), new Topic("shop-2"));
  }

  @ParameterizedTest
  @EnumSource
  void whatShowsNoTokenIsToldHowTo(Port port) throws IOException {
    String how = "error: expected a first line such as CORDWOOD/1 token=cw_";
    assertThat(send(port, "a line\nanother\n")).startsWith(how);
    assertThat(send(port, "CORDWOOD/1 topic=shop-1\na line\n")).startsWith(how);
    assertThat(send(port, batch("shop-1", "a"))).startsWith(how);
    assertThat(node.log().claims().waiting()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void anotherScopeOrTopicIsRefused(Port port) throws IOException {
    assertThat(send(port, "CORDWOOD/1 token=" + reader + " topic=shop-1\na\n"))
        .isEqualTo(
            "error: expected a token with the scope ingest, found the token reader without\n");
    String topic = "error: expected a topic of the token shop, found other\n";
    assertThat(send(port, "CORDWOOD/1 token=" + shop + " topic=other\na\n")).isEqualTo(topic);
    assertThat(send(port, joined("CORDWOOD/1 token=" + shop + "\n", batch("other", "a"))))
        .isEqualTo(topic);
    assertThat(send(port, "CORDWOOD/1 token=" + shop + "\nof the usual topic\n"))
        .contains("expected a topic of the token shop");
    assertThat(node.log().claims().waiting()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void whoMaySendSomeLabelsSendsNoOthers(Port port) throws IOException {
    String token = "CORDWOOD/1 token=" + narrow;
    byte[] own = batch("any", Labels.of(Map.of("team", "shop", "pod", "a")), "a");
    byte[] other = batch("any", Labels.of(Map.of("team", "pay")), "b");
    String refused = "error: expected labels of the token narrow, found others, named [";
    assertThat(send(port, joined(token + "\n", other))).startsWith(refused);
    assertThat(send(port, joined(token + "\n", batch("any", "none")))).startsWith(refused);
    assertThat(send(port, token + " topic=any\na line\n")).startsWith(refused);
    assertThat(send(port, token + " label.team=pay label.pod=a\na line\n")).startsWith(refused);
    assertThat(node.log().claims().waiting()).isZero();
    assertThat(sendAndConsume(port, joined(token + "\n", own), 1)).hasSize(1);
    byte[] lines = joined(token + " label.pod=a label.team=shop\na line\n");
    assertThat(sendAndConsume(port, lines, 1))
        .allMatch(batch -> batch.labels().pairs().size() == 2);
  }

  @ParameterizedTest
  @EnumSource
  void oddTokensAreRefusedAndNeverShown(Port port) throws IOException {
    var random = new Random(11);
    for (String odd :
        List.of(
            "",
            "cw_",
            shop.substring(1),
            shop + "x",
            shop.replace('c', 'C'),
            TokenText.random(),
            "\u0001\u00ff")) {
      String said = send(port, "CORDWOOD/1 token=" + odd + " topic=shop-1\na\n");
      assertThat(said).startsWith("error: ").doesNotContain(shop.substring(3));
    }
    for (int i = 0; i < 20; i++) {
      byte[] bytes = new byte[random.nextInt(200)];
      random.nextBytes(bytes);
      send(port, joined("CORDWOOD/1 token=", bytes));
    }
    assertThat(send(port, "CORDWOOD/1 token=" + shop + " token=" + shop + "\na\n"))
        .contains("expected one token, found two")
        .doesNotContain(shop);
    assertThat(send(port, "CORDWOOD/1 tokn=" + shop + "\na\n"))
        .startsWith("error: ")
        .doesNotContain(shop);
    assertThat(node.log().claims().waiting()).isZero();
  }

  @Test
  void anOpenNodeTakesLinesWithoutATokenAndRefusesWrongOnes() throws IOException {
    close();
    start(true, Token.NO_RATE, MANY);
    assertThat(send(Port.DURABLE, "a line\n")).isEqualTo("ack 1\n");
    assertThat(send(Port.DURABLE, "CORDWOOD/1 topic=other\na line\n")).isEqualTo("ack 1\n");
    assertThat(send(Port.DURABLE, "CORDWOOD/1 token=" + TokenText.random() + "\na\n"))
        .startsWith("error: ");
  }

  @Test
  void aNodeWithoutTokensTakesWhatShowsOne() throws IOException {
    try (RunningNode free = RunningNode.in(folder.resolve("free"))) {
      assertThat(free.sendDurable(joined("CORDWOOD/1 token=" + shop + " topic=x\na\n")))
          .isEqualTo("ack 1\n");
      assertThat(free.sendDurable(joined("CORDWOOD/1 token=" + shop + "\n", batch("y", "b"))))
          .isEqualTo("ack 1\n");
    }
  }

  @Test
  void refusalsAreCounted() throws IOException {
    send(Port.FAST, "a line\n");
    send(Port.BULK, "a line\n");
    assertThat(node.registry.counter("cordwood_access_refused_total", "reason", "missing").count())
        .isEqualTo(2);
  }
}
