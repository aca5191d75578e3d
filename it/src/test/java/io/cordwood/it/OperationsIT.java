package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.access.Scope;
import io.cordwood.common.access.Token;
import io.cordwood.common.access.TokenFile;
import io.cordwood.common.access.TokenText;
import io.cordwood.common.access.TopicPatterns;
import io.cordwood.common.tls.ClientTls;
import io.cordwood.dist.Cordwood;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What {@code docs/operations.md} names is there in the programs. */
final class OperationsIT {
  private static final Pattern METRIC = Pattern.compile("\\bcordwood_\\w+");
  private static final Pattern FLAG = Pattern.compile("(?<![\\w-])--[a-z][a-z-]+");
  private static final Pattern COMMAND_LINE = Pattern.compile("(?m)^(cordwood|PEERS=|Exec).*");

  private static final String PAUSES = "cordwood_ingest_token_pauses_total{";

  /** A timer or a summary has these behind its name. */
  private static final Pattern PARTS = Pattern.compile("_(count|sum|max|bucket)$");

  private final String document = Files.readString(Path.of("..", "docs", "operations.md"));

  @TempDir private Path folder;

  OperationsIT() throws IOException {}

  @Test
  void namedMetricsAreThere() throws IOException {
    Set<String> there = new TreeSet<>();
    String authority = folder.resolve("ca").toString();
    String files = folder.resolve("files").toString();
    assertThat(Program.run("ca", "init", "--dir", authority).errors()).isEmpty();
    assertThat(
            Program.run("ca", "node", "--dir", authority, "--out", files, "localhost").exitCode())
        .isZero();
    String token = TokenText.random();
    Path tokens = writeTokens(token);
    Path trusted = Path.of(authority, "ca.pem");
    try (NodeProcess node =
            NodeProcess.start(
                folder,
                "--tls-dir",
                files,
                "--tokens",
                tokens.toString(),
                "--cold",
                folder.resolve("cold").toUri().toString(),
                "--rules",
                Files.writeString(folder.resolve("rules"), "[any]\nabove = 9\n").toString());
        Socket socket = new Socket("localhost", node.fastPort());
        Socket sender = ClientTls.trusting(trusted).secure(socket, "localhost")) {
      String lines = "CORDWOOD/1 topic=shop token=%s\na line\n".formatted(token);
      sender.getOutputStream().write(lines.getBytes(StandardCharsets.US_ASCII));
      await().until(() -> metrics(node, trusted, token).contains(PAUSES));
      String shown = metrics(node, trusted, token);
      assertThat(Files.readString(Path.of("..", "docs", "metrics.md")))
          .endsWith(MetricReference.byFlags(shown));
      METRIC.matcher(shown).results().forEach(metric -> add(metric.group(), there));
    }
    Set<String> named = named(METRIC, document);
    assertThat(named).hasSizeGreaterThan(20);
    assertThat(there).containsAll(named);
  }

  /** Its senders have to wait. */
  private Path writeTokens(String text) throws IOException {
    var token =
        new Token(
            "shop",
            HexFormat.of().formatHex(TokenText.hash(text)),
            Set.of(Scope.INGEST, Scope.ADMIN),
            TopicPatterns.ALL,
            Optional.empty(),
            1,
            Token.NO_QUERIES_BOUND);
    Path file = folder.resolve("tokens");
    TokenFile.write(file, List.of(token));
    return file;
  }

  private static String metrics(NodeProcess node, Path trusted, String token) throws IOException {
    String bearer = "authorization: Bearer " + token;
    String metrics = "https://localhost:" + node.apiPort() + "/metrics";
    return Tool.run("curl", "-sS", "--cacert", trusted.toString(), "--header", bearer, metrics);
  }

  private static void add(String metric, Set<String> there) {
    there.add(metric);
    there.add(PARTS.matcher(metric).replaceFirst(""));
  }

  private static Set<String> named(Pattern what, String text) {
    return what.matcher(text)
        .results()
        .map(found -> found.group())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** In command lines, and where a flag stands alone between backquotes. */
  @Test
  void namedFlagsAreThere() throws IOException {
    String lines = String.join("\n", named(COMMAND_LINE, document));
    Set<String> flags = named(FLAG, lines);
    flags.addAll(named(Pattern.compile("(?<=`)--[a-z][a-z-]+(?=[` ])"), document));
    assertThat(flags).hasSizeGreaterThan(5);
    var help = new StringBuilder();
    for (String command :
        List.of(
            "ingest",
            "store",
            "ingeststore",
            "forward",
            "backup",
            "restore",
            "export",
            "import",
            "delete",
            "plan")) {
      help.append(usage(command));
    }
    help.append(usage("token", "add")).append(usage("ca", "node"));
    assertThat(named(FLAG, help.toString())).containsAll(flags);
  }

  private static String usage(String... command) {
    CommandLine line = Cordwood.whole();
    for (String name : command) {
      line = Objects.requireNonNull(line.getSubcommands().get(name), name);
    }
    return line.getUsageMessage();
  }
}
