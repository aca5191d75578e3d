package io.cordwood.common.deletion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.access.AuditLog;
import io.cordwood.common.access.NodeKeys;
import io.cordwood.common.access.Refusals;
import io.cordwood.common.deletion.DeletionWatch.Others;
import io.cordwood.common.deletion.DeletionWatch.Teller;
import io.cordwood.common.file.Filesystem;
import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.TestServer;
import io.cordwood.common.http.client.PeerClient;
import io.cordwood.common.http.client.PeerCredentials;
import io.cordwood.common.http.server.Guard;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes tell each other what is deleted, over HTTP. */
final class DeletionExchangeTest {
  private static final List<Tombstone> SOME =
      IntStream.range(0, 6).mapToObj(i -> RandomTombstones.of(i, "shop")).toList();

  @TempDir private Path folder;
  private final TestServer server = new TestServer();
  private final PeerClient client = new PeerClient(TestServer.LONG, TestServer.LONG);
  private final URI node = server.uri("/");
  private Deletions theirs;
  private Deletions own;
  private DeletionExchange exchange;

  @BeforeEach
  void open() throws IOException {
    theirs = open("theirs");
    own = open("own");
    exchange = new DeletionExchange(own, client);
    DeletionRoutes.addTo(server.routes, theirs);
  }

  private Deletions open(String name) throws IOException {
    return Deletions.open(
        Files.createDirectory(folder.resolve(name)), Filesystem.real(), new SimpleMeterRegistry());
  }

  @AfterEach
  void close() {
    client.close();
    server.close();
  }

  @Test
  void bothKnowWhatEitherDid() throws IOException {
    exchange.with(node);
    assertThat(own.known()).isEqualTo(Tombstones.NONE);
    theirs.learn(SOME.subList(0, 4));
    own.learn(SOME.subList(2, 6));
    exchange.with(node);
    assertThat(own.known().all()).containsExactlyInAnyOrderElementsOf(SOME);
    assertThat(theirs.known()).isEqualTo(own.known());
  }

  @Test
  void whatIsNotTakenIsAnErrorOnBothSides() throws IOException {
    theirs.ask(SOME.getFirst());
    own.ask(RandomTombstones.of(0, "audit"));
    assertThatThrownBy(() -> exchange.fetch(node)).hasMessageContaining("two that differ");
    assertThatThrownBy(() -> exchange.tell(node))
        .hasMessageContaining("409")
        .hasMessageContaining("two that differ");
    assertThat(theirs.known().all()).containsExactly(SOME.getFirst());
  }

  @Test
  void nobodyButANodeTellsOrIsTold() throws IOException {
    byte[] key = "0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    var keys = new NodeKeys(List.of(key), InstantSource.system());
    var refusals = new Refusals(server.registry, AuditLog.NONE);
    server.routes.guardedBy(new Guard(null, keys, refusals, AuditLog.NONE));
    own.learn(SOME);
    assertThatThrownBy(() -> exchange.tell(node)).hasMessageContaining("403");
    assertThatThrownBy(() -> exchange.fetch(node)).hasMessageContaining("403");
    assertThat(theirs.known()).isEqualTo(Tombstones.NONE);
    var credentials = new PeerCredentials(keys, Optional.empty());
    try (var ofNode = new PeerClient(TestServer.LONG, TestServer.LONG, credentials)) {
      new DeletionExchange(own, ofNode).tell(node);
    }
    assertThat(theirs.known()).isEqualTo(own.known());
  }

  @Test
  void aNodeThatStartsAsksWhateverSumItHasHeard() throws IOException {
    theirs.learn(SOME);
    var nowhere = new Teller(URI.create("http://127.0.0.1:1/"), 0);
    var watch = new DeletionWatch(exchange, () -> seen(nowhere, new Teller(node, 0)));
    watch.askAll();
    assertThat(own.known()).isEqualTo(theirs.known());
  }

