package io.cordwood.dist.system;

import io.cordwood.common.net.HostPort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A network namespace in which a node runs as a process, with a folder for a disk. */
final class NamespaceHost implements Host {
  /** A small heap, and no costly compiler: six nodes share a small machine. */
  private static final String JAVA_OPTIONS = "-Xmx96m";

  private final String name;
  private final String address;
  private final String namespace;
  private final String lan;
  private final Path disk;
  private @Nullable Program program;
  private boolean limited;

  /**
   * @param lan namespace of the bridge; its end of the cable has the name of this host
   * @param disk an empty folder
   */
  NamespaceHost(String name, String address, String namespace, String lan, Path disk) {
    this.name = name;
    this.address = address;
    this.namespace = namespace;
    this.lan = lan;
    this.disk = disk;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String address() {
    return address;
  }

  @Override
  public HostPort reach(int port) {
    return new HostPort(address, port);
  }

  /** Where the node keeps its data. */
  Path data() {
    return disk.resolve("data");
  }

  /** Gives it a small disk of its own, from its next start on. */
  void limitDisk(String size) throws IOException {
    Files.createDirectories(data());
    Tool.run("mount", "-t", "tmpfs", "-o", "size=" + size, "tmpfs", data().toString());
    limited = true;
  }

  @Override
  public void start(String role, String... flags) throws IOException {
    List<String> all =
        new ArrayList<>(
            List.of(role, "--data", data().toString(), "--bind", address, "--insecure"));
    all.addAll(List.of(flags));
    String script =
        "CORDWOOD_JAVA_OPTS=\"$CORDWOOD_JAVA_OPTS %s\" exec nsenter --net=/run/netns/%s \"$@\""
            .formatted(JAVA_OPTIONS, namespace);
    Program started = Program.startBy(script, all.toArray(String[]::new));
    program = started;
    started.awaitOut(NodeProcess.PORTS);
  }

  @Override
  public void kill() {
    running().kill();
  }

  @Override
  public void stop() {
    running().terminate();
    running().end();
  }

  @Override
  public void pause() throws IOException {
    Tool.run("kill", "-STOP", Long.toString(running().pid()));
  }

  @Override
  public void resume() throws IOException {
    Tool.run("kill", "-CONT", Long.toString(running().pid()));
  }

  @Override
  public void wipe() throws IOException {
    try (Stream<Path> files = Files.walk(data())) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  @Override
  public void cutOff() throws IOException {
    NamespaceHosts.inside(lan, "link", "set", name, "down");
  }

  @Override
  public void reconnect() throws IOException {
    NamespaceHosts.inside(lan, "link", "set", name, "up");
  }

  @Override
  public void dropTo(Host other) throws IOException {
    lostPackets().dropTo(other.address());
  }

  @Override
  public void deliverTo(Host other) throws IOException {
    lostPackets().deliverTo(other.address());
  }

  private LostPackets lostPackets() {
    return new LostPackets(List.of("ip", "-n", namespace), "eth0");
  }

  @Override
  public String says() {
    return program == null ? "" : name + ":\n" + program.out() + program.err();
  }

  private Program running() {
    return Objects.requireNonNull(program, "no node was started here");
  }

  void close() throws IOException {
    if (program != null) {
      program.close();
    }
    if (limited) {
      Tool.run("umount", data().toString());
    }
  }
}
