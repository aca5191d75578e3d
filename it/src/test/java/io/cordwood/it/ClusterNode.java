package io.cordwood.it;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
  private Optional<ClusterTls> tls = Optional.empty();

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

  /** From its next start on it has certificates and a key. */
  void secure(ClusterTls with) {
    tls = Optional.of(with);
  }

  Optional<ClusterTls> tls() {
    return tls;
  }

  /** Starts it, and returns when it is ready. */
  void start() throws IOException {
    List<String> all = new ArrayList<>(flags);
    tls.ifPresent(its -> all.addAll(its.flags(host)));
    host.start(role, all.toArray(String[]::new));
    await()
        .alias(this + " is ready")
        .pollDelay(Duration.ZERO)
        .ignoreExceptionsInstanceOf(IOException.class)
        .until(api()::isReady);
  }

  NodeApi api() {
    return new NodeApi(host.reach(API_PORT), tls);
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

  /** Whether another has told it that all of that one's records have their copies. */
  boolean knowsCopiesOfAll(ClusterNode other) throws IOException {
    Matcher said =
        Pattern.compile(
                "\"api_address\":\"%s\"[^}]*\"replicated_from\":\"1970-01-01T00:00:00Z\""
                    .formatted(other.apiAddress()))
            .matcher(api().get("/cluster?format=json"));
    return said.find();
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
