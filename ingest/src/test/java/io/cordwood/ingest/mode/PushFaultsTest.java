package io.cordwood.ingest.mode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.file.FaultyFilesystem;
import io.cordwood.common.file.FaultyFilesystem.Call;
import io.cordwood.ingest.node.HttpNode;
import io.cordwood.ingest.node.RunningNode;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What requests for the durable mode are answered while the disk is slow, fails or is full. */
class PushFaultsTest {
  @TempDir Path folder;

  @Test
  void theAnswerComesAfterTheForce() throws Exception {
    var forces = new HeldForces();
    try (var http = new HttpNode(RunningNode.options(folder), forces.filesystem())) {
      forces.hold();
      var answer = http.postAsync("/ingest", "one\n");
      await().until(() -> forces.waiting() > 0);
      assertThat(answer).isNotDone();
      forces.letGo();
      assertThat(answer.get().body()).isEqualTo("stored records=1 bytes=4\n");
      http.node.assertLedgerIsExact();
    }
  }

  @Test
  void aDiskThatCannotForceIsNoSuccessAndSaysToTryAgain() throws Exception {
    var failing = new AtomicBoolean(true);
    var files = new FaultyFilesystem((call, _) -> call == Call.FORCE && failing.get());
    try (var http = new HttpNode(RunningNode.options(folder), files)) {
      for (int i = 0; i < 2; i++) {
        HttpResponse<String> answer = http.postAsync("/ingest", "one\n").get();
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.headers().firstValue("retry-after")).isPresent();
        assertThat(answer.body()).contains("the disk cannot force");
      }
      failing.set(false);
      await().until(() -> http.postAsync("/ingest", "two\n").get().statusCode() == 200);
      http.node.assertLedgerIsExact();
    }
  }

  @Test
  void aFullDiskIsNoSuccessAndWhatIsNotTakenInTimeIsCountedAsRejected() throws Exception {
    try (SmallDisk disk = SmallDisk.orSkip(folder);
        var http = new HttpNode(RunningNode.options(disk.data()))) {
      byte[] much = "x".repeat(99).concat("\n").repeat(40_000).getBytes(StandardCharsets.US_ASCII);
      for (String mode : new String[] {"fast", "durable"}) {
        var answer = http.post("/ingest?wait=100ms&durability=" + mode, much);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(503);
      }
      http.node.assertLedgerIsExact();
      disk.free();
      await()
          .until(() ->
              http.post("/ingest?wait=20s", "one\n".getBytes(StandardCharsets.US_ASCII))
                      .statusCode()
                  == 200);
      http.node.assertLedgerIsExact();
    }
  }

  @Test
  void aNodeThatEndsTakesNoMore() throws Exception {
    try (var http = new HttpNode(RunningNode.options(folder))) {
      http.node.node.stopTaking();
      assertThat(http.postAsync("/ingest", "one\n").get().statusCode()).isEqualTo(503);
      assertThat(http.postAsync("/ingest?durability=fast", "one\n").get().statusCode())
          .isEqualTo(503);
    }
  }
}
