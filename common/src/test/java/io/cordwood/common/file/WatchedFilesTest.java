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
  private Path file = Path.of("set later");
  private int reads;
  private boolean isReadable = true;

  @BeforeEach
  void write() throws IOException {
    file = Files.writeString(folder.resolve("file"), "one");
  }

  private void look(WatchedFiles files) {
    files.look(this::read, said::add);
  }

  private void read() throws IOException {
    reads++;
    if (!isReadable) {
      throw new AccessDeniedException(file.toString());
    }
    Files.readString(file);
  }

  @Test
  void aFileIsReadOnceAfterEachChange() throws IOException {
    var files = new WatchedFiles(file);
    look(files);
    assertThat(reads).isZero();
    FileTime time = Files.getLastModifiedTime(file);
    Files.writeString(file, "two");
    Files.setLastModifiedTime(file, time); // as cp -p does
    look(files);
    look(files);
    assertThat(reads).isEqualTo(1);
    Path other = Files.writeString(folder.resolve("new"), "two");
    Files.move(other, file, StandardCopyOption.ATOMIC_MOVE);
    look(files);
    look(files);
    assertThat(reads).isEqualTo(2);
    assertThat(said).isEmpty();
  }

  @Test
  void whatCouldNotBeReadIsReadAgainUntilItIs() throws IOException {
    var files = new WatchedFiles(file);
    Files.writeString(file, "other");
    isReadable = false;
    look(files);
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
    look(files);
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
    look(files);
    look(files);
    assertThat(said).hasSize(3).last().asString().contains("no such file");
  }

  @Test
  void aDefectOfTheReaderIsSaidAndTriedAgain() throws IOException {
    var files = new WatchedFiles(file);
    Files.writeString(file, "other");
    files.look(
        () -> {
          throw new IllegalStateException("odd");
        },
        said::add);
    assertThat(said).singleElement().asString().contains("odd");
    look(files);
    assertThat(reads).isEqualTo(1);
  }
}
