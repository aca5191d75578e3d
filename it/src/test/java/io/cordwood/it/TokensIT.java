package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two nodes with a key and tokens, on all addresses: who has none gets nothing. */
final class TokensIT {
  private static final String LINES = "an order\nanother order\n";

  @TempDir private Path folder;

  private NodeProcess ingest;
  private NodeProcess store;

  private void token(String name, String... flags) throws IOException {
    List<String> all = new ArrayList<>(List.of("token", "add", name));
    all.addAll(List.of("--file", folder.resolve("tokens").toString()));
    all.addAll(List.of(flags));
    Program.Result made = Program.run(all.toArray(String[]::new));
    assertThat(made.exitCode()).as(made.errors()).isZero();
    Files.writeString(folder.resolve(name), made.text());
  }

  @BeforeEach
  void start() throws IOException {
    Path key = Files.writeString(folder.resolve("key"), "3c".repeat(32));
    token("shop", "--scope", "ingest,query", "--topic", "shop*");
    token("other", "--scope", "ingest,query", "--topic", "other");
    token("boss", "--scope", "admin");
    List<String> access =
        List.of(
            "--bind",
            "0.0.0.0",
            "--insecure",
            "--advertise",
            "127.0.0.1",
            "--cluster-key-file",
            key.toString(),
            "--tokens",
            folder.resolve("tokens").toString());
    ingest = NodeProcess.start("ingest", folder.resolve("i"), access.toArray(String[]::new));
    List<String> joining = new ArrayList<>(access);
    joining.addAll(List.of("--peer", "127.0.0.1:" + ingest.port("gossip")));
    joining.addAll(List.of("--replication-factor", "1"));
    store = NodeProcess.start("store", folder.resolve("s"), joining.toArray(String[]::new));
  }

  @AfterEach
  void stop() {
    if (store != null) {
      store.close();
    }
    if (ingest != null) {
      ingest.close();
    }
  }

  private String tokenFlag(String name) {
    return "--token-file=" + folder.resolve(name);
  }

  private Program.Result forward(String... flags) throws IOException {
    List<String> line = new ArrayList<>(List.of("forward", "--durable"));
    line.addAll(List.of(flags));
    line.add("localhost:" + ingest.durablePort());
    String script = "printf '" + LINES.replace("\n", "\\n") + "' | \"$@\"";
    try (Program program = Program.startBy(script, line.toArray(String[]::new))) {
      return program.end();
    }
  }

  /** As a scraper with a token of an administrator sees it. */
  private double consumedBytes() throws IOException {
    URI uri = URI.create("http://localhost:" + store.apiPort() + "/metrics");
    URLConnection call = uri.toURL().openConnection();
    String text = Files.readString(folder.resolve("boss")).strip();
    call.setRequestProperty("Authorization", "Bearer " + text);
    try (InputStream in = call.getInputStream()) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> line.startsWith("cordwood_store_consumed_bytes_total"))
          .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
          .sum();
    }
  }

  @Test
  void recordsComeAndGoByTokensAndNobodyElseGetsAny() throws IOException {
    assertThat(forward("--topic", "shop-1", tokenFlag("shop")).exitCode()).isZero();
    await()
        .untilAsserted(
            () -> assertThat(store.grep(tokenFlag("shop"), "order").text()).isEqualTo(LINES));
    await().alias("the store has claimed it from the ingest node").until(() -> consumedBytes() > 0);

    assertThat(store.grep(tokenFlag("shop"), "order").text()).isEqualTo(LINES);
    assertThat(store.grep(tokenFlag("other"), "order").text()).isEmpty();
    Program.Result foreign = store.grep(tokenFlag("other"), "--topic=shop-1", "order");
    assertThat(foreign.exitCode()).isEqualTo(2);
    assertThat(foreign.errors()).contains("403", "expected topics of the token other");
    Program.Result none = store.grep("order");
    assertThat(none.exitCode()).isEqualTo(2);
    assertThat(none.errors()).contains("401", "--token-file", "CORDWOOD_TOKEN");
    assertThat(store.grep(tokenFlag("boss"), "order").errors()).contains("scope query");
    assertThat(ingest.request("POST", "/ingest/claim").statusCode()).isEqualTo(403);
    assertThat(store.request("GET", "/query/tier?tier=store").statusCode()).isEqualTo(403);
    assertThat(store.request("GET", "/cluster").statusCode()).isEqualTo(401);
    try (Sender raw = ingest.connect()) {
      assertThat(raw.send("no token\n").end()).startsWith("error: expected a first line");
    }
    await()
        .untilAsserted(() ->
            assertThat(folder.resolve("s/data/audit.log"))
                .content()
                .contains(
                    "\"token\":\"shop\"", "\"what\":\"GET /query\"", "\"outcome\":\"refused\""));
  }

  @Test
  void tokensAreListedWithoutTheirTexts() throws IOException {
    String file = "--file=" + folder.resolve("tokens");
    Program.Result list = Program.run("token", "list", file);
    assertThat(list.text())
        .isEqualTo(
            """
            shop\tingest,query\tshop*\tnever\t-\t-
            other\tingest,query\tother\tnever\t-\t-
            boss\tadmin\t*\tnever\t-\t-
            """);
  }

  @Test
  void aNodeThatOthersCanReachDoesNotStartWithoutTokens() throws IOException {
    String data = folder.resolve("x").toString();
    Program.Result refused = Program.run("ingeststore", "--data", data, "--bind", "0.0.0.0");
    assertThat(refused.exitCode()).isEqualTo(2);
    assertThat(refused.errors()).contains("--bind: 0.0.0.0", "--tokens", "--tls-dir", "--insecure");
    assertThat(folder.resolve("x")).doesNotExist();
  }
}
