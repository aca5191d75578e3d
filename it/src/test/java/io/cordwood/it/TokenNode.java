package io.cordwood.it;

import io.cordwood.common.access.AuditLog;
import io.cordwood.common.access.Refusals;
import io.cordwood.common.access.Scope;
import io.cordwood.common.access.Token;
import io.cordwood.common.access.TokenFile;
import io.cordwood.common.access.Tokens;
import io.cordwood.common.access.TopicPatterns;
import io.cordwood.common.file.Filesystem;
import io.cordwood.common.testing.Patience;
import io.cordwood.common.wire.Labels;
import io.cordwood.forwarder.Forwarder;
import io.cordwood.forwarder.ForwarderListener;
import io.cordwood.forwarder.ForwarderOptions;
import io.cordwood.forwarder.Target;
import io.cordwood.ingest.Admission;
import io.cordwood.ingest.IngestOptions;
import io.cordwood.ingest.node.IngestNode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/** An ingest node within this process that takes what one token is for. */
final class TokenNode implements AutoCloseable {
  private final Tokens tokens;
  private final IngestNode node;

  /**
   * @param home its data are in the folder {@code node} of it, and its tokens beside that
   * @param token shown by {@link #forwarder}
   * @param labels that a batch must have
   */
  static TokenNode start(Path home, int port, String token, Map<String, String> labels)
      throws IOException {
    Path file = home.resolve("tokens");
    TokenFile.write(
        file,
        List.of(
            Token.of("sender", token, Set.of(Scope.INGEST), TopicPatterns.ALL)
                .withLabels(Labels.of(labels))));
    return new TokenNode(home, port, file);
  }

  private TokenNode(Path home, int port, Path file) throws IOException {
    var registry = new SimpleMeterRegistry();
    tokens = Tokens.of(file, InstantSource.system(), registry);
    var refusals = new Refusals(registry, AuditLog.NONE);
    var admission = new Admission(tokens, refusals, false, Patience.LONG);
    node = open(home, port, admission, options -> options);
  }

  /** An ingest node of any admission, without tokens of its own. */
  static IngestNode open(
      Path home, int port, Admission admission, UnaryOperator<IngestOptions> change)
      throws IOException {
    IngestOptions options =
        IngestOptions.in(home.resolve("node").resolve("ingest"))
            .with(new IngestOptions.Listening("127.0.0.1", 0, port, 1))
            .with(IngestOptions.Bulk.DEFAULT.withPort(0));
    IngestNode node =
        IngestNode.start(
            change.apply(options),
            admission,
            Filesystem.real(),
            new SimpleMeterRegistry(),
            InstantSource.system());
    node.startTaking();
    return node;
  }

  int durablePort() {
    return node.durablePort();
  }

  /** One that tries again at once. */
  static Forwarder forwarder(int port, String token) {
    return Forwarder.start(
        ForwarderOptions.builder()
            .target(new Target("127.0.0.1", port))
            .token(token)
            .backoff(Duration.ofMillis(1), Duration.ofMillis(100))
            .build(),
        ForwarderListener.NONE);
  }

  @Override
  public void close() throws IOException {
    node.close();
    tokens.close();
  }
}
