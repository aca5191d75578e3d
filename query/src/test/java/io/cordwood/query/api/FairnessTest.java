package io.cordwood.query.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.query.Answer;
import io.cordwood.query.GatedSource;
import io.cordwood.query.TestCluster;
import io.cordwood.query.TestCluster.Node;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What queries take from each other, and when they end; counted in blocks, not in time. */
final class FairnessTest {
  /** Scan threads of a node of this test. */
  private static final int THREADS = 2;

  private static final String COUNT_OF_LARGE = "/query?topic=large&q=record&count=true";

  /** Blocks that a query lets be scanned ahead. */
  private static final int AHEAD = 4 * THREADS;

  private final TestCluster cluster = new TestCluster(1);
  private final List<Socket> clients = new ArrayList<>();
  private final List<GatedSource> sources = new ArrayList<>();

  @AfterEach
  void stop() throws IOException {
    sources.forEach(GatedSource::letAll);
    for (Socket client : clients) {
      client.close();
    }
    cluster.close();
  }

  private GatedSource source(int blocks) throws IOException {
    return source(blocks, 1);
  }

  private GatedSource source(int blocks, int others) throws IOException {
    var source = new GatedSource(blocks, others);
    sources.add(source);
    return source;
  }

  private static double gauge(Node node, String name) {
    return node.meters.get(name).gauge().value();
  }

  private static double count(Node node, String name) {
    return node.meters.get(name).counter().count();
  }

  private Socket ask(Node node, String path) throws IOException {
    var client = new Socket(InetAddress.getLoopbackAddress(), node.port());
    clients.add(client);
    String request = "GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n";
    client.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    return client;
  }

  static CompletableFuture<Answer> asked(Node node, String path) {
    var answer = new CompletableFuture<Answer>();
    Thread.ofVirtual()
        .start(() -> {
          try {
            answer.complete(node.get(path));
          } catch (IOException e) {
            answer.completeExceptionally(e);
          }
        });
    return answer;
  }

  /** Both threads are busy with the large one, and all that it may have ahead waits. */
  private static void awaitBusy(GatedSource source, Node node) {
    await().until(() -> source.begun() == THREADS);
    await().until(() -> gauge(node, "cordwood.query.scans.waiting") == AHEAD - THREADS);
  }

  private static CompletableFuture<Answer> askedAndBusy(Node node, GatedSource source) {
    CompletableFuture<Answer> large = asked(node, COUNT_OF_LARGE);
    awaitBusy(source, node);
    return large;
  }

  @Test
  void aSmallQueryIsNotStuckBehindALargeOne() throws IOException {
    var source = source(1000, 5);
    Node node = cluster.store("store", source);
    CompletableFuture<Answer> large = askedAndBusy(node, source);
    CompletableFuture<Answer> small = asked(node, "/query?topic=small&q=small&count=true");
    await().until(() -> gauge(node, "cordwood.query.scans.waiting") == AHEAD - THREADS + 1);
    source.let(THREADS);
    assertThat(small.join().text()).isEqualTo("5\n");
    assertThat(source.begun()).isLessThanOrEqualTo(2 * THREADS);
    source.letAll();
    assertThat(large.join().text()).isEqualTo("1000\n");
  }

  @Test
  void aQueryOfAFewBlocksWaitsForNoOther() throws IOException {
    var source = source(1000, 4);
    Node node = cluster.store("store", source);
    CompletableFuture<Answer> large = askedAndBusy(node, source);
    assertThat(node.get("/query?topic=small&last=1").text()).isEqualTo("small 3\n");
    assertThat(node.get("/query?topic=small&q=small&count=true").text()).isEqualTo("4\n");
    assertThat(source.begun()).isEqualTo(THREADS);
    source.letAll();
    assertThat(large.join().text()).isEqualTo("1000\n");
  }

  /** These are as many as the node has threads; one more takes its turn. */
  @Test
  void fewQueriesScanOnTheirOwnThreads() throws IOException {
    var source = source(4);
    Node node = cluster.store("store", source);
    List<CompletableFuture<Answer>> answers = new ArrayList<>();
    for (int i = 0; i < 3 * THREADS; i++) {
      answers.add(asked(node, COUNT_OF_LARGE));
    }
    await().until(() -> source.begun() == 2 * THREADS);
    await().until(() -> gauge(node, "cordwood.query.scans.waiting") > 0);
    assertThat(source.begun()).isEqualTo(2 * THREADS);
    source.letAll();
    for (CompletableFuture<Answer> answer : answers) {
      assertThat(answer.join().text()).isEqualTo("4\n");
    }
  }

