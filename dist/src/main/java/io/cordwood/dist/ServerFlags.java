package io.cordwood.dist;

import io.cordwood.common.net.HostPort;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** The flags that all nodes have. */
final class ServerFlags {
  static final int GOSSIP_PORT = 7659;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Folder for all that is kept; made if missing. Default: ${DEFAULT-VALUE}.")
  Path data = Path.of("data");

  @Option(
      names = "--bind",
      paramLabel = "ADDRESS",
      description =
          "Address that all ports listen on: 0.0.0.0 lets other machines in, and there is no "
              + "password. Default: ${DEFAULT-VALUE}, this machine only.")
  String bind = "127.0.0.1";

  @Option(
      names = "--api-port",
      paramLabel = "PORT",
      description = "HTTP: queries, peers, metrics. 0: any free one. Default: ${DEFAULT-VALUE}.")
  int apiPort = 7650;

  @Option(
      names = "--gossip-port",
      paramLabel = "PORT",
      description = "Gossip with the other nodes. 0: any free one. Default: ${DEFAULT-VALUE}.")
  int gossipPort = GOSSIP_PORT;

  @Option(
      names = "--peer",
      paramLabel = "HOST:PORT",
      description = "Gossip address of another node; may be given several times. Default: none.")
  List<String> peers = new ArrayList<>();

  @Option(
      names = "--replication-factor",
      paramLabel = "N",
      description = "Store nodes that keep each record. This version keeps it on 1. Default: 1.")
  int replicationFactor = 1;

  /** The other nodes' gossip addresses. */
  List<HostPort> seeds() {
    try {
      return peers.stream().map(peer -> HostPort.parse(peer, GOSSIP_PORT)).toList();
    } catch (IllegalArgumentException e) {
      throw new CommandException("--peer: " + e.getMessage(), e);
    }
  }

  /** Refuses what cannot be. */
  void check() {
    if (replicationFactor != 1) {
      throw new CommandException(
          "--replication-factor: this version keeps each record on 1 store node, found "
              + replicationFactor);
    }
    checkPort("--api-port", apiPort);
    checkPort("--gossip-port", gossipPort);
  }

  static void checkPort(String flag, int port) {
    if (port < 0 || port > HostPort.MAX_PORT) {
      throw new CommandException(flag + ": expected a port from 0 to 65535, found " + port);
    }
  }
}
