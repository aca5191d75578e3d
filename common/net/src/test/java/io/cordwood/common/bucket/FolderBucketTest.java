package io.cordwood.common.bucket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.common.bucket.BucketException.Kind;
import io.cordwood.common.file.Filesystem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
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
  void filesThatAreBeingWrittenAreNoObjectsAndAreDeletedWhenAbandoned() throws IOException {
    Path root = mount.resolve("cold");
    Path fresh = Files.createDirectories(root.resolve("v1")).resolve(".part-1");
    Path old = root.resolve("v1/.part-2");
    Files.write(fresh, new byte[3]);
    Files.write(old, new byte[3]);
    Files.setLastModifiedTime(old, FileTime.from(Instant.now().minus(Duration.ofDays(2))));
    Bucket bucket = bucket(root);
    assertThat(bucket.listAll("")).isEmpty();
    bucket.put("v1/a", ObjectContent.of(new byte[1]));
    assertThat(bucket.listAll("")).hasSize(1);
    assertThat(fresh).exists();
    assertThat(old).doesNotExist();
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
