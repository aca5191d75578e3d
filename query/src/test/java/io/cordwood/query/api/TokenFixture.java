package io.cordwood.query.api;

import io.cordwood.common.access.AuditLog;
import io.cordwood.common.access.NodeKeys;
import io.cordwood.common.access.Refusals;
import io.cordwood.common.access.Scope;
import io.cordwood.common.access.Token;
import io.cordwood.common.access.TokenFile;
import io.cordwood.common.access.TokenText;
import io.cordwood.common.access.Tokens;
import io.cordwood.common.access.TopicPatterns;
import io.cordwood.common.http.server.Guard;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.wire.Labels;
import io.cordwood.query.Receiver;
import io.cordwood.query.SegmentFixture;
import io.cordwood.query.TestCluster;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** A cluster whose nodes ask for tokens: one that sees all, and one that sees some of it. */
abstract class TokenFixture {
  @TempDir Path folder;

  final String all = TokenText.random();
  final String some = TokenText.random();
  final TestCluster cluster = new TestCluster(1);
  final Receiver receiver = new Receiver();
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private @Nullable Tokens tokens;

  /**
   * Starts it.
   *
   * @param batches of which an ingest node has the first half, a store the others; a second ingest
   *     node receives what a test sends
   * @param topics and {@code labels} that the second token sees
   * @return the node to be asked
   */
  final TestCluster.Node start(List<Batch> batches, TopicPatterns topics, Labels labels)
      throws IOException {
    Path file = folder.resolve("tokens");
    TokenFile.write(
        file,
        List.of(
            token("all", all, TopicPatterns.ALL, Labels.NONE),
            token("some", some, topics, labels)));
    tokens = Tokens.of(file, InstantSource.system(), meters);
    var keys =
        new NodeKeys(
            List.of("of the cluster".getBytes(StandardCharsets.US_ASCII)), InstantSource.system());
    cluster.keys = keys;
    int half = batches.size() / 2;
    cluster.ingest("ingest", new SegmentFixture(5, 2, batches.subList(0, half)));
    cluster.ingest("receiver", receiver);
    cluster.store("store", new SegmentFixture(5, 2, batches.subList(half, batches.size())));
    TestCluster.Node node = cluster.query("query");
    var guard = new Guard(tokens, keys, new Refusals(meters, AuditLog.NONE), AuditLog.NONE);
    cluster.nodes.forEach(each -> each.guardedBy(guard));
    return node;
  }

  private static Token token(String name, String text, TopicPatterns topics, Labels labels) {
    return Token.of(name, text, Set.of(Scope.QUERY), topics).withLabels(labels);
  }

  @AfterEach
  final void close() {
    cluster.close();
    if (tokens != null) {
      tokens.close();
    }
  }
}
