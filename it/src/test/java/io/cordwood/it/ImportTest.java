package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.cli.program.CommandRun;
import io.cordwood.cli.transfer.ImportCommand;
import io.cordwood.common.file.Filesystem;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.forwarder.PreparedBatch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code cordwood import} into a real node within this process. */
final class ImportTest {

  @TempDir private Path folder;
  private InProcessNode node;

  @BeforeEach
  void start() throws IOException {
    Path home = Files.createDirectory(folder.resolve("node"));
    node = new InProcessNode(home, Filesystem.real(), 0);
  }

  @AfterEach
  void stop() throws IOException {
    node.close();
  }

  private String file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text).toString();
  }

  private CommandRun importFrom(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--tz", "America/New_York", "127.0.0.1:" + node.durablePort()));
    return CommandRun.of("import", new ImportCommand(), all.toArray(String[]::new));
  }

  private void awaitStored(int records) {
    await().until(() -> node.stored().size() >= records);
    assertThat(node.stored()).hasSize(records);
  }

  @Test
  void recordsHaveTheTimesOfTheirLinesInTheirZones() throws IOException {
    StringBuilder text = new StringBuilder();
    for (String zone : List.of(" UTC", "+00", " CET", " GMT", "Z", " -0700", "")) {
      text.append("2025-11-25 10:00:00.123").append(zone).append(" [7] LOG: x\n");
    }
    CommandRun run = importFrom("--file", file("pg.log", text.toString()));
    assertThat(run.code()).as(run.err()).isZero();
    awaitStored(7);
    assertThat(node.stored().keySet().stream().map(Ulid::time).map(Instant::toString))
        .containsExactly(
            "2025-11-25T09:00:00.123Z",
            "2025-11-25T10:00:00.123Z",
            "2025-11-25T10:00:00.123Z",
            "2025-11-25T10:00:00.123Z",
            "2025-11-25T10:00:00.123Z",
            "2025-11-25T15:00:00.123Z",
            "2025-11-25T17:00:00.123Z");
  }

  @Test
  void aZoneThatIsNotKnownInTheLastFileSendsNothingOfTheFirst() throws IOException {
    String good = file("good.log", "2025-11-25 10:00:00Z a\n");
    String bad = file("bad.log", "2025-11-25 10:00:00Z a\n2025-11-25 10:00:00 IST b\n");
    CommandRun run = importFrom("--file", good, "--file", bad);
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).contains("bad.log line 2: ").contains("found \"IST\"");
    assertThat(importFrom("--file", good).code()).isZero();
    awaitStored(1);
  }

  @Test
  void aLineThatIsLongerThanARecordIsSeveralAndEachIsThereOnce() throws IOException {
    String begin = "2025-11-25 10:00:00Z ";
    String line = begin + "x".repeat(PreparedBatch.MAX_RECORD_BYTES);
    String file = file("long.log", line + "\n" + begin + "last\n");
    for (int i = 0; i < 2; i++) {
      assertThat(importFrom("--file", file).code()).isZero();
    }
    awaitStored(3);
    assertThat(String.join("", node.stored().values())).isEqualTo(line + begin + "last");
  }

  @Test
  void linesOfTwoFilesWithTheSameTextAreTheSameRecords() throws IOException {
    String text = "2025-11-25 10:00:00Z a\n2025-11-25 10:00:00Z a\n";
    CommandRun run = importFrom("--file", file("a.log", text), "--file", file("b.log", text));
    assertThat(run.err()).contains("4 lines of 2 files");
    awaitStored(2);
  }

  @Test
  void anEmptyFileHasNothingToImport() throws IOException {
    CommandRun run = importFrom("--file", file("empty.log", ""));
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err()).contains("0 lines of 1 files acknowledged");
  }
}
