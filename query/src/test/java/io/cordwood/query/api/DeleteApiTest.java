package io.cordwood.query.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.access.AuditLog;
import io.cordwood.common.access.NodeKeys;
import io.cordwood.common.access.Refusals;
import io.cordwood.common.access.Scope;
import io.cordwood.common.access.Token;
import io.cordwood.common.access.TokenFile;
import io.cordwood.common.access.TokenText;
import io.cordwood.common.access.Tokens;
import io.cordwood.common.access.TopicPatterns;
import io.cordwood.common.deletion.DeletionExchange;
import io.cordwood.common.deletion.DeletionSpread;
import io.cordwood.common.deletion.DeletionSpread.Member;
import io.cordwood.common.deletion.Deletions;
import io.cordwood.common.file.Filesystem;
import io.cordwood.common.http.client.PeerClient;
import io.cordwood.common.http.client.PeerCredentials;
import io.cordwood.common.http.server.Guard;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.Records;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.testing.Patience;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.wire.Labels;
import io.cordwood.query.Answer;
import io.cordwood.query.LocalRecords;
import io.cordwood.query.SegmentFixture;
import io.cordwood.query.TestCluster;
import io.cordwood.query.TestCluster.Node;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Two stores that have the same, and are asked to delete some of it. */
final class DeleteApiTest {
  /** 2023-11-14T22:13:20Z. */
  private static final long BEGIN = 1_700_000_000_000L;

  private static final String RANGE = "&from=2023-11-14T22:13:20Z&to=2023-11-14T22:13:29.999Z";

  /** Of ten seconds, each with two of every topic. */
  private static final List<Topic> TOPICS = List.of(new Topic("shop"), new Topic("audit"));

  @TempDir private Path folder;
  private final TestCluster cluster = new TestCluster(2);
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final List<AutoCloseable> open = new ArrayList<>();
  private final List<Deletions> known = new ArrayList<>();
  private final List<Member> more = new ArrayList<>();
  private Optional<Node> first = Optional.empty();
  private Optional<Node> second = Optional.empty();

  @BeforeEach
  void start() throws IOException {
    List<Batch> batches = new ArrayList<>();
    for (int second = 0; second < 20; second++) {
      for (Topic topic : TOPICS) {
        Ulid ulid = Ulid.firstOf(BEGIN + 1000L * second + TOPICS.indexOf(topic));
        Batch batch = Records.lines(topic, ulid, "user=anna n=" + second, "user=bert");
        batches.add(
            second % 2 == 0 ? batch : Records.labelled(batch, Labels.of(Map.of("host", "web"))));
      }
    }
    first = Optional.of(store("a", batches));
    second = Optional.of(store("b", batches));
  }

  private Node store(String id, List<Batch> batches) throws IOException {
    Path data = Files.createDirectories(folder.resolve(id));
    Deletions deletions = Deletions.open(data, Filesystem.real(), new SimpleMeterRegistry());
    known.add(deletions);
    Node node =
        cluster.add(
            id,
            LocalRecords.without(
                deletions,
                Optional.empty(),
                Optional.of(new SegmentFixture(3, 2, batches)),
                Optional.empty()));
    var client = new PeerClient(Patience.LONG, Patience.LONG, PeerCredentials.NONE);
    open.add(client);
    node.deletes(new DeletionSpread(new DeletionExchange(deletions, client), () -> others(node)));
    return node;
  }

  private List<Member> others(Node self) {
    List<Member> others = new ArrayList<>(more);
    for (Node node : cluster.nodes) {
      if (node != self) {
        URI uri = URI.create("http://127.0.0.1:" + node.port());
        others.add(new Member(node.id, Optional.of(uri), true));
      }
    }
    return others;
  }

  @AfterEach
  void stop() throws Exception {
    cluster.close();
    for (AutoCloseable each : open) {
      each.close();
    }
  }

  private Node a() {
    return first.orElseThrow();
  }

