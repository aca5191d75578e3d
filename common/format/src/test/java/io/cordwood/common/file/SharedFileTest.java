package io.cordwood.common.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SharedFileTest {
  @TempDir Path folder;

  private static String mode(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  @Test
  void aNewFileIsForItsOwnerAlone() throws IOException {
    Path file = folder.resolve("new");
    SharedFile.replace(file, "text");
    assertThat(file).hasContent("text");
    assertThat(mode(file)).isEqualTo("rw-------");
    assertThat(folder).isDirectoryNotContaining("glob:**.new.new");
  }

  @ParameterizedTest
  @ValueSource(strings = {"rw-r-----", "r--------", "rw-rw-r--", "---------"})
  void aFileThatIsReplacedKeepsItsMode(String mode) throws IOException {
    assumeTrue(isRoot() || !mode.startsWith("-"), "reads a file without rights");
    Path file = Files.writeString(folder.resolve("file"), "a longer text than the next one");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
    SharedFile.replace(file, "text");
    assertThat(mode(file)).isEqualTo(mode);
    Files.setPosixFilePermissions(file, SharedFile.OWNER_ONLY);
    assertThat(file).hasContent("text");
  }

  @Test
  void aFileThatIsReplacedKeepsItsOwnerAndGroup() throws IOException {
    assumeTrue(isRoot(), "root alone gives files away");
    Path file = Files.writeString(folder.resolve("file"), "text");
    Files.setAttribute(file, "unix:uid", 12_345);
    Files.setAttribute(file, "unix:gid", 23_456);
    Path link = Files.createSymbolicLink(folder.resolve("link"), file);
    SharedFile.replace(link, "other");
    assertThat(Files.readAttributes(file, "unix:uid,gid"))
        .isEqualTo(Map.of("uid", 12_345, "gid", 23_456));
    assertThat(file).hasContent("other");
    assertThat(link).isSymbolicLink();
  }

  private static boolean isRoot() {
    return System.getProperty("user.name").equals("root");
  }

  @Test
  void whatAnotherCommandHoldsIsNotTaken() throws IOException {
    Path file = folder.resolve("file");
    try (var _ = SharedFile.lock(file)) {
      assertThatThrownBy(() -> SharedFile.lock(file, Duration.ZERO))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("expected no other command that changes it, found one that holds")
          .hasMessageContaining("file.lock");
    }
    SharedFile.lock(file).close();
  }

  @Test
  void aLockThatCannotBeHadSaysWhy() throws IOException {
    Path file = folder.resolve("none").resolve("file");
    assertThatThrownBy(() -> SharedFile.lock(file))
        .hasMessageContaining("expected to lock it while it is changed")
        .hasMessageContaining("no such file or folder");
  }
}
