package io.cordwood.ingest.mode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.file.FaultyFilesystem;
import io.cordwood.common.file.FaultyFilesystem.Call;
import io.cordwood.common.segment.Records;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.ingest.node.RunningNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node says so whose threads have ended that it cannot do without. */
final class DeathTest {
  private static final Ulid NOW = Ulid.firstOf(System.currentTimeMillis());

  @TempDir Path folder;
  private final AtomicBoolean deadly = new AtomicBoolean();

  private RunningNode start() throws IOException {
    return new RunningNode(RunningNode.options(folder), new FaultyFilesystem(this::fails));
  }

  private boolean fails(Call call, long number) {
    if (call == Call.FORCE && deadly.get()) {
      throw new InternalError("injected at call " + number);
    }
    return false;
  }

  @Test
  void ofTheCommitterAndNothingIsAcknowledgedAfterIt() throws IOException {
    var running = start();
    try (var node = running.node) {
      assertThat(node.death()).isEmpty();
      deadly.set(true);
      assertThat(running.sendDurable(Records.wire(Records.lines(NOW, "a line"))))
          .doesNotContain("ack");
      await().until(() -> node.death().isPresent());
      assertThat(node.death())
          .hasValueSatisfying(why ->
              assertThat(why)
                  .startsWith("durable mode has failed, and needs a restart: ")
                  .contains("injected"));
      assertThat(node.trouble()).isPresent();
      deadly.set(false);
    }
    assertRecovered();
  }

  @Test
  void ofTheFlusherAndTheNextStartHasWhatWasWritten() throws IOException {
    var running = start();
    try (var node = running.node) {
      deadly.set(true);
      running.send("a line\n");
      await().until(() -> node.death().isPresent());
      assertThat(node.death())
          .hasValueSatisfying(why -> assertThat(why).startsWith("the flusher has failed"));
      deadly.set(false);
    }
    assertRecovered();
  }

  private void assertRecovered() throws IOException {
    try (RunningNode again = RunningNode.in(folder)) {
      assertThat(RunningNode.text(again.consume(1))).isEqualTo("a line\n");
      assertThat(again.node.death()).isEmpty();
    }
  }
}
