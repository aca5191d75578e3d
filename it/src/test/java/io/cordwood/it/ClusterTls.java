package io.cordwood.it;

import io.cordwood.common.net.HostPort;
import io.cordwood.common.tls.Certificates;
import io.cordwood.common.tls.ClientTls;
import io.cordwood.query.Answer;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;

/** Certificates of a cluster's nodes, and a client that trusts them. */
final class ClusterTls {
  private final Path nodes;
  private final ClientTls client;

  private ClusterTls(Path nodes, ClientTls client) {
    this.nodes = nodes;
    this.client = client;
  }

  /**
   * One certificate for all nodes.
   *
   * @param folder where it is kept
   */
  static ClusterTls of(Path folder, List<? extends Host> hosts) throws IOException {
    var certificates = new Certificates(folder);
    String[] names = hosts.stream().map(Host::address).distinct().toArray(String[]::new);
    return new ClusterTls(certificates.node(Certificates.now(), names), certificates.trusting());
  }

  String flag() {
    return "--tls-dir=" + nodes;
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
}
