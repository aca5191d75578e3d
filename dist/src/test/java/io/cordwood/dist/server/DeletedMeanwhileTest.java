package io.cordwood.dist.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node that starts and meets nobody does not know what was deleted while it was away. */
final class DeletedMeanwhileTest {
  private static final String ANSWER = "/query?q=secret&format=json";

  @TempDir private Path folder;

  @Test
  void answersOfANodeThatMeetsNobodyAreInDoubtUntilItMeetsOne() throws IOException {
    try (LiveNode ingest = ingest();
        LiveNode store = store(ingest.gossipPort())) {
      await()
          .until(() ->
              ingest
                  .post("/ingest/bulk?wait=10m&topic=shop", "the secret\n".getBytes(UTF_8))
                  .startsWith("committed "));
      await().until(() -> store.get(ANSWER).contains("\"verdict\":\"complete\""));
      assertThat(store.get(ANSWER)).contains("the secret");
    }
    int nobody;
    try (LiveNode ingest = ingest()) {
      nobody = ingest.gossipPort();
      Instant now = Instant.now();
      await().until(() -> Instant.now().isAfter(now.plusMillis(1)));
      String asked = "/delete?topic=shop&from=2020-01-01&to=" + now + "&count=0";
      assertThat(ingest.post(asked, new byte[0])).startsWith("0 records deleted, as ");
    }
    try (LiveNode store = store(nobody)) {
      assertThat(store.get(ANSWER))
          .contains("\"verdict\":\"possibly-incomplete\"")
          .contains("this node sees no other, and does not know what is deleted");
      try (LiveNode ingest = ingest("--peer=127.0.0.1:" + store.gossipPort())) {
        await().until(() -> !store.get(ANSWER).contains("does not know what is deleted"));
        assertThat(store.get(ANSWER)).doesNotContain("the secret");
        assertThat(ingest.get(ANSWER)).doesNotContain("the secret");
      }
    }
  }

  private LiveNode ingest(String... flags) throws IOException {
    return LiveNode.start("ingest", folder.resolve("ingest"), flags);
  }

  private LiveNode store(int peer) throws IOException {
    return LiveNode.start(
        "store", folder.resolve("store"), "--peer=127.0.0.1:" + peer, "--replication-factor=1");
  }
}
