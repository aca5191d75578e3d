package io.cordwood.it;

import io.cordwood.common.net.HostPort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A host whose node is a process of this machine, with a folder for a disk. */
abstract class ProcessHost implements Host {
  private final String name;
  private final String address;
  private final Path disk;
  private volatile String folder = "data";
  private volatile @Nullable Program program;

  /**
   * @param disk an empty folder, or none yet
   */
  ProcessHost(String name, String address, Path disk) {
    this.name = name;
    this.address = address;
    this.disk = disk;
  }

  @Override
  public final String name() {
    return name;
  }

  @Override
  public final String address() {
    return address;
  }

  @Override
  public final HostPort reach(int port) {
    return new HostPort(address, port);
  }

  @Override
  public final Path lend(Path folder) {
    return folder;
  }

  /** Where the node keeps its data. */
  final Path data() {
    return disk.resolve(folder);
  }

  /** What its data, and whatever else there is, lies on. */
  final Path disk() {
    return disk;
  }

  /** From the next start on it is a node with other data, as a machine that was installed anew. */
  final void keepDataIn(String name) {
    folder = name;
  }

  /** Whether {@link #fill} can be used: its disk is its own, and small. */
  boolean canFill() {
    return false;
  }

  /** Takes space until no more than so much is left. */
  final void fill(long leftBytes) throws IOException {
    byte[] block = new byte[1 << 16];
    try (var out = Files.newOutputStream(ballast())) {
      while (Files.getFileStore(disk).getUsableSpace() >= leftBytes + block.length) {
        out.write(block);
      }
    }
  }

  /** Gives back what {@link #fill} took. */
  final void free() throws IOException {
    Files.delete(ballast());
  }

  private Path ballast() {
    return disk.resolve("ballast");
  }

  /** Waits until a node that was started is ready. */
  final void started(Program started) {
    program = started;
    started.awaitOut(NodeProcess.PORTS);
  }

  @Override
  public final void kill() {
    running().kill();
  }

  @Override
  public final void stop() {
    running().terminate();
    running().end();
  }

  @Override
  public final void pause() throws IOException {
    running().pause();
  }

  @Override
  public final void resume() throws IOException {
    running().resume();
  }

  @Override
  public final void wipe() throws IOException {
    try (Stream<Path> files = Files.walk(data())) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  @Override
  public final String says() {
    return program == null ? "" : name + ":\n" + program.out() + program.err();
  }

  private Program running() {
    return Objects.requireNonNull(program, "no node was started here");
  }

  void close() throws IOException {
    if (program != null) {
      program.close();
    }
  }
}
