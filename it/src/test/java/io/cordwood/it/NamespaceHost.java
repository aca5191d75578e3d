package io.cordwood.it;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A network namespace in which a node runs as a process, with a folder for a disk. */
final class NamespaceHost extends ProcessHost {
  /** A small heap, and no costly compiler: six nodes share a small machine. */
  private static final String JAVA_OPTIONS = "-Xmx96m";

  private final String namespace;
  private final String lan;
  private Path launcher = Program.LAUNCHER;
  private boolean limited;

  /**
   * @param lan namespace of the bridge; its end of the cable has the name of this host
   * @param disk an empty folder
   */
  NamespaceHost(String name, String address, String namespace, String lan, Path disk) {
    super(name, address, disk);
    this.namespace = namespace;
    this.lan = lan;
  }

  /** Gives it a small disk of its own; before its first start. */
  void limitDisk(String size) throws IOException {
    Tool.run("mount", "-t", "tmpfs", "-o", "size=" + size, "tmpfs", disk().toString());
    limited = true;
  }

  @Override
  boolean canFill() {
    return limited;
  }

  /** From its next start on the node is one of that launcher's. */
  void install(Path build) {
    launcher = build;
  }

  @Override
  public void start(String role, String... flags) throws IOException {
    List<String> all =
        new ArrayList<>(
            List.of(role, "--data", data().toString(), "--bind", address(), "--insecure"));
    all.addAll(List.of(flags));
    String script =
        "CORDWOOD_JAVA_OPTS=\"$CORDWOOD_JAVA_OPTS %s\" exec nsenter --net=/run/netns/%s \"$@\""
            .formatted(JAVA_OPTIONS, namespace);
    started(Program.startBy(script, launcher, all.toArray(String[]::new)));
  }

  @Override
  public void cutOff() throws IOException {
    NamespaceHosts.inside(lan, "link", "set", name(), "down");
  }

  @Override
  public void reconnect() throws IOException {
    NamespaceHosts.inside(lan, "link", "set", name(), "up");
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
  void close() throws IOException {
    super.close();
    if (limited) {
      Tool.run("umount", disk().toString());
    }
  }
}