  @Test
  void noBlockIsBegunForAReaderWhoLeft() throws IOException {
    var source = source(1000);
    Node node = cluster.store("store", source);
    Socket reader = ask(node, COUNT_OF_LARGE);
    awaitBusy(source, node);
    reader.close();
    await().until(() -> gauge(node, "cordwood.http.connections") == 0);
    source.letAll();
    await().until(() -> gauge(node, "cordwood.query.running") == 0);
    assertThat(source.begun()).isEqualTo(THREADS);
    assertThat(count(node, "cordwood.query.abandoned")).isEqualTo(1);
    await().until(() -> gauge(node, "cordwood.query.scans.waiting") == 0);
  }

  @Test
  void searchesOnOtherNodesEndForAReaderWhoLeft() throws IOException {
    var source = GatedSource.ofCopies(200_000);
    sources.add(source);
    Node peer = cluster.store("peer", source);
    Node node = cluster.query("asked");
    Socket reader = ask(node, COUNT_OF_LARGE);
    awaitBusy(source, peer);
    reader.close();
    await().until(() -> count(node, "cordwood.query.abandoned") == 1);
    source.letAll();
    await().until(() -> gauge(peer, "cordwood.query.tier.running") == 0);
    assertThat(source.begun()).isLessThan(100_000);
    assertThat(count(peer, "cordwood.query.tier.abandoned")).isEqualTo(1);
  }

  @Test
  void queriesBeyondTheLimitAreToldWhenToAskAgain() throws IOException {
    cluster.limits = TestCluster.PATIENT.withQueries(2, 2);
    var source = source(100);
    Node node = cluster.store("store", source);
    ask(node, "/query?topic=large");
    ask(node, "/query?topic=large");
    await().until(() -> gauge(node, "cordwood.query.running") == 2);
    Answer refused = node.get("/query");
    assertThat(refused.status()).isEqualTo(503);
    assertThat(refused.connection().getHeaderField("retry-after")).isEqualTo("1");
    assertThat(refused.text())
        .isEqualTo("error: 2 queries are running, which is the limit; try again in 1 s\n");
    assertThat(Answer.ask("HEAD", node.port(), "/query?q=x").status()).isEqualTo(503);
    assertThat(count(node, "cordwood.query.refused")).isEqualTo(2);
    source.letAll();
    await().until(() -> gauge(node, "cordwood.query.running") == 0);
    assertThat(node.get("/query?count=true").text()).isEqualTo("101\n");
  }

  /** Each of two nodes has one place for clients and asks the other, and there is one for that. */
  @Test
  void nodesThatAskEachOtherAtTheirLimitsGetTheirAnswers() throws IOException {
    cluster.limits = TestCluster.PATIENT.withQueries(1, 1);
    var one = source(5);
    var two = source(5);
    Node first = cluster.store("one", one);
    Node second = cluster.store("two", two);
    CompletableFuture<Answer> ofFirst = asked(first, COUNT_OF_LARGE);
    CompletableFuture<Answer> ofSecond = asked(second, COUNT_OF_LARGE);
    await().until(() -> gauge(first, "cordwood.query.tier.running") == 1);
    await().until(() -> gauge(second, "cordwood.query.tier.running") == 1);
    one.letAll();
    two.letAll();
    for (Answer answer : List.of(ofFirst.join(), ofSecond.join())) {
      assertThat(answer.text()).isEqualTo("5\n");
      assertThat(answer.field("verdict")).isEqualTo("complete");
    }
  }

  /** Three nodes ask a fourth one that has one place for them: each gets its turn. */
  @Test
  void partsOfAnAnswerWaitForAPlace() throws IOException {
    var source = source(5).letAll();
    cluster.limits = TestCluster.PATIENT.withQueries(64, 1);
    cluster.store("store", source);
    List<CompletableFuture<Answer>> answers = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      Node node = cluster.query("query-" + i);
      for (int k = 0; k < 5; k++) {
        answers.add(asked(node, COUNT_OF_LARGE));
      }
    }
    for (CompletableFuture<Answer> answer : answers) {
      Answer found = answer.join();
      assertThat(found.field("verdict")).as(found.text()).isEqualTo("complete");
    }
  }
}
