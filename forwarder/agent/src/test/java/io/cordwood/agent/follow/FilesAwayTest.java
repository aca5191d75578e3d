package io.cordwood.agent.follow;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A folder that is not there for a while, as that of a volume which is not mounted. */
final class FilesAwayTest {
  @TempDir private Path folder;
  private FollowFixture follow;
  private Path logs;
  private Path elsewhere;

  @BeforeEach
  void readTwoFiles() throws IOException {
    logs = Files.createDirectories(folder.resolve("logs"));
    elsewhere = folder.resolve("elsewhere");
    Files.writeString(logs.resolve("a.log"), "1\n".repeat(Content.HEAD_BYTES));
    Files.writeString(logs.resolve("b.log"), "2\n");
    follow = new FollowFixture(folder.resolve("cp"), logs.resolve("*.log"));
    assertThat(follow.read()).hasSize(Content.HEAD_BYTES + 1);
  }

  @AfterEach
  void close() throws IOException {
    follow.close();
  }

  private void pause(boolean restarts) throws IOException {
    follow.closeFiles();
    if (restarts) {
      follow.restart();
    }
  }

  private void assertNothingThere() throws IOException {
    assertThat(follow.read()).isEmpty();
    assertThat(follow.read()).isEmpty();
    assertThat(follow.counters.json()).contains("\"files\":0,\"files_away\":2,");
    assertThat(follow.counters.errors.sum()).isZero();
  }

  private void assertOnlyWhatIsNewIsRead() throws IOException {
    Files.writeString(logs.resolve("a.log"), "new\n", StandardOpenOption.APPEND);
    assertThat(follow.read()).containsExactly("a new");
    assertThat(follow.read()).isEmpty();
    assertThat(follow.counters.json())
        .contains("\"files\":2,\"files_away\":0,", "\"bytes_lost\":0,");
    assertThat(follow.checkpoint.states()).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatWasReadIsNotReadAgainOnceTheFolderIsBack(boolean restarts) throws IOException {
    Files.move(logs, elsewhere);
    pause(restarts);
    assertNothingThere();
    pause(restarts);
    Files.move(elsewhere, logs);
    assertOnlyWhatIsNewIsRead();
  }

  /** As the place where a volume is to be mounted is. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void emptyFolderInItsPlaceIsAnotherOne(boolean restarts) throws IOException {
    Files.move(logs, elsewhere);
    Files.createDirectory(logs);
    pause(restarts);
    assertNothingThere();
    pause(restarts);
    Files.delete(logs);
    Files.move(elsewhere, logs);
    assertOnlyWhatIsNewIsRead();
  }

  /** As when a volume is mounted again, and its device has another number. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void filesThatComeBackWithOtherNumbersAreKnownByTheirContent(boolean restarts)
      throws IOException {
    Files.move(logs, elsewhere);
    pause(restarts);
    assertNothingThere();
    Files.createDirectory(logs);
    for (String name : List.of("a.log", "b.log")) {
      Files.copy(elsewhere.resolve(name), logs.resolve(name));
    }
    assertOnlyWhatIsNewIsRead();
  }

  @Test
  void othersAreReadMeanwhile() throws IOException {
    Files.move(logs, elsewhere);
    pause(true);
    assertNothingThere();
    Files.createDirectory(logs);
    Files.writeString(logs.resolve("c.log"), "3\n");
    assertThat(follow.read()).containsExactly("c 3");
  }

  @Test
  void afterADayTheyAreForgottenAndCounted() throws IOException {
    Files.move(logs, elsewhere);
    pause(false);
    assertNothingThere();
    follow.millis.addAndGet(FollowedFiles.AWAY_MILLIS / 2);
    pause(true);
    assertNothingThere();
    follow.millis.addAndGet(FollowedFiles.AWAY_MILLIS / 2 + 1);
    assertThat(follow.read()).isEmpty();
    assertThat(follow.counters.json()).contains("\"files_away\":0,\"files_forgotten\":2,");
    assertThat(follow.checkpoint.states()).isEmpty();
    assertThat(follow.finder.held()).isZero();
  }

  @Test
  void filesThatAreDeletedAreForgottenAtOnce() throws IOException {
    Files.delete(logs.resolve("a.log"));
    Files.delete(logs.resolve("b.log"));
    pause(false);
    awaitCertain();
    assertThat(follow.counters.json()).contains("\"files_away\":0,\"files_forgotten\":0,");
  }

  private void awaitCertain() throws IOException {
    org.awaitility.Awaitility.await()
        .until(() -> {
          assertThat(follow.read()).isEmpty();
          return follow.finder.held() == 0;
        });
    assertThat(follow.checkpoint.states()).isEmpty();
  }

  @Test
  void nothingIsHeldOfFilesThatHaveComeAndGone() throws IOException {
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < 30; i++) {
        Path file = logs.resolve(round + "-" + i + ".log");
        Files.writeString(file, (round + " " + i + "\n").repeat(300));
        Files.copy(file, logs.resolve(file.getFileName() + ".1.log"));
        Files.writeString(logs.resolve("-" + i + ".log"), "no topic\n");
      }
      assertThat(follow.read()).isNotEmpty();
      try (var files = Files.list(logs)) {
        for (Path file : files.toList()) {
          Files.delete(file);
        }
      }
      pause(false);
      awaitCertain();
    }
  }

  @Test
  void fileThatIsTruncatedIsReplacedOnce() throws IOException {
    follow.closeFiles();
    FollowedFile file =
        follow.finder.followed().stream()
            .filter(one -> one.state.topic.equals("a"))
            .findFirst()
            .orElseThrow();
    Files.writeString(logs.resolve("a.log"), "new\n");
    follow.finder.replaced(file);
    follow.finder.replaced(file);
    assertThat(follow.counters.truncations.sum()).isEqualTo(1);
    assertThat(follow.read()).containsExactly("a new");
    assertThat(follow.checkpoint.states()).hasSize(2);
  }

  /** A name that another file has by now says nothing of the one that had it. */
  @Test
  void fileThatIsRenamedIsNotTakenForATruncatedOne() throws IOException {
    FollowedFile file =
        follow.finder.followed().stream()
            .filter(one -> one.state.topic.equals("b"))
            .findFirst()
            .orElseThrow();
    pause(false);
    Files.writeString(logs.resolve("b.log"), "rest\n", StandardOpenOption.APPEND);
    Files.move(logs.resolve("b.log"), logs.resolve("renamed"));
    Files.writeString(logs.resolve("b.log"), "other\n");
    follow.finder.replaced(file);
    assertThat(follow.read()).containsExactlyInAnyOrder("b rest", "b other");
    assertThat(follow.counters.truncations.sum()).isZero();
    assertThat(follow.counters.bytesLost.sum()).isZero();
  }
}
