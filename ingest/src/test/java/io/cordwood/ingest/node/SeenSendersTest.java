package io.cordwood.ingest.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who sends to a node, by whatever way, and why others do not. */
class SeenSendersTest extends HttpNodeFixture {
  private List<List<String>> rows() throws Exception {
    return http.get("/cluster/senders")
        .body()
        .lines()
        .skip(1)
        .map(line -> Arrays.asList(line.split("\t", -1)))
        .toList();
  }

  private List<String> row(String port, String topic) throws Exception {
    return rows().stream()
        .filter(row -> row.get(1).equals(port) && row.get(2).equals(topic))
        .findFirst()
        .orElse(List.of());
  }

  @Test
  void eachWayAndTopicIsARow() throws Exception {
    http.node.send("CORDWOOD/1 topic=shop\none\ntwo\n");
    http.node.sendDurable("three\n".getBytes(StandardCharsets.UTF_8));
    http.post("/ingest?topic=web", "four\n".getBytes(StandardCharsets.UTF_8));
    await().until(() -> rows().size() == 3);
    assertThat(row("fast port", "shop").subList(4, 7)).containsExactly("2", "8", "0");
    assertThat(row("durable port", "default").subList(4, 7)).containsExactly("1", "6", "0");
    assertThat(row("/ingest", "web").subList(4, 7)).containsExactly("1", "5", "0");
    assertThat(Double.parseDouble(row("fast port", "shop").get(3))).isPositive();
    assertThat(http.get("/cluster/senders?format=json").body())
        .contains("\"address\":\"127.0.0.1\"", "\"topic\":\"web\"");
  }

  @Test
  void whoIsRefusedIsShownWithTheReason() throws Exception {
    http.node.send("CORDWOOD/1 topics=x\none\n");
    http.post("/ingest", new byte[] {(byte) 0xFC, 0x43, 0x57, 0x42});
    await().until(() -> rows().size() == 2);
    assertThat(row("fast port", "-").get(6)).isEqualTo("1");
    assertThat(row("fast port", "-").get(8)).contains("expected").contains("topics=x");
    assertThat(row("/ingest", "-").get(8)).contains("found batches");
  }

  @Test
  void aThousandAreKept() throws Exception {
    for (int i = 0; i < 1100; i++) {
      http.node.send("CORDWOOD/1 topic=t" + i % 600 + "\nline\n");
    }
    for (int i = 0; i < 500; i++) {
      http.node.sendDurable(
          ("CORDWOOD/1 topic=t" + i + "\nline\n").getBytes(StandardCharsets.UTF_8));
    }
    assertThat(rows()).hasSize(1000);
    assertThat(http.node.counted("senders_forgotten")).isEqualTo(100);
  }
}
