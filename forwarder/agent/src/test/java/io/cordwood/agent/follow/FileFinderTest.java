package io.cordwood.agent.follow;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file that a checkpoint knows, and that is not found at the first look. */
final class FileFinderTest {
  private static final int MOST_SEARCHES = 30;

  @TempDir private Path folder;
  private final List<String> said = new ArrayList<>();
  private final AtomicBoolean folderChanges = new AtomicBoolean();
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
      var cut = FileState.Cut.ofLines("shop");
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
            LabelRule.NONE,
            FollowOptions.Reading.of(Multiline.NONE),
            false,
            1 << 24);
    var parts =
        new BatchParts(new FollowCounters(), InstantSource.system(), new SentBatches(), () -> {});
    return new FileFinder(
        options,
        checkpoint,
        new FollowLog(said::add),
        parts,
        () -> folderChanges.get() ? new FolderListings(this::timeOfFolder) : new FolderListings());
  }

  /** Its time is always that of now, as if a name had just changed. */
  private long timeOfFolder() {
    try {
      return Files.getLastModifiedTime(logs).toMillis();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void searchWhileNamesChange() {
    folderChanges.set(true);
    finder.search();
    folderChanges.set(false);
  }

  @Test
  void whileItsFolderChangesItIsLookedForAgain() throws Exception {
    searchWhileNamesChange();
    assertThat(finder.hasSearched()).isFalse();
    Path rotated = Files.move(elsewhere, logs.resolve("app.log.1"));
    finder.search();
    assertThat(finder.followed()).singleElement().extracting(file -> file.state).isSameAs(state);
    assertThat(state.position()).isEqualTo(Files.size(rotated));
    assertThat(said).allMatch(line -> line.endsWith("nothing there yet; waiting for it"));
  }

  @Test
  void onceItsFolderIsStillItIsGivenUp() throws Exception {
    searchWhileNamesChange();
    Path unknown = Files.writeString(logs.resolve("app.log.2"), "another\n");
    finder.search();
    assertThat(checkpoint.states()).doesNotContain(state);
    assertThat(finder.followed())
        .singleElement()
        .extracting(file -> file.state.path)
        .isEqualTo(unknown);
  }

  /** It may be there all the time, under a name that each list has passed over. */
  @Test
  void inAFolderThatNeverRestsOthersAreReadAfterAWhileAndItStaysKnown() throws Exception {
    Path other = Files.writeString(logs.resolve("app.log.2"), "another\n");
    for (int i = 0; i < MOST_SEARCHES && !finder.hasSearched(); i++) {
      searchWhileNamesChange();
    }
    assertThat(finder.followed()).extracting(FollowedFile::place).contains(other);
    assertThat(checkpoint.states()).contains(state);
    Path rotated = Files.move(elsewhere, logs.resolve("app.log.1"));
    finder.search();
    assertThat(finder.followed()).extracting(file -> file.state).contains(state);
    assertThat(state.position()).isEqualTo(Files.size(rotated));
  }
}
