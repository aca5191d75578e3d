package io.cordwood.dist.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.common.ulid.Ulid;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ManifestTest {
  @TempDir private Path backup;
  private final Manifest manifest =
      new Manifest(
          Ulid.firstOf(1_700_000_000_000L).toString(),
          "2026-01-31T10:00:00Z",
          List.of(new Manifest.Entry(3, "store/damaged/a-b.flushed"), new Manifest.Entry(0, "n")));

  @BeforeEach
  void write() throws IOException {
    Files.createDirectories(backup.resolve("store/damaged"));
    Files.writeString(backup.resolve("store/damaged/a-b.flushed"), "abc");
    Files.writeString(backup.resolve("n"), "");
    manifest.write(backup);
  }

  private void change(String from, String to) throws IOException {
    Path file = backup.resolve(Manifest.NAME);
    String text = Files.readString(file);
    assertThat(text).contains(from);
    Files.writeString(file, text.replace(from, to));
  }

  @Test
  void whatIsWrittenIsRead() throws IOException {
    assertThat(Manifest.read(backup)).isEqualTo(manifest);
    assertThat(backup.resolve("BACKUP.new")).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "../n",
        "/etc/passwd",
        "store/../../n",
        "store//n",
        "n/",
        "",
        "a b",
        "n\u0000",
        "store/.."
      })
  void aPathThatLeadsOutOfTheBackupOrIsNoneIsRefused(String path) throws IOException {
    change("file 0 n\n", "file 0 " + path + "\n");
    assertThatThrownBy(() -> Manifest.read(backup))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("BACKUP line 5: expected file BYTES PATH");
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "1e3", "", "99999999999999999999", " 0"})
  void aSizeThatIsNoneIsRefused(String size) throws IOException {
    change("file 0 n\n", "file " + size + " n\n");
    assertThatThrownBy(() -> Manifest.read(backup)).hasMessageContaining("BACKUP line 5: expected");
  }

  @Test
  void aListThatLacksLinesOrIsOfAnotherFormIsRefused() throws IOException {
    change("file 0 n\n", "");
    assertThatThrownBy(() -> Manifest.read(backup)).hasMessageContaining("a last line \"end 1 3\"");
    manifest.write(backup);
    change("end 2 3\n", "");
    assertThatThrownBy(() -> Manifest.read(backup)).hasMessageContaining("a last line \"end 1 3\"");
    manifest.write(backup);
    change("node 0", "node -");
    assertThatThrownBy(() -> Manifest.read(backup)).hasMessageContaining("expected a node's id");
    manifest.write(backup);
    change("backup 1", "backup 2");
    assertThatThrownBy(() -> Manifest.read(backup)).hasMessageContaining("cordwood backup 1");
    Files.write(backup.resolve(Manifest.NAME), new byte[] {(byte) 0xff});
    assertThatThrownBy(() -> Manifest.read(backup)).hasMessageContaining("bytes that are no text");
  }
}
