package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.net.FreePorts;
import io.cordwood.query.Answer;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a node that has just been started says of answers, whoever else is there. {@code
 * -Dcordwood.restarts=N} for more of them.
 */
final class RestartedNodeIT {
  private static final int NODES = 3;
  private static final int RECORDS = 500;
  private static final int RESTARTS = Integer.getInteger("cordwood.restarts", 3);

  @TempDir private Path folder;
  private final List<Integer> gossip = new ArrayList<>();
  private final List<NodeProcess> nodes = new ArrayList<>();
  private int sent;

  @BeforeEach
  void start() throws IOException {
    for (int i = 0; i < NODES; i++) {
      gossip.add(FreePorts.next());
    }
    for (int i = 0; i < NODES; i++) {
      nodes.add(start(i));
    }
    for (NodeProcess node : nodes) {
      await().until(() -> isComplete(answer(node)));
      send(node);
    }
  }

  @AfterEach
  void stop() {
    nodes.forEach(NodeProcess::close);
  }

  private NodeProcess start(int number) throws IOException {
    List<String> flags =
        new ArrayList<>(List.of("--gossip-profile=local", "--gossip-port=" + gossip.get(number)));
    gossip.forEach(port -> flags.add("--peer=127.0.0.1:" + port));
    return NodeProcess.start(folder.resolve("n" + number), flags.toArray(String[]::new));
  }

  private void send(NodeProcess node) throws IOException {
    var lines = new StringBuilder();
    IntStream.range(0, RECORDS).forEach(_ -> lines.append("record ").append(sent++).append('\n'));
    node.send(lines.toString());
    node.awaitCount("record", sent);
  }

  private static HttpResponse<String> answer(NodeProcess node) throws IOException {
    String found = URLEncoder.encode("record", StandardCharsets.UTF_8);
    return node.request("GET", "/query?format=json&q=" + found);
  }

  private static boolean isComplete(HttpResponse<String> answer) {
    return answer.body().contains("\"verdict\":\"complete\"");
  }

  private static long records(HttpResponse<String> answer) {
    return answer.body().lines().filter(line -> line.contains("\"record\":")).count();
  }

  @Test
  void isSaidToMissWhoDidNotComeBack() throws IOException {
    int before = sent;
    nodes.get(2).send("record of the third\n");
    await()
        .until(() -> nodes.get(2).metric("cordwood_ingest_records_received_total") == RECORDS + 1);
    nodes.forEach(NodeProcess::kill);
    nodes.set(0, start(0));
    nodes.set(1, start(1));
    for (NodeProcess node : nodes.subList(0, 2)) {
      HttpResponse<String> answer = answer(node);
      assertThat(isComplete(answer)).as(answer.body()).isFalse();
      Answer page = Answer.get(node.apiPort(), "/read?limit=100000");
      assertThat(page.field("settled-ulid")).as("a reader would skip what is missing").isNull();
      assertThat(records(answer)).isLessThanOrEqualTo(before + 1);
    }
    nodes.set(2, start(2));
    for (NodeProcess node : nodes) {
      HttpResponse<String> whole = await().until(() -> answer(node), RestartedNodeIT::isComplete);
      assertThat(records(whole)).isEqualTo(before + 1);
    }
  }

  @Test
  void whatIsFoundRightAfterAStartIsAllOrSaidToLackSomething() throws IOException {
    for (int restart = 0; restart < RESTARTS; restart++) {
      int number = restart % NODES;
      nodes.get(number).kill();
      nodes.set(number, start(number));
      HttpResponse<String> answer = answer(nodes.get(number));
      assertThat(isComplete(answer) ? records(answer) : sent)
          .as("restart %d: %s", restart, answer.body())
          .isEqualTo(sent);
      send(nodes.get((number + 1) % NODES));
    }
  }
}