  private Node b() {
    return second.orElseThrow();
  }

  private Answer delete(String form) throws IOException {
    return a().post("/delete", form);
  }

  private static String count(Node node, String query) throws IOException {
    return node.get("/query?count=true" + query).text().strip();
  }

  @Test
  void recordsAreCountedThenDeletedOnAllNodesAndOthersStay() throws IOException {
    Answer counted = delete("topic=shop" + RANGE);
    assertThat(counted.status()).as(counted.text()).isEqualTo(200);
    assertThat(counted.field("matches")).isEqualTo("20");
    assertThat(counted.field("verdict")).isEqualTo("complete");
    assertThat(counted.text())
        .isEqualTo(
            "20 records of shop, from 2023-11-14T22:13:20Z to 2023-11-14T22:13:29.999Z; nothing is"
                + " deleted yet.\n");
    assertThat(count(a(), "")).isEqualTo("80");
    Answer deleted = delete("topic=shop&count=20" + RANGE);
    assertThat(deleted.status()).as(deleted.text()).isEqualTo(200);
    assertThat(deleted.text())
        .isEqualTo("20 records deleted, as %s.\nb knows it\n".formatted(deleted.field("deletion")));
    for (Node node : List.of(a(), b())) {
      assertThat(count(node, "&topic=shop")).isEqualTo("20");
      assertThat(count(node, "&topic=shop" + RANGE)).isEqualTo("0");
      assertThat(count(node, "&topic=audit")).isEqualTo("40");
    }
    assertThat(known.get(1).known()).isEqualTo(known.get(0).known());
    assertThat(known.get(0).known().all())
        .singleElement()
        .satisfies(it -> assertThat(it.who()).isEqualTo("- at 127.0.0.1"));
  }

