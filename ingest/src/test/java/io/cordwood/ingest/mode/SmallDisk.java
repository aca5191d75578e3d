package io.cordwood.ingest.mode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file system of 8 MiB, of which something else has 5 until it is {@linkplain #free freed}. */
final class SmallDisk implements AutoCloseable {
  private final Path disk;
  private final Path filler;

  private SmallDisk(Path disk) throws IOException {
    this.disk = disk;
    this.filler = Files.write(disk.resolve("filler"), new byte[5 << 20]);
  }

  /** Skips the test where none can be had. */
  static SmallDisk orSkip(Path folder) throws IOException {
    Path disk = Files.createDirectory(folder.resolve("disk"));
    assumeTrue(
        ran("mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", disk.toString()),
        "needs the right to mount a tmpfs");
    return new SmallDisk(disk);
  }

  /** Where a node may keep its data. */
  Path data() {
    return disk.resolve("data");
  }

  void assertReserveIsLeft() throws IOException {
    assertThat(Files.getFileStore(disk).getUsableSpace()).as("the reserve").isGreaterThan(900_000);
  }

  void free() throws IOException {
    Files.delete(filler);
  }

  @Override
  public void close() throws IOException {
    assertThat(ran("umount", "-l", disk.toString())).isTrue();
  }

  private static boolean ran(String... command) throws IOException {
    Process process = new ProcessBuilder(command).inheritIO().start();
    return process.onExit().join().exitValue() == 0;
  }
}