  @Test
  void aNodeOfAnEarlierVersionIsAnError() {
    try (var older = new TestServer()) {
      assertThatThrownBy(() -> exchange.fetch(older.uri("/"))).hasMessageContaining("404");
    }
  }

  @Test
  void onlyWhoSaysSomethingElseIsAskedAndOnceForIt() throws IOException {
    var calls = new AtomicInteger();
    theirs.learn(SOME.subList(0, 4));
    List<Teller> tellers = new ArrayList<>();
    var watch =
        new DeletionWatch(
            exchange,
            () -> {
              calls.incrementAndGet();
              return new Others(List.copyOf(tellers), false);
            });
    assertThat(watch.look()).isEmpty();
    tellers.add(new Teller(node, theirs.known().sum()));
    assertThat(watch.look()).isEmpty();
    assertThat(own.known()).isEqualTo(theirs.known());
    theirs.learn(SOME);
    assertThat(watch.look()).as("it has not said so yet").isEmpty();
    assertThat(own.known().size()).isEqualTo(4);
    tellers.set(0, new Teller(node, theirs.known().sum()));
    assertThat(watch.look()).isEmpty();
    assertThat(own.known().size()).isEqualTo(6);
    assertThat(calls).hasValue(4);
  }

  @Test
  void whoLostSomeAsksThoughTheSumsAreTheSame() throws IOException {
    theirs.learn(SOME);
    own.learn(SOME);
    Path file = folder.resolve("own/deletions");
    Files.writeString(file, Files.readString(file) + "#\n");
    Deletions lost =
        Deletions.open(folder.resolve("own"), Filesystem.real(), new SimpleMeterRegistry());
    assertThat(lost.areLost()).isTrue();
    var watch =
        new DeletionWatch(
            new DeletionExchange(lost, client), () -> seen(new Teller(node, theirs.known().sum())));
    assertThat(watch.look()).isEmpty();
    assertThat(lost.areLost()).isFalse();
  }

  private static Others seen(Teller... tellers) {
    return new Others(List.of(tellers), false);
  }

  @Test
  void aNodeThatHangsHoldsUpNobodyForLongAndIsADoubtUntilItAnswers() throws IOException {
    var asked = new CountDownLatch(1);
    var answers = new CountDownLatch(1);
    theirs.learn(SOME);
    try (var slow = new TestServer()) {
      slow.routes.get(
          ApiPaths.DELETIONS_KNOWN,
          (_, response) -> {
            asked.countDown();
            TestServer.awaitLatch(answers);
            response.text(200, theirs.text());
          });
      URI hangs = slow.uri("/");
      var told = new AtomicReference<>(new Teller(hangs, own.known().sum()));
      var watch = new DeletionWatch(exchange, () -> seen(told.get()));
      assertThat(watch.look()).as("it says that it knows nothing else").isEmpty();
      watch.askAll();
      TestServer.awaitLatch(asked);
      assertThat(watch.look()).contains(hangs + " cannot be asked what is deleted");
      assertThat(own.known().size()).isZero();
      answers.countDown();
      told.set(new Teller(hangs, theirs.known().sum()));
      await().until(() -> watch.look().isEmpty());
      assertThat(own.known()).isEqualTo(theirs.known());
    }
  }

  @Test
  void whoSeesNobodyThoughThereAreOthersIsInDoubt() {
    var cutOff = new AtomicBoolean(true);
    var watch = new DeletionWatch(exchange, () -> new Others(List.of(), cutOff.get()));
    watch.askAll();
    assertThat(watch.look().orElseThrow()).startsWith("this node sees no other");
    cutOff.set(false);
    assertThat(watch.look()).isEmpty();
  }

  @Test
  void whoCannotBeAskedIsSaidToKnowMore() {
    URI nobody = URI.create("http://127.0.0.1:1/");
    var watch = new DeletionWatch(exchange, () -> seen(new Teller(nobody, 5)));
    assertThat(watch.look()).contains(nobody + " cannot be asked what is deleted");
    assertThat(watch.look()).contains(nobody + " cannot be asked what is deleted");
  }
}
