package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store's files, copied while it runs, are a store's files. */
final class StoreBackupIT {
  private static final int LINES = 5000;

  @TempDir private Path folder;

  @Test
  void copyOfARunningStoresSegmentsIsABackup() throws IOException {
    Path backup = Files.createDirectories(folder.resolve("restored/data/store"));
    try (NodeProcess node = NodeProcess.start(Files.createDirectory(folder.resolve("run")))) {
      node.send("a line that is to be kept\n".repeat(LINES));
      node.awaitStored(LINES);
      try (DirectoryStream<Path> segments =
          Files.newDirectoryStream(folder.resolve("run/data/store"), "*.flushed")) {
        for (Path segment : segments) {
          Files.copy(segment, backup.resolve(segment.getFileName()));
        }
      }
    }
    try (NodeProcess restored =
        NodeProcess.start("store", folder.resolve("restored"), "--replication-factor", "1")) {
      assertThat(restored.count("that is to be kept")).isEqualTo(LINES);
    }
  }
}
