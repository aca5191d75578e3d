package io.cordwood.common.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class WatchedFilesTest {
  @TempDir Path folder;

  private final AtomicLong nanos = new AtomicLong(7);
  private final List<String> said = new ArrayList<>();
  private final List<String> taken = new ArrayList<>();
  private Path file = Path.of("set later");
  private int reads;
  private boolean isReadable = true;

  @BeforeEach
  void write() throws IOException {
    file = Files.writeString(folder.resolve("file"), "one");
  }

  private void look(WatchedFiles files) {
    files.look(this::read, taken::add, said::add);
  }

  /** As often as a change needs that is over. */
  private void lookTwice(WatchedFiles files) {
    look(files);
    look(files);
  }

  private String read() throws IOException {
    reads++;
    if (!isReadable) {
      throw new AccessDeniedException(file.toString());
    }
    return Files.readString(file);
  }

  @Test
  void aFileIsReadOnceAfterEachChange() throws IOException {
    var files = new WatchedFiles(file);
    look(files);
    assertThat(reads).isZero();
    FileTime time = Files.getLastModifiedTime(file);
    Files.writeString(file, "two");
    Files.setLastModifiedTime(file, time); // as cp -p does
    lookTwice(files);
    look(files);
    assertThat(reads).isEqualTo(1);
    Path other = Files.writeString(folder.resolve("new"), "two");
    Files.move(other, file, StandardCopyOption.ATOMIC_MOVE);
    lookTwice(files);
    look(files);
    assertThat(reads).isEqualTo(2);
    assertThat(taken).containsExactly("two", "two");
    assertThat(said).isEmpty();
  }

  @Test
  void aFileThatIsWrittenInPlaceIsNeverTakenEmptyOrInPart() throws IOException {
    var files = new WatchedFiles(file);
    for (String state : List.of("", "t", "tw", "two")) {
      Files.writeString(file, state);
      look(files);
      assertThat(reads).as("after '%s'", state).isZero();
    }
    look(files);
    look(files);
    assertThat(taken).containsExactly("two");
  }

  @Test
  void aFileThatChangesWhileItIsReadIsReadAgain() throws IOException {
    var files = new WatchedFiles(file);
    Files.writeString(file, "other");
    look(files);
    files.look(
        () -> {
          Files.writeString(file, "");
          String found = read();
          Files.writeString(file, "second");
          return found;
        },
        taken::add,
        said::add);
    assertThat(taken).isEmpty();
    lookTwice(files);
    assertThat(taken).containsExactly("second");
    assertThat(said).isEmpty();
  }

  @Test
  void whatCouldNotBeReadIsReadAgainUntilItIs() throws IOException {
    var files = new WatchedFiles(file);
    Files.writeString(file, "other");
    isReadable = false;
    lookTwice(files);
    look(files);
    assertThat(reads).isEqualTo(2);
    isReadable = true;
    look(files);
    look(files);
    assertThat(reads).isEqualTo(3);
  }

  @Test
  void whyAFileIsNotReadIsSaidAtOnceAndOnceAMinuteWithTheUser() throws IOException {
    var files = new WatchedFiles(nanos::get, file);
    Files.writeString(file, "other");
    isReadable = false;
    lookTwice(files);
    look(files);
    assertThat(said)
        .singleElement()
        .asString()
        .startsWith(file + ": permission denied to user " + System.getProperty("user.name"))
        .contains("; it is rw-");
    nanos.addAndGet(WatchedFiles.REPEATED.toNanos());
    look(files);
    look(files);
    assertThat(said).hasSize(2);
    Files.delete(file);
    isReadable = true;
    lookTwice(files);
    look(files);
    assertThat(said).hasSize(3).last().asString().contains("no such file");
  }

  @Test
  void aDefectOfTheReaderIsSaidAndTriedAgain() throws IOException {
    var files = new WatchedFiles(file);
    Files.writeString(file, "other");
    look(files);
    files.<String>look(
        () -> {
          throw new IllegalStateException("odd");
        },
        taken::add,
        said::add);
    assertThat(said).singleElement().asString().contains("odd");
    look(files);
    assertThat(reads).isEqualTo(1);
  }
}
