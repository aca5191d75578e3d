package io.cordwood.common.bucket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.common.bucket.BucketException.Kind;
import io.cordwood.common.file.FaultyFilesystem;
import io.cordwood.common.file.Filesystem;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FolderBucketTest {
  @TempDir private Path mount;

  private Bucket bucket(Path root) {
    return new FolderBucket(root, Filesystem.real());
  }

  @Test
  void aShareThatIsNotMountedIsNoEmptyOne() {
    Bucket bucket = bucket(mount.resolve("gone/cold"));
    assertThatThrownBy(() -> bucket.listAll(""))
        .isInstanceOfSatisfying(
            BucketException.class, e -> assertThat(e.kind()).isEqualTo(Kind.UNREACHABLE))
        .hasMessageContaining("is it mounted?");
    assertThatThrownBy(() -> bucket.put("a", ObjectContent.of(new byte[1])))
        .isInstanceOf(BucketException.class);
    assertThat(mount.resolve("gone")).doesNotExist();
  }

  @Test
  void aFullDiskIsToldFromOneThatIsAwayAndLeavesNothing() throws IOException {
    Path root = mount.resolve("cold");
    var disk = new FaultyFilesystem((call, _) -> call == FaultyFilesystem.Call.WRITE);
    Bucket bucket = new FolderBucket(root, disk);
    isRefused(Kind.UNREACHABLE, bucket);
    disk.sayUsable(1000);
    isRefused(Kind.FULL, bucket);
    assertThat(root).isEmptyDirectory();
  }

  private static void isRefused(Kind kind, Bucket bucket) {
    assertThatThrownBy(() -> bucket.put("v1/2026-11-28/a", ObjectContent.of(new byte[2000])))
        .isInstanceOfSatisfying(BucketException.class, e -> assertThat(e.kind()).isEqualTo(kind));
  }

  @Test
  void aFolderGoesWithTheLastObjectInIt() throws IOException {
    Path root = mount.resolve("cold");
    Bucket bucket = bucket(root);
    bucket.put("v1/2026-11-28/a", ObjectContent.of(new byte[1]));
    bucket.put("v1/2026-11-29/a", ObjectContent.of(new byte[1]));
    bucket.delete("v1/2026-11-28/a");
    assertThat(root.resolve("v1/2026-11-28")).doesNotExist();
    assertThat(root.resolve("v1/2026-11-29")).exists();
    bucket.delete("v1/2026-11-29/a");
    assertThat(root).isEmptyDirectory();
  }

  @Test
  void filesThatAreBeingWrittenAreNoObjectsAndAreDeletedWhenAbandoned() throws IOException {
    Path root = mount.resolve("cold");
    Bucket bucket = bucket(root);
    Path old = whileItIsWritten(bucket, "v1/2026-11-28/a");
    Path fresh = whileItIsWritten(bucket, "v1/2026-11-29/a");
    Files.setLastModifiedTime(old, FileTime.from(Instant.now().minus(Duration.ofHours(2))));
    assertThat(bucket.listAll("")).isEmpty();
    bucket.put("v1/2026-11-30/a", ObjectContent.of(new byte[1]));
    assertThat(bucket.listAll("")).hasSize(1);
    assertThat(fresh).exists();
    assertThat(old).doesNotExist();
  }

  /** The file that a process leaves that dies while it puts something. */
  private Path whileItIsWritten(Bucket bucket, String key) throws IOException {
    List<Path> before = files();
    List<Path> parts = new ArrayList<>();
    var dying =
        new InputStream() {
          @Override
          public int read() throws IOException {
            parts.addAll(files());
            parts.removeAll(before);
            if (!parts.isEmpty()) {
              throw new IOException("it dies");
            }
            return -1;
          }

          @Override
          public int read(byte[] target, int offset, int length) throws IOException {
            return read();
          }
        };
    ObjectContent content = ObjectContent.of(() -> dying);
    assertThatThrownBy(() -> bucket.put(key, content)).hasMessageContaining("it dies");
    return Files.write(parts.getFirst(), new byte[3]);
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.walk(mount)) {
      return files.filter(Files::isRegularFile).toList();
    }
  }

  @Test
  void filesOfStrangersAreNotListed() throws IOException {
    Path root = Files.createDirectories(mount.resolve("cold/v1"));
    Files.write(root.resolve("a name with spaces"), new byte[3]);
    Files.createSymbolicLink(root.resolve("link"), mount);
    assertThat(bucket(mount.resolve("cold")).listAll("")).isEmpty();
  }

  @Test
  void aFolderOfTheNameOfAnObjectIsAnError() throws IOException {
    Files.createDirectories(mount.resolve("cold/a"));
    Bucket bucket = bucket(mount.resolve("cold"));
    assertThatThrownBy(() -> bucket.tail("a", 1)).isInstanceOf(BucketException.class);
    assertThatThrownBy(() -> bucket.put("a", ObjectContent.of(new byte[1])))
        .isInstanceOf(BucketException.class);
    assertThat(mount.resolve("cold")).isDirectoryNotContaining("glob:**/.part-*");
  }
}
