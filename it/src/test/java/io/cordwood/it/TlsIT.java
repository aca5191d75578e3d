package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.http.client.CliClient;
import io.cordwood.common.tls.ClientTls;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cluster of processes with certificates that {@code cordwood ca} made. */
final class TlsIT {
  @TempDir Path folder;

  private Program.Result ca(String... arguments) throws IOException {
    String[] all = new String[arguments.length + 3];
    all[0] = "ca";
    all[1] = arguments[0];
    all[2] = "--dir";
    all[3] = folder.resolve("ca").toString();
    System.arraycopy(arguments, 1, all, 4, arguments.length - 1);
    return Program.run(all);
  }

  private String tls(String node) {
    return "--tls-dir=" + folder.resolve(node);
  }

  private String get(NodeProcess node, String path) throws IOException {
    ClientTls tls = ClientTls.trusting(folder.resolve("ca/ca.pem"));
    var client = new CliClient(Program.LONG, Program.LONG).withTls(Optional.of(tls));
    URI uri = URI.create("https://127.0.0.1:" + node.apiPort() + path);
    try (CliClient.Answer answer = client.get(uri)) {
      return new String(answer.body().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void clusterWithTlsStoresReplicatesAndAnswers() throws Exception {
    assertThat(ca("init").exitCode()).isZero();
    Path key = folder.resolve("ca/ca.key");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(key)))
        .isEqualTo("rw-------");
    Program.Result again = ca("init");
    assertThat(again.exitCode()).isEqualTo(2);
    assertThat(again.errors()).contains("is there already; --force replaces it");
    String out = folder.resolve("n").toString();
    assertThat(ca("node", "--out", out, "localhost", "127.0.0.1").exitCode()).isZero();
    assertThat(ca("client", "--out", folder.resolve("c").toString(), "alice").exitCode()).isZero();

    try (NodeProcess ingest = NodeProcess.start("ingest", folder.resolve("i"), tls("n"))) {
      String peer = "--peer=127.0.0.1:" + ingest.port("gossip");
      try (NodeProcess one =
              NodeProcess.start(
                  "store", folder.resolve("1"), tls("n"), peer, "--replication-factor=2");
          NodeProcess two =
              NodeProcess.start(
                  "store", folder.resolve("2"), tls("n"), peer, "--replication-factor=2")) {
        forward(ingest);
        for (NodeProcess store : new NodeProcess[] {one, two}) {
          await().untilAsserted(() -> assertThat(get(store, "/store/segments")).endsWith("\t3\n"));
        }
        answers(two);
        refusals(one);
        appenders(ingest, two);
        healthOfTheImage(one);
      }
    }
  }

  private void forward(NodeProcess ingest) throws IOException {
    Files.writeString(folder.resolve("app.log"), "one\ntwo\nthree\n");
    String block =
        DocBlock.runBy(TlsIT.class, "forward.md")
            .text()
            .replace("cordwood ", "\"$CORDWOOD\" ")
            .replace("log1/", "n/")
            .replace("tls://log1 tls://log2", "tls://127.0.0.1:" + ingest.durablePort());
    try (Program forward = Program.shell(folder, block)) {
      Program.Result end = forward.end();
      assertThat(end.exitCode()).as(end.errors()).isZero();
    }
  }

  private void answers(NodeProcess store) throws IOException {
    Program.Result found =
        Program.run(
            "grep",
            "--node=https://localhost:" + store.apiPort(),
            "--tls-ca=" + folder.resolve("c/ca.pem"),
            "--tls-cert=" + folder.resolve("c/client.pem"),
            "--tls-key=" + folder.resolve("c/client.key"),
            "--stats",
            "t");
    assertThat(found.text()).as(found.errors()).isEqualTo("two\nthree\n");
    assertThat(found.exitCode()).as(found.errors()).isZero();
  }

  private void appenders(NodeProcess ingest, NodeProcess store) throws Exception {
    String authorities = folder.resolve("ca/ca.pem").toString();
    String target = "tls://127.0.0.1:" + ingest.durablePort();
    for (LoggingApplication application :
        List.of(
            LoggingApplication.log4j(target, authorities),
            LoggingApplication.logback(target, authorities))) {
      application.log(0, 10);
      application.awaitAcknowledged(10);
      application.stop().run();
      String query = "/query?q=" + application.name() + "+event";
      assertThat(get(store, query).lines().toList()).isEqualTo(application.events(10));
    }
  }

  /** As Docker asks it, but that the program is elsewhere. */
  private void healthOfTheImage(NodeProcess node) throws IOException {
    String image = Files.readString(Path.of("../Dockerfile"));
    String check =
        image
            .replaceFirst("(?s).*\nHEALTHCHECK [^\n]*\n *CMD (.*?)\nENTRYPOINT.*", "$1")
            .replace("\\\n", " ")
            .replace("/opt/cordwood/cordwood", "\"$CORDWOOD\"");
    String port = "export CORDWOOD_API_PORT=" + node.apiPort() + "; ";
    String tls = "export CORDWOOD_TLS_DIR='" + folder.resolve("n") + "'; ";
    try (Program healthy = Program.shell(folder, port + tls + check);
        Program plain = Program.shell(folder, port + check)) {
      assertThat(healthy.exitCode()).as(healthy.err()).isZero();
      assertThat(plain.exitCode()).isEqualTo(1);
    }
  }

  private void refusals(NodeProcess store) throws IOException {
    String node = "localhost:" + store.apiPort();
    assertThat(Program.run("grep", "--node", "https://" + node, "t").errors())
        .contains("is of an authority that is not trusted here");
    assertThat(Program.run("grep", "--node", node, "t").errors())
        .contains("this port speaks TLS: use https://");
  }
}
