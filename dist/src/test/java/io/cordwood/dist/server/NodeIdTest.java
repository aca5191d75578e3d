package io.cordwood.dist.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.common.ulid.Ulid;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class NodeIdTest {
  private static final long TEBIBYTE = 1L << 40;

  @TempDir private Path data;

  @Test
  void isTheSameAfterARestart() throws IOException {
    String made = NodeId.in(data);
    assertThat(Ulid.isValid(made)).isTrue();
    assertThat(NodeId.in(data)).isEqualTo(made);
  }

  /** As a crash or a broken disk may leave it; of whatever size, it is not read. */
  @Test
  void whatIsNoneIsReplaced() throws IOException {
    Path file = data.resolve("node-id");
    try (var sparse = new RandomAccessFile(file.toFile(), "rw")) {
      sparse.setLength(TEBIBYTE);
    }
    assertReplaced(file);
    Files.write(file, new byte[] {(byte) 0x80, 0, 7, (byte) 0xFF});
    assertReplaced(file);
    new FileOutputStream(file.toFile()).close();
    assertReplaced(file);
  }

  private void assertReplaced(Path file) throws IOException {
    String made = NodeId.in(data);
    assertThat(Ulid.isValid(made)).isTrue();
    assertThat(file).hasContent(made + "\n");
  }

  @Test
  void onlyANodeWhoseFolderIsNewHasNoPast() throws IOException {
    Path members = data.resolve("members");
    String first = NodeId.in(data);
    assertThat(members).content().contains("# past fresh");
    Files.delete(members);
    assertThat(NodeId.in(data)).isEqualTo(first);
    assertThat(members).as("it had a past, and nobody knows it").doesNotExist();
    Files.delete(data.resolve("node-id"));
    Files.createDirectory(data.resolve("store"));
    assertThat(NodeId.in(data)).isNotEqualTo(first);
    assertThat(members).as("of records of which nobody knows whose they are").doesNotExist();
  }

  @Test
  void aFolderInItsPlaceIsNamed() throws IOException {
    Path folder = Files.createDirectory(data.resolve("node-id"));
    assertThatThrownBy(() -> NodeId.in(data))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(folder.toString());
  }
}
