package io.cordwood.it;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Hosts that are network namespaces of this machine, joined by a bridge. Takes root and {@code ip}.
 *
 * <pre>
 *   namespace of the test      namespace lan             namespace of a host, 10.77.N.1 and so on
 *   10.77.N.254 cwdPIDxI ----- outside bridge   NAME ------ eth0, lo
 * </pre>
 *
 * All but one end of a cable is inside of namespaces, so that they take everything with them when
 * they go. Their names hold the test's process id: what a test left that was killed is cleared away
 * by the next one.
 */
final class NamespaceHosts implements Hosts {
  private static final Pattern LEFT_BEHIND = Pattern.compile("(?m)^(cwd-(\\d+)-\\d+-\\S+)");
  private static final AtomicInteger MADE = new AtomicInteger();
  private static final int NETWORKS = 250;

  private final Path folder;
  private final String name = "cwd-" + ProcessHandle.current().pid() + "-" + MADE.get();
  private final String cable = "cwd" + ProcessHandle.current().pid() + "x" + MADE.getAndIncrement();
  private final Map<String, NamespaceHost> hosts = new HashMap<>();
  private final List<String> namespaces = new ArrayList<>();
  private final String network;

  private NamespaceHosts(Path folder, String network) {
    this.folder = folder;
    this.network = network;
  }

  /**
   * A network without hosts; where there can be none, the test is skipped, and says so.
   *
   * @param what is tested
   * @param folder for their disks
   */
  static NamespaceHosts orSkip(String what, Path folder) throws IOException {
    Optional<String> whyNot = whyNot(folder);
    whyNot.ifPresent(why -> Skipped.say(what, why));
    assumeTrue(whyNot.isEmpty(), what + ": not tested, for lack of network namespaces");
    return in(folder);
  }

  /** Where there can be no such network, hosts that cannot be cut off, and says so. */
  static Hosts orLoopback(String what, Path folder) throws IOException {
    Optional<String> whyNot = whyNot(folder);
    whyNot.ifPresent(why -> Skipped.say(what, why));
    return whyNot.isPresent() ? new LoopbackHosts(folder) : in(folder);
  }

  private static Optional<String> whyNot(Path folder) {
    try (NamespaceHosts hosts = in(folder)) {
      hosts.add("trial").reconnect();
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  private static NamespaceHosts in(Path folder) throws IOException {
    clearLeftBehind();
    var made = new NamespaceHosts(folder, freeNetwork());
    try {
      made.build();
    } catch (IOException e) {
      made.close();
      throw e;
    }
    return made;
  }

  private static void clearLeftBehind() throws IOException {
    Matcher left = LEFT_BEHIND.matcher(Tool.run("ip", "netns", "list"));
    while (left.find()) {
      if (ProcessHandle.of(Long.parseLong(left.group(2))).isEmpty()) {
        remove(left.group(1));
      }
    }
  }

  private static String freeNetwork() throws IOException {
    String taken = Tool.run("ip", "-o", "-4", "address");
    int first = (int) (ProcessHandle.current().pid() % NETWORKS);
    for (int i = 0; i < NETWORKS; i++) {
      String candidate = "10.77." + (first + i) % NETWORKS + ".";
      if (!taken.contains(candidate)) {
        return candidate;
      }
    }
    throw new IOException("expected a free network among 10.77.0.0/16, found none");
  }

  private void build() throws IOException {
    String lan = addNamespace("lan");
    inside(lan, "link", "add", "bridge", "type", "bridge");
    inside(lan, "link", "set", "bridge", "up");
    Tool.run("ip", "link", "add", cable, "type", "veth", "peer", "name", "outside", "netns", lan);
    inside(lan, "link", "set", "outside", "master", "bridge", "up");
    Tool.run("ip", "address", "add", network + "254/24", "dev", cable);
    Tool.run("ip", "link", "set", cable, "up");
  }

  private String addNamespace(String suffix) throws IOException {
    String namespace = name + "-" + suffix;
    Tool.run("ip", "netns", "add", namespace);
    namespaces.add(namespace);
    return namespace;
  }

  /** {@code ip} inside of a namespace. */
  static void inside(String namespace, String... command) throws IOException {
    List<String> all = new ArrayList<>(List.of("ip", "-n", namespace));
    all.addAll(List.of(command));
    Tool.run(all.toArray(String[]::new));
  }

  @Override
  public NamespaceHost add(String host) throws IOException {
    String namespace = addNamespace(host);
    String lan = namespaces.getFirst();
    String address = network + (hosts.size() + 1);
    inside(lan, "link", "add", host, "type", "veth", "peer", "name", "eth0", "netns", namespace);
    inside(lan, "link", "set", host, "master", "bridge", "up");
    inside(namespace, "address", "add", address + "/24", "dev", "eth0");
    inside(namespace, "link", "set", "eth0", "up");
    inside(namespace, "link", "set", "lo", "up");
    Path disk = Files.createDirectories(folder.resolve(host));
    var added = new NamespaceHost(host, address, namespace, lan, disk);
    hosts.put(host, added);
    return added;
  }

  /** Where the hosts find what listens in the namespace of the test. */
  String outside() {
    return network + "254";
  }

  @Override
  public boolean canDrop() {
    return true;
  }

  @Override
  public void close() throws IOException {
    for (NamespaceHost host : hosts.values()) {
      host.close();
    }
    for (String namespace : namespaces.reversed()) {
      remove(namespace);
    }
  }

  private static void remove(String namespace) throws IOException {
    for (String pid : Tool.run("ip", "netns", "pids", namespace).lines().toList()) {
      ProcessHandle.of(Long.parseLong(pid)).ifPresent(ProcessHandle::destroyForcibly);
    }
    Tool.run("ip", "netns", "delete", namespace);
  }
}
