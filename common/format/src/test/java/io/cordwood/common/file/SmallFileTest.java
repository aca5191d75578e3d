package io.cordwood.common.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SmallFileTest {
  @TempDir Path folder;

  @Test
  void aFileIsReadUpToItsBound() throws IOException {
    Path file = Files.write(folder.resolve("key"), new byte[] {'a', (byte) 0xe9});
    assertThat(SmallFile.readLatin1(file, 2)).isEqualTo("aé");
    assertThatThrownBy(() -> SmallFile.read(file, 1))
        .hasMessage(file + ": expected at most 1 B, found more");
  }

  /** The system's own words, "Is a directory", do not say which. */
  @Test
  void aFolderIsNamed() {
    assertThatThrownBy(() -> SmallFile.read(folder, 9))
        .hasMessage(folder + ": expected a file, found a folder");
    assertThatThrownBy(() -> SmallFile.read(folder.resolve("none"), 9))
        .isInstanceOf(NoSuchFileException.class);
  }
}
