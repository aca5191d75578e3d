package io.cordwood.common.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class OpenFilesTest {
  private static final int FILES = 40;
  private static final int MOST = 8;

  @TempDir Path folder;

  private final OpenFiles open = new OpenFiles(Filesystem.real(), MOST);

  private List<OnDemandFile> files() throws IOException {
    List<OnDemandFile> files = new ArrayList<>();
    for (int i = 0; i < FILES; i++) {
      files.add(OnDemandFile.open(open, write("file" + i, i)));
    }
    return files;
  }

  private Path write(String name, long content) throws IOException {
    byte[] bytes = ByteBuffer.allocate(Long.BYTES).putLong(content).array();
    return Files.write(folder.resolve(name), bytes);
  }

  private static long content(OnDemandFile file) throws IOException {
    var content = ByteBuffer.allocate(Long.BYTES);
    file.read(content, 0);
    return content.getLong(0);
  }

  private long descriptors() throws IOException {
    try (var all = Files.list(Path.of("/proc/self/fd"))) {
      return all.filter(this::isOurs).count();
    }
  }

  private boolean isOurs(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).startsWith(folder);
    } catch (IOException e) {
      return false; // Closed between the listing and the look.
    }
  }

  @Test
  void anyNumberIsReadWhileFewAreOpen() throws IOException {
    List<OnDemandFile> files = files();
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < FILES; i++) {
        assertThat(content(files.get(i))).isEqualTo(i);
      }
    }
    assertThat(open.count()).isEqualTo(MOST);
    assertThat(descriptors()).isEqualTo(MOST);
    assertThat(open.reopened()).isPositive();
  }

  @Test
  void oneThatIsReadAgainAndAgainMostlyStaysOpen() throws IOException {
    List<OnDemandFile> files = files();
    content(files.getFirst());
    long before = open.reopened();
    for (int i = 1; i < FILES; i++) {
      content(files.getFirst());
      content(files.get(i));
    }
    assertThat(open.reopened() - before).as("the others, and hardly it").isLessThan(FILES + 4);
  }

  @Test
  void manyThreadsReadWhatTheyAskedFor() throws Exception {
    List<OnDemandFile> files = files();
    try (var threads = Executors.newFixedThreadPool(4)) {
      List<Future<?>> done = new ArrayList<>();
      for (int thread = 0; thread < 4; thread++) {
        var random = new SplittableRandom(thread);
        done.add(
            threads.submit(() -> {
              for (int i = 0; i < 5_000; i++) {
                int file = random.nextInt(FILES);
                assertThat(content(files.get(file))).isEqualTo(file);
              }
              return null;
            }));
      }
      for (Future<?> each : done) {
        each.get();
      }
    } catch (ExecutionException e) {
      throw new AssertionError(e);
    }
    assertThat(descriptors()).isLessThanOrEqualTo(MOST);
  }

  @Test
  void aRenamedFileIsFoundBeforeAndAfter() throws IOException {
    List<OnDemandFile> files = files();
    Path later = folder.resolve("later");
    files.getFirst().willBe(later);
    assertThat(content(files.getFirst())).as("not yet renamed").isZero();
    Files.move(folder.resolve("file0"), later);
    for (OnDemandFile other : files) {
      content(other);
    }
    assertThat(content(files.getFirst())).as("renamed, and opened again").isZero();
    files.getFirst().willBe(folder.resolve("latest"));
    Files.move(later, folder.resolve("latest"));
    files.subList(1, FILES).forEach(OpenFilesTest::read);
    assertThat(content(files.getFirst())).as("renamed again").isZero();
  }

  private static void read(OnDemandFile file) {
    try {
      content(file);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @Test
  void oneThatIsHeldCanBeReadAfterItWasDeleted() throws IOException {
    List<OnDemandFile> files = files();
    files.get(3).hold();
    Files.delete(folder.resolve("file3"));
    files.subList(4, FILES).forEach(OpenFilesTest::read);
    assertThat(content(files.get(3))).isEqualTo(3);
    files.get(3).close();
    assertThatThrownBy(() -> content(files.get(3))).isInstanceOf(IOException.class);
  }

  @Test
  void oneThatIsGoneIsAnErrorThatNamesIt() throws IOException {
    List<OnDemandFile> files = files();
    Files.delete(folder.resolve("file0"));
    files.subList(1, FILES).forEach(OpenFilesTest::read);
    assertThatThrownBy(() -> content(files.getFirst()))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining("file0");
    assertThat(content(files.get(1))).as("the others").isEqualTo(1);
  }

  @Test
  void closedOnesLeaveRoomForOthers() throws IOException {
    for (OnDemandFile file : files()) {
      file.close();
    }
    assertThat(open.count()).isZero();
    assertThat(descriptors()).isZero();
    assertThatThrownBy(() -> OnDemandFile.open(open, folder.resolve("nowhere")))
        .isInstanceOf(NoSuchFileException.class);
    assertThat(open.count()).isZero();
  }
}
