package io.cordwood.agent.follow;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.common.wire.Labels;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Batches that an earlier process has planned, and may have sent: made again, or not at all. */
final class FileBatchesTest {
  private static final String CONTENT = "a line\n".repeat(1000);
  private static final int ARRIVED = 700;
  private static final int PLANNED = 1400;
  private static final RecordStamp STAMP = RecordStamp.first(1);

  @TempDir private Path folder;
  private Path path;
  private FileState state;
  private FollowedFile file;

  @BeforeEach
  void planOneBatch() throws IOException {
    path = Files.writeString(folder.resolve("app.log"), CONTENT);
    try (FileChannel channel = FileChannel.open(path)) {
      var cut = FileState.Cut.ofLines("default");
      Content.Head head = Content.Head.of(channel, channel.size());
      state = new FileState(1, FileStat.of(path).key(), path, head, cut, STAMP);
      state.standAt(ARRIVED, Content.tail(channel, ARRIVED), STAMP);
      int crc = Content.checksum(CONTENT.getBytes(US_ASCII), ARRIVED, PLANNED);
      int tail = Content.tail(channel, PLANNED);
      state.plan(new PlannedBatch(ARRIVED, PLANNED, STAMP, 100, crc, tail, Labels.NONE));
    }
    file = followed(path);
  }

  private FollowedFile followed(Path place) throws IOException {
    var parts =
        new BatchParts(new FollowCounters(), InstantSource.system(), new SentBatches(), () -> {});
    var made = new FollowedFile(state, place, parts);
    made.isAt(place, FileStat.of(place), true);
    return made;
  }

  @AfterEach
  void close() throws IOException {
    file.close();
  }

  private void assertMadeAgain() throws IOException {
    FollowedFile.Made made = Objects.requireNonNull(file.next(new BatchArrays(), 0));
    assertThat(made.isAgain()).isTrue();
    assertThat(made.plan().stamp()).isEqualTo(STAMP);
    assertThat(made.plan().records()).isEqualTo(100);
  }

  /** The copy that was made before has them still: nothing must be planned anew. */
  @Test
  void ofAFileThatIsTruncatedAfterItWasOpenedTheyAreLookedForElsewhere() throws IOException {
    assertThat(file.openAsItArrived()).isNotNull();
    Path copy = Files.copy(path, folder.resolve("app.log.1"));
    for (String since : List.of("", "another line\n".repeat(1000))) {
      Files.writeString(path, since);
      assertThatThrownBy(() -> file.next(new BatchArrays(), 0))
          .isInstanceOf(FollowedFile.ReplacedException.class);
    }
    file.close();
    file.isAt(copy, FileStat.of(copy), false);
    assertMadeAgain();
  }

  @Test
  void ofACopyThatIsBeingMadeTheyAreWaitedFor() throws IOException {
    Path copy = Files.writeString(folder.resolve("app.log.1"), CONTENT.substring(0, 1100));
    file = followed(copy);
    assertThat(file.next(new BatchArrays(), 0)).isNull();
    Files.writeString(copy, CONTENT);
    assertMadeAgain();
  }

  @Test
  void ofAFileWhoseBytesWereChangedInPlaceTheyAreGivenUp() throws IOException {
    Files.writeString(path, CONTENT.substring(0, ARRIVED) + "b" + CONTENT.substring(ARRIVED + 1));
    state.head = Content.Head.NONE;
    assertThatThrownBy(() -> file.next(new BatchArrays(), 0))
        .isInstanceOf(FollowedFile.ChangedException.class);
  }
}
