package io.cordwood.dist.follow;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file that a checkpoint knows, and that is not found at the first look. */
final class FileFinderTest {
  private static final int MOST_TRIES = 100;
  private static final int MOST_SEARCHES = 30;

  @TempDir private Path folder;
  private final List<String> said = new ArrayList<>();
  private Path logs;
  private Path elsewhere;
  private Checkpoint checkpoint;
  private FileState state;
  private FileFinder finder;

  @BeforeEach
  void readAFileToItsEndAndMoveItOutOfSight() throws IOException {
    logs = Files.createDirectories(folder.resolve("logs"));
    elsewhere = folder.resolve("app.log");
    checkpoint = Checkpoint.open(folder.resolve("checkpoint"), said::add);
    Path file = Files.writeString(logs.resolve("app.log"), "line\n".repeat(1000));
    try (FileChannel channel = FileChannel.open(file)) {
      var cut = new FileState.Cut("shop", Multiline.NONE);
      Content.Head head = Content.Head.of(channel, channel.size());
      state = checkpoint.add(FileStat.of(file).key(), file, head, cut);
      state.standAt(channel.size(), Content.tail(channel, channel.size()), state.next());
    }
    Files.move(file, elsewhere);
    finder = finder();
  }

  @AfterEach
  void close() throws IOException {
    for (FollowedFile file : finder.followed()) {
      file.close();
    }
    checkpoint.close();
  }

  private FileFinder finder() {
    var options =
        new FollowOptions(
            List.of(logs.resolve("app.log*").toString()),
            folder.resolve("checkpoint"),
            TopicRule.template("shop"),
            Multiline.NONE,
            false,
            false,
            Duration.ofSeconds(1),
            1 << 24);
    var parts =
        new FileBatches.Parts(
            new FollowCounters(), InstantSource.system(), new SentBatches(), () -> {});
    return new FileFinder(options, checkpoint, new FollowLog(said::add), parts);
  }

  /** Searches while names in the folder come and go. */
  private void searchMeanwhile() throws Exception {
    AtomicBoolean ended = new AtomicBoolean();
    CountDownLatch changing = new CountDownLatch(1);
    Thread changes =
        Thread.ofPlatform()
            .start(() -> {
              while (!ended.get()) {
                try {
                  Files.delete(Files.createFile(logs.resolve("other")));
                } catch (IOException e) {
                  throw new AssertionError(e);
                }
                changing.countDown();
              }
            });
    changing.await();
    try {
      finder.search();
    } finally {
      ended.set(true);
      changes.join();
    }
  }

  /** Searches until one of the folder's lists was not certain, as most are. */
  private void searchUncertainly() throws Exception {
    for (int i = 0; i < MOST_TRIES; i++) {
      searchMeanwhile();
      if (!finder.hasSearched()) {
        return;
      }
      close();
      Files.delete(folder.resolve("checkpoint"));
      Files.move(elsewhere, logs.resolve("app.log"));
      said.clear();
      readAFileToItsEndAndMoveItOutOfSight();
    }
    throw new AssertionError("expected a list that is not certain, in " + MOST_TRIES);
  }

  @Test
  void whileItsFolderChangesItIsLookedForAgain() throws Exception {
    searchUncertainly();
    Path rotated = Files.move(elsewhere, logs.resolve("app.log.1"));
    finder.search();
    assertThat(finder.followed()).singleElement().extracting(file -> file.state).isSameAs(state);
    assertThat(state.position()).isEqualTo(Files.size(rotated));
    assertThat(said).isEmpty();
  }

  @Test
  void onceItsFolderIsStillItIsGivenUp() throws Exception {
    searchUncertainly();
    Path unknown = Files.writeString(logs.resolve("app.log.2"), "another\n");
    finder.search();
    assertThat(checkpoint.states()).doesNotContain(state);
    assertThat(finder.followed())
        .singleElement()
        .extracting(file -> file.state.path)
        .isEqualTo(unknown);
  }

  @Test
  void inAFolderThatNeverRestsItIsGivenUpAfterAWhile() throws Exception {
    searchUncertainly();
    for (int i = 0; i < MOST_SEARCHES && !finder.hasSearched(); i++) {
      searchMeanwhile();
    }
    assertThat(finder.hasSearched()).isTrue();
    assertThat(checkpoint.states()).doesNotContain(state);
  }
}
