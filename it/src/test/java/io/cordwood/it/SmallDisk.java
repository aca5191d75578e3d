package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A disk that a node has for itself, and that can be filled. */
final class SmallDisk implements AutoCloseable {
  private static final String SIZE = "size=200m";
  private static final int MIB = 1 << 20;

  /** Half of the reserve that an ingest node leaves. */
  private static final long LEFT_BYTES = 32L << 20;

  private final Path path;

  private SmallDisk(Path path) {
    this.path = path;
  }

  /** Skips the test where none can be had. */
  static SmallDisk orSkip(Path folder) throws IOException {
    Path disk = Files.createDirectory(folder.resolve("disk"));
    int mounted = run("mount", "-t", "tmpfs", "-o", SIZE, "tmpfs", disk.toString());
    if (mounted != 0) {
      Skipped.say("full disks", "mounting a tmpfs takes root");
    }
    assumeTrue(mounted == 0, "full disk: not tested, for lack of a tmpfs at " + disk);
    return new SmallDisk(disk);
  }

  private static int run(String... command) throws IOException {
    return new ProcessBuilder(command).inheritIO().start().onExit().join().exitValue();
  }

  Path path() {
    return path;
  }

  /**
   * Takes space until a part of what a node leaves free for its store is taken too. A disk that is
   * full to the last byte takes a minute longer, until the lease of a segment runs out that the
   * store could not pull.
   */
  void fill() throws IOException {
    try (var out = Files.newOutputStream(ballast())) {
      while (leftBytes() > LEFT_BYTES) {
        out.write(new byte[MIB]);
      }
    }
  }

  long leftBytes() throws IOException {
    return Files.getFileStore(path).getUsableSpace();
  }

  /** Gives back what {@link #fill} took. */
  void free() throws IOException {
    Files.delete(ballast());
  }

  private Path ballast() {
    return path.resolve("ballast");
  }

  @Override
  public void close() throws IOException {
    assertThat(run("umount", path.toString())).isZero();
  }
}