  @Test
  void anotherNumberThanThatOfTheRecordsDeletesNothing() throws IOException {
    Answer refused = delete("topic=shop&count=19" + RANGE);
    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.text()).isEqualTo("error: expected 19 records, found 20\n");
    assertThat(count(a(), "")).isEqualTo("80");
    assertThat(known.get(0).known().size()).isZero();
  }

  @Test
  void aRangeMayEndNow() throws IOException {
    String untilNow = "topic=shop&from=2023-01-01&to=now";
    assertThat(delete(untilNow).field("matches")).isEqualTo("40");
    assertThat(delete(untilNow + "&count=40").text()).startsWith("40 records deleted, as ");
  }

  @Test
  void ofAConditionOnlyTheRecordsThatMeetItGo() throws IOException {
    String where = "topic=*&where=user%3Danna" + RANGE;
    assertThat(delete(where).field("matches")).isEqualTo("20");
    assertThat(delete(where + "&count=20").status()).isEqualTo(200);
    assertThat(count(b(), RANGE)).isEqualTo("20");
    assertThat(count(b(), "&q=anna" + RANGE)).isEqualTo("0");
    Answer again = delete(where + "&count=0");
    assertThat(again.status()).isEqualTo(400);
    assertThat(again.text()).contains("expected records that meet the condition, found none");
  }

  @Test
  void aNodeThatDoesNotAnswerIsNamedAndAConditionWaitsForIt() throws IOException {
    cluster.replicatedFromMillis = Long.MAX_VALUE; // Each store is waited for.
    b().close();
    String where = "topic=shop&where=user%3Danna" + RANGE;
    assertThat(delete(where).text()).contains("10 records", "There may be more");
    assertThat(delete(where + "&count=10").status()).isEqualTo(503);
    more.add(new Member("gone", Optional.empty(), true));
    Answer deleted = delete("topic=shop&count=20" + RANGE);
    assertThat(deleted.status()).as(deleted.text()).isEqualTo(200);
    assertThat(deleted.text())
        .contains("\nb does not know it yet: ")
        .contains("\ngone does not know it yet: it is away, and asks when it is back\n");
  }

  @Test
  void nothingIsDeletedWhileANodeWouldGoOnShowingIt() throws IOException {
    more.add(new Member("old", Optional.empty(), false));
    for (String count : List.of("", "&count=20")) {
      Answer refused = delete("topic=shop" + RANGE + count);
      assertThat(refused.status()).isEqualTo(503);
      assertThat(refused.text()).contains("an earlier version: old;");
    }
    assertThat(known.get(0).known().size()).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "from=2023-01-01&to=2024-01-01          | parameter topic: expected one, found none",
        "topic=shop&to=2024-01-01               | parameter from: expected one, found none",
        "topic=shop&from=&to=2024-01-01         | parameter from: expected one, found none",
        "topic=shop&from=2023-01-01             | parameter to: expected one, found none",
        "topic=shop&from=2023-01-01&to=2124-01-01 | parameter to: expected a time until now, which",
        "topic=shop&from=2024-01-01&to=2023-01-01 | expected a time range",
        "topic=shop&from=2023-01-01&to=2024-01-01&count=all | parameter count: expected a whole",
        "topic=shop&from=2023-01-01&to=2024-01-01&where=a | parameter where: ",
        "topic=shop&from=2023-01-01&to=2024-01-01&q=a | parameter q: /delete has none",
        "topic=a,b,c,d,e,f,g,h,i,j,k&from=2023-01-01&to=2024-01-01&count=0 | 1 to 10 patterns",
      })
  void whatCannotBeIsRefusedInWords(String form, String expected) throws IOException {
    Answer refused = delete(form);
    assertThat(refused.status()).as(refused.text()).isEqualTo(400);
    assertThat(refused.text()).contains(expected);
  }

  @Test
  void aTokenDeletesWhatItMaySeeAndNothingElse() throws IOException {
    String shop = TokenText.random();
    String web = TokenText.random();
    String reads = TokenText.random();
    TopicPatterns onlyShop = new TopicPatterns(List.of("shop"));
    Path file = folder.resolve("tokens");
    TokenFile.write(
        file,
        List.of(
            Token.of("reads", reads, Set.of(Scope.QUERY), onlyShop),
            Token.of("shop", shop, Set.of(Scope.ADMIN), onlyShop),
            Token.of("web", web, Set.of(Scope.ADMIN), onlyShop)
                .withLabels(Labels.of(Map.of("host", "web")))));
    try (Tokens tokens = Tokens.of(file, InstantSource.system(), meters)) {
      var refusals = new Refusals(meters, AuditLog.NONE);
      a().guardedBy(new Guard(tokens, NodeKeys.NONE, refusals, AuditLog.NONE));
      assertThat(delete("topic=shop" + RANGE).status()).isEqualTo(401);
      assertThat(post(reads, "topic=shop" + RANGE).status()).isEqualTo(403);
      assertThat(post(shop, "topic=audit" + RANGE).status()).isEqualTo(403);
      assertThat(post(shop, "topic=shop,audit&count=40" + RANGE).status()).isEqualTo(403);
      assertThat(post(web, "topic=*&count=10" + RANGE).text()).startsWith("10 records deleted");
      assertThat(count(b(), "&topic=shop" + RANGE)).isEqualTo("10");
      assertThat(post(shop, "topic=*&count=10" + RANGE).text()).contains("10 records deleted");
      assertThat(count(b(), "&topic=shop" + RANGE)).isEqualTo("0");
      assertThat(count(b(), "&topic=audit")).isEqualTo("40");
    }
  }

  private Answer post(String token, String form) throws IOException {
    URI uri = URI.create("http://127.0.0.1:" + a().port() + "/delete?" + form);
    var connection = (HttpURLConnection) uri.toURL().openConnection();
    connection.setRequestMethod("POST");
    connection.setRequestProperty("Authorization", "Bearer " + token);
    int status = connection.getResponseCode();
    try (var in = status < 400 ? connection.getInputStream() : connection.getErrorStream()) {
      return new Answer(status, in.readAllBytes(), connection);
    }
  }
}
