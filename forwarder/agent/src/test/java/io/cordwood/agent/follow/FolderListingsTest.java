package io.cordwood.agent.follow;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Folders in which names change while they are listed. */
final class FolderListingsTest {
  private static final int FILES = 40;
  private static final int LOOKS = 300;
  private static final long PAUSE_NANOS = 50_000_000;

  @TempDir private Path folder;

  private Path numbered(int number) {
    return folder.resolve("app.log." + number);
  }

  /** A listing may pass over what is renamed while it is made: that is not gone. */
  @Test
  void filesThatAreRotatedMeanwhileAreAllThere() throws Exception {
    FileStat.Key[] keys = new FileStat.Key[FILES];
    for (int i = 0; i < FILES; i++) {
      keys[i] = FileStat.of(Files.writeString(numbered(i), "line\n")).key();
    }
    AtomicBoolean ended = new AtomicBoolean();
    CountDownLatch rotating = new CountDownLatch(1);
    Thread rotation =
        Thread.ofPlatform()
            .start(() -> {
              for (int shift = 0; !ended.get(); shift++) {
                rotate(shift);
                rotating.countDown();
                LockSupport.parkNanos(PAUSE_NANOS);
              }
            });
    rotating.await();
    int missed = 0;
    for (int look = 0; look < LOOKS; look++) {
      var listings = new FolderListings();
      for (FileStat.Key key : keys) {
        missed += listings.find(known(numbered(0), key)) == null ? 1 : 0;
      }
    }
    ended.set(true);
    rotation.join();
    assertThat(missed).isZero();
  }

  @Test
  void whatHasGotAnotherNameSinceItWasListedIsFoundUnderThat() throws IOException {
    FileStat.Key first = FileStat.of(Files.writeString(numbered(1), "line\n")).key();
    FileStat.Key second = FileStat.of(Files.writeString(numbered(2), "other\n")).key();
    var listings = new FolderListings();
    assertThat(listings.find(known(numbered(1), second))).isNotNull();
    Files.move(numbered(2), numbered(3));
    Files.move(numbered(1), numbered(2));
    FolderListings.Entry found = listings.find(known(numbered(1), first));
    assertThat(found).isEqualTo(new FolderListings.Entry(numbered(2), FileStat.of(numbered(2))));
  }

  /** After the rotation the copy has the name that the list has for another file. */
  @Test
  void aCopyIsNotTakenForTheFileThatHadItsNameWhenTheFolderWasListed() throws IOException {
    String content = "line\n".repeat(Content.HEAD_BYTES);
    FileState state = readToItsEnd(Files.writeString(numbered(0), content));
    FileStat.Key other = FileStat.of(Files.writeString(numbered(2), "o".repeat(1 << 16))).key();
    Files.writeString(numbered(1), content);
    var listings = new FolderListings();
    assertThat(listings.find(known(numbered(1), other))).isNotNull();
    Files.move(numbered(2), numbered(3));
    Files.move(numbered(1), numbered(2));
    FolderListings.Entry found = listings.findCopy(state, key -> !key.equals(state.key));
    assertThat(found).isEqualTo(new FolderListings.Entry(numbered(2), FileStat.of(numbered(2))));
  }

  private static FileState known(Path path, FileStat.Key key) {
    var cut = FileState.Cut.ofLines("default");
    return new FileState(1, key, path, Content.Head.NONE, cut, RecordStamp.first(1));
  }

  private static FileState readToItsEnd(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file)) {
      long size = channel.size();
      RecordStamp stamp = RecordStamp.first(1);
      var cut = FileState.Cut.ofLines("default");
      Content.Head head = Content.Head.of(channel, size);
      var state = new FileState(1, FileStat.of(file).key(), file, head, cut, stamp);
      state.standAt(size, Content.tail(channel, size), stamp);
      return state;
    }
  }

  private void rotate(int shift) {
    try {
      for (int i = FILES - 1; i >= 0; i--) {
        Files.move(numbered(shift + i), numbered(shift + i + 1));
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
