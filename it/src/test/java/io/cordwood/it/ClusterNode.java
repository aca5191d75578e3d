package io.cordwood.it;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A node of a cluster on a host of its own, in one role and with the same flags each time it is
 * started.
 */
final class ClusterNode {
  static final int API_PORT = 7650;
  static final int DURABLE_PORT = 7652;
  static final int GOSSIP_PORT = 7659;

  private final Host host;
  private final String role;
  private final List<String> flags;

  ClusterNode(Host host, String role, List<String> flags) {
    this.host = host;
    this.role = role;
    this.flags = flags;
  }

  Host host() {
    return host;
  }

  boolean isStore() {
    return role.equals("store");
  }

  void start() throws IOException {
    host.start(role, flags.toArray(String[]::new));
  }

  NodeApi api() {
    return new NodeApi(host.reach(API_PORT));
  }

  /** The API addresses of the nodes that it believes to be there, its own included. */
  Set<String> sees() throws IOException {
    return api()
        .get("/cluster")
        .lines()
        .filter(line -> !line.startsWith("#"))
        .map(line -> line.split("\t", -1))
        .filter(columns -> columns[4].matches("(self|alive)(,twin)?"))
        .map(columns -> columns[2])
        .collect(Collectors.toSet());
  }

  /** Whether it is sure that it asks everybody who has records. */
  boolean answersAreComplete() throws IOException {
    return api()
        .request("HEAD", "/query?format=ulid")
        .headers()
        .firstValue("cordwood-verdict")
        .equals(Optional.of("complete"));
  }

  /** How it is listed where it is seen. */
  String apiAddress() {
    return host.address() + ":" + API_PORT;
  }

  @Override
  public String toString() {
    return role + " on " + host.name() + " " + flags;
  }
}
