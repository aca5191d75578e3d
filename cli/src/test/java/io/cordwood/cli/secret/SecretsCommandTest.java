package io.cordwood.cli.secret;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.cli.program.CommandRun;
import io.cordwood.cli.program.Programs;
import io.cordwood.common.access.Scope;
import io.cordwood.common.access.Token;
import io.cordwood.common.access.TokenFile;
import io.cordwood.common.access.TokenText;
import io.cordwood.common.ca.Authority;
import io.cordwood.common.ca.CertificateFolder;
import io.cordwood.common.ca.Validity;
import io.cordwood.common.tls.ClientTls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import javax.net.ssl.SSLServerSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code cordwood secrets}, beside a server that keeps secrets as Kubernetes does. */
final class SecretsCommandTest {
  @TempDir private Path folder;

  private SecretServer server;

  @BeforeEach
  void start() throws IOException {
    server = new SecretServer(folder);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private CommandRun run(String... more) {
    String[] all =
        Stream.concat(
                Stream.of("--api", server.address().toString(), "--account=" + server.account()),
                Stream.of(more))
            .toArray(String[]::new);
    return CommandRun.of("secrets", new SecretsCommand(), all);
  }

  private Map<String, String> data(String name) throws IOException {
    return SecretJson.data(Objects.requireNonNull(server.secrets.get("cordwood-" + name)));
  }

  @Test
  void eachReaderHasASecretWithWhatItNeedsAndNothingElse() throws IOException {
    CommandRun run = run("*.ingest", "localhost");
    assertThat(run.code()).as(run.err()).isZero();
    assertThat(server.secrets)
        .containsOnlyKeys(
            "cordwood-admin", "cordwood-authority", "cordwood-forwarder", "cordwood-nodes");
    assertThat(data("nodes")).containsOnlyKeys("ca.pem", "node.key", "node.pem", "tokens");
    assertThat(data("forwarder")).containsOnlyKeys("ca.pem", "token");
    assertThat(data("admin")).containsOnlyKeys("ca.pem", "token");
    Path tokens = Files.writeString(folder.resolve("tokens"), data("nodes").get("tokens"));
    Map<String, Set<Scope>> scopes = new TreeMap<>();
    for (Token token : TokenFile.read(tokens).tokens()) {
      assertThat(token.hash()).isEqualTo(hashOfTokenIn(token.name()));
      scopes.put(token.name(), token.scopes());
    }
    assertThat(scopes)
        .isEqualTo(Map.of("forwarder", Set.of(Scope.INGEST), "admin", Set.of(Scope.values())));
  }

  private String hashOfTokenIn(String name) throws IOException {
    String token = Objects.requireNonNull(data(name).get("token"));
    return HexFormat.of().formatHex(TokenText.hash(token));
  }

  @Test
  void anotherRunChangesNothingAndMakesWhatIsGone() {
    assertThat(run("*.ingest").code()).isZero();
    Map<String, String> before = new TreeMap<>(server.secrets);
    server.secrets.remove("cordwood-forwarder");
    assertThat(run("*.ingest").code()).isZero();
    assertThat(server.secrets).isEqualTo(before);
  }

  @Test
  void aRunThatWasCutOffIsFinishedByTheNext() throws IOException {
    server.refused = "cordwood-forwarder";
    CommandRun cut = run("*.ingest");
    assertThat(cut.code()).isEqualTo(Programs.ERROR);
    assertThat(cut.err()).contains("expected 201 or 409, found 500").doesNotContain("cw_");
    assertThat(server.secrets).containsOnlyKeys("cordwood-authority", "cordwood-nodes");
    assertThat(run("*.ingest").code()).isZero();
    assertThat(data("nodes").get("tokens"))
        .contains(hashOfTokenIn("forwarder"), hashOfTokenIn("admin"));
  }

  @Test
  void ofRunsAtOnceAllMakeWhatTheFirstOneMade() throws Exception {
    try (var threads = Executors.newFixedThreadPool(4)) {
      Callable<Integer> one =
          () -> {
            var command = new SecretsCommand();
            var line = Programs.line("cordwood secrets", command);
            return Programs.run(
                line, "--api=" + server.address(), "--account=" + server.account(), "localhost");
          };
      for (Future<Integer> code : threads.invokeAll(List.of(one, one, one, one))) {
        assertThat(code.get()).isZero();
      }
    }
    assertThat(data("nodes").get("tokens")).contains(hashOfTokenIn("forwarder"));
    assertThat(data("nodes").get("node.key")).isEqualTo(data("authority").get("node.key"));
  }

  @Test
  void theCertificateIsForEachPodOfASet() throws Exception {
    assertThat(run("*.store", "*.store.logs.svc").code()).isZero();
    Path files = Files.createDirectories(folder.resolve("nodes"));
    for (Map.Entry<String, String> file : data("nodes").entrySet()) {
      Path written = Files.writeString(files.resolve(file.getKey()), file.getValue());
      Files.setPosixFilePermissions(written, PosixFilePermissions.fromString("r--r-----"));
    }
    ClientTls node =
        ClientTls.of(Optional.empty(), files.resolve("node.pem"), files.resolve("node.key"));
    ClientTls client = ClientTls.trusting(files.resolve("ca.pem"));
    try (var threads = Executors.newVirtualThreadPerTaskExecutor();
        var listening =
            (SSLServerSocket)
                node.context()
                    .getServerSocketFactory()
                    .createServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      var _ =
          threads.submit(() -> {
            while (true) {
              try (Socket accepted = listening.accept()) {
                accepted.getOutputStream().write('.');
              } catch (IOException e) {
                if (listening.isClosed()) {
                  return null;
                }
              }
            }
          });
      for (String name : List.of("store-0.store", "store-12.store", "store-0.store.logs.svc")) {
        try (Socket socket = client.secure(connect(listening), name)) {
          assertThat(socket.getInputStream().read()).as(name).isEqualTo('.');
        }
      }
      for (String name : List.of("ingest-0.ingest", "a.store-0.store", "store")) {
        assertThatThrownBy(() -> client.secure(connect(listening), name).close())
            .as(name)
            .isInstanceOf(IOException.class);
      }
    }
  }

  private static Socket connect(SSLServerSocket listening) throws IOException {
    return new Socket(listening.getInetAddress(), listening.getLocalPort());
  }

  @ParameterizedTest
  @CsvSource({
    "--api=http://localhost, 'expected https://HOST[:PORT], found http://localhost'",
    "--prefix=Logs, 'expected at most 63 small letters'",
    "--days=3651, 'expected 1 to 3650, found 3651'",
    "a b, expected a host's name",
    "--api=https://localhost:1, 'localhost:1: '"
  })
  void whatIsWrongIsSaidAndNothingIsMade(String argument, String why) {
    CommandRun run = run("localhost", argument);
    assertThat(run.code()).isEqualTo(Programs.ERROR);
    assertThat(run.err()).contains(why).doesNotContain("\tat ");
    assertThat(server.secrets).isEmpty();
  }

  @Test
  void aServerThatIsNotTheClustersGetsNoToken() throws IOException {
    Path other = folder.resolve("other");
    CertificateFolder.writeAuthority(
        other, Authority.create("Another", Validity.forDays(1)), false);
    Files.copy(
        other.resolve("ca.pem"),
        server.account().resolve("ca.crt"),
        StandardCopyOption.REPLACE_EXISTING);
    CommandRun run = run("localhost");
    assertThat(run.code()).isEqualTo(Programs.ERROR);
    assertThat(server.secrets).isEmpty();
  }

  @Test
  void anAccountThatMayNotIsToldWhatItsRoleNeeds() throws IOException {
    Files.writeString(server.account().resolve("token"), "another's");
    assertThat(run("localhost").err()).contains("found 403; the account's role needs to create");
  }

  @ParameterizedTest
  @CsvSource({
    "'{\"data\":{\"a\":\"YQ==\"},\"kind\":\"Secret\"}', '{a=a}'",
    "'{\"metadata\":{\"data\":{\"b\":\"YQ==\"}},\"data\":{\"a\":\"\"}}', '{a=}'",
    "{}, {}"
  })
  void secretsAreReadAsServersWriteThem(String json, String data) throws IOException {
    assertThat(SecretJson.data(json)).hasToString(data);
  }

  @ParameterizedTest
  @CsvSource({"[]", "''", "'{\"data\":{\"a\":\"?\"}}'", "'{\"data\":{\"a\":'"})
  void whatIsNoSecretIsAnError(String json) {
    assertThatThrownBy(() -> SecretJson.data(json)).isInstanceOf(IOException.class);
  }
}
