package io.cordwood.it;

import io.cordwood.common.net.HostPort;
import io.cordwood.common.tls.Certificates;
import io.cordwood.common.tls.ClientTls;
import io.cordwood.forwarder.ForwarderOptions;
import io.cordwood.forwarder.Target;
import io.cordwood.query.Answer;
import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;

/** Certificates and the key of a cluster's nodes, and a client that trusts them. */
final class ClusterTls {
  private static final String KEY = "cluster.key";

  private final Path nodes;
  private final ClientTls client;
  private final HttpClient http;

  private ClusterTls(Path nodes, ClientTls client) {
    this.nodes = nodes;
    this.client = client;
    this.http = NodeApi.client(HttpClient.newBuilder().sslContext(client.context()));
  }

  /**
   * One certificate for all nodes, and one key.
   *
   * @param folder where they are kept
   */
  static ClusterTls of(Path folder, List<? extends Host> hosts) throws IOException {
    var certificates = new Certificates(folder);
    String[] names =
        hosts.stream()
            .flatMap(host -> Stream.of(host.address(), host.reach(ClusterNode.API_PORT).host()))
            .distinct()
            .toArray(String[]::new);
    Path nodes = certificates.node(Certificates.now(), names);
    Path key = Files.writeString(nodes.resolve(KEY), "5a".repeat(32));
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
    return new ClusterTls(nodes, certificates.trusting());
  }

  /** For a node of that host, from its next start on. */
  List<String> flags(Host host) {
    Path there = host.lend(nodes);
    return List.of("--tls-dir=" + there, "--cluster-key-file=" + there.resolve(KEY));
  }

  Sender sender(HostPort to) throws IOException {
    var plain = new Socket(to.host(), to.port());
    try {
      plain.setSoTimeout((int) Program.LONG.toMillis());
      return new Sender(client.secure(plain, to.host()));
    } catch (IOException e) {
      plain.close();
      throw e;
    }
  }

  Answer ask(String host, int port, String path) throws IOException {
    return Answer.get(host, port, path, client.context());
  }

  HttpClient http() {
    return http;
  }

  void addTarget(HostPort to, ForwarderOptions.Builder options) {
    options.target(new Target(to.host(), to.port(), true)).tls(client.context());
  }
}
