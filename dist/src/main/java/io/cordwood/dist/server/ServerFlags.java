package io.cordwood.dist.server;

import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.program.FlagBounds;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Flags;
import io.cordwood.common.cluster.ClusterKeys;
import io.cordwood.common.cluster.ClusterOptions;
import io.cordwood.common.cluster.GossipTiming;
import io.cordwood.common.file.FileTrouble;
import io.cordwood.common.http.server.Hosts;
import io.cordwood.common.net.AdvertisedHost;
import io.cordwood.common.net.HostPort;
import io.cordwood.common.tls.NodeTls;
import io.cordwood.common.tls.TlsOptions;
import io.cordwood.common.tls.TlsVersion;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The flags that all nodes have. */
final class ServerFlags implements Flags {
  static final int GOSSIP_PORT = 7659;

  /** How quickly nodes notice each other. */
  enum GossipProfile {
    LAN,
    LOCAL;

    GossipTiming timing() {
      return switch (this) {
        case LAN -> GossipTiming.LAN;
        case LOCAL -> GossipTiming.LOCAL;
      };
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private static final Pattern ORIGIN = Pattern.compile("https?://[^/A-Z\\s]+");

  @Nullable Path config;
  Path data = Path.of("data");
  String bind = "127.0.0.1";
  int apiPort = 7650;
  List<String> allowedHosts = new ArrayList<>();
  List<String> corsOrigins = new ArrayList<>();
  int gossipPort = GOSSIP_PORT;
  List<String> peers = new ArrayList<>();
  @Nullable String advertise;
  String clusterName = "cordwood";
  @Nullable Path clusterKeyFile;
  GossipProfile gossipProfile = GossipProfile.LAN;
  @Nullable Path tlsFolder;
  TlsVersion tlsMin = TlsVersion.V1_3;
  AccessFlags access = new AccessFlags();
  QueryLimitFlags queries = new QueryLimitFlags();
  RulesFlag rules = new RulesFlag();
  PageFlags page = new PageFlags();
  ColdFlags cold = new ColdFlags();

  @Override
  public void list(FlagList list) {
    list.flag("--config")
        .label("FILE")
        .help(
            "File of settings, a line 'flag = value' for each; flags and the environment count "
                + "more. Default: /etc/cordwood/cordwood.properties, if it is there.")
        .value(Path.class, config, value -> config = value);
    list.flag("--data")
        .label("DIR")
        .help("Folder for all that is kept; made if missing. Default: ${DEFAULT-VALUE}.")
        .value(Path.class, data, value -> data = value);
    list.flag("--bind")
        .label("ADDRESS")
        .help(
            "Address that all ports listen on: 0.0.0.0 lets other machines in, which needs"
                + " --tls-dir and --tokens, or --insecure. Default: ${DEFAULT-VALUE}, this machine"
                + " only.")
        .value(String.class, bind, value -> bind = value);
    list.flag("--api-port")
        .label("PORT")
        .help("HTTP: queries, peers, metrics. 0: any free one. Default: ${DEFAULT-VALUE}.")
        .value(int.class, apiPort, value -> apiPort = value);
    listCallers(list);
  }

  private void listCallers(FlagList list) {
    list.flag("--allowed-host")
        .label("NAME")
        .split(",")
        .help(
            "Name with a dot that this node may be asked by over HTTP, besides that of --advertise;"
                + " may be given several times. Others are refused, since a web page could make a"
                + " name of its own lead here. Default: none.")
        .list(String.class, allowedHosts, value -> allowedHosts = value);
    list.flag("--cors-origin")
        .label("ORIGIN")
        .split(",")
        .help(
            "Origin of web pages, such as https://board.example.com, that may ask this node over "
                + "HTTP; may be given several times. Pages of others are refused, and none may "
                + "change anything. Default: none but the node's own.")
        .list(String.class, corsOrigins, value -> corsOrigins = value);
    listCluster(list);
  }

  private void listCluster(FlagList list) {
    list.flag("--gossip-port")
        .label("PORT")
        .help("Gossip with the other nodes. 0: any free one. Default: ${DEFAULT-VALUE}.")
        .value(int.class, gossipPort, value -> gossipPort = value);
    list.flag("--peer")
        .label("HOST:PORT")
        .split(",")
        .help(
            "Gossip address of another node; may be given several times. A name is looked up again "
                + "and again, and may be that of a node that is still to come. Default: none.")
        .list(String.class, peers, value -> peers = value);
    list.flag("--advertise")
        .label("HOST")
        .help(
            "Name or address that the other nodes reach this one at. Default: that of --bind, or "
                + "this machine's first one if that is 0.0.0.0.")
        .value(String.class, advertise, value -> advertise = value);
    list.flag("--cluster-name")
        .label("NAME")
        .help("Nodes with different names refuse each other. Default: ${DEFAULT-VALUE}.")
        .value(String.class, clusterName, value -> clusterName = value);
    list.flag("--cluster-key-file")
        .label("FILE")
        .help(
            "Keys of 32 bytes, as hex or base64, a line each: gossip is encrypted, nodes show each "
                + "other that they have one, and those without a key in common refuse each other. "
                + "Default: no key.")
        .value(Path.class, clusterKeyFile, value -> clusterKeyFile = value);
    list.flag("--gossip-profile")
        .label("PROFILE")
        .help(
            "How quickly silent nodes are noticed: lan drops one after 10 to 20 s; local, for nodes"
                + " that share a machine, after 5 to 9. The same on all nodes. Default: "
                + "${DEFAULT-VALUE}.")
        .value(GossipProfile.class, gossipProfile, value -> gossipProfile = value);
    listTls(list);
  }

  private void listTls(FlagList list) {
    list.flag("--tls-dir")
        .label("DIR")
        .help(
            "Folder with ca.pem, node.pem and node.key, as 'cordwood ca node' writes it: all ports "
                + "speak TLS, and nodes show each other their certificates. All nodes of a cluster "
                + "or none. Default: plain text.")
        .value(Path.class, tlsFolder, value -> tlsFolder = value);
    list.flag("--tls-min")
        .label("VERSION")
        .help("Oldest version of TLS, 1.2 or 1.3. Default: ${DEFAULT-VALUE}.")
        .value(TlsVersion.class, tlsMin, value -> tlsMin = value);
    list.addAll(access);
    list.addAll(queries);
    list.addAll(rules);
    list.addAll(page);
    list.addAll(cold);
  }

  /** The other nodes' gossip addresses. */
  List<HostPort> seeds() {
    try {
      return peers.stream().map(peer -> HostPort.parse(peer, GOSSIP_PORT)).toList();
    } catch (IllegalArgumentException e) {
      throw new CommandException("--peer: " + e.getMessage(), e);
    }
  }

  /**
   * The TLS of this node.
   *
   * @throws CommandException if its files cannot be used
   */
  Optional<NodeTls> tls(MeterRegistry registry) {
    if (tlsFolder == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(NodeTls.open(TlsOptions.in(tlsFolder, tlsMin), registry));
    } catch (IOException e) {
      throw new CommandException("--tls-dir: " + FileTrouble.explain(e), e);
    }
  }

  /** The host that the other nodes reach this one at. */
  String advertisedHost() {
    return advertise != null ? advertise : AdvertisedHost.of(bind);
  }

  /** The names that it is asked by. */
  Hosts hosts() {
    Set<String> names = new HashSet<>();
    for (String name :
        Stream.concat(allowedHosts.stream(), Stream.of(bind, advertisedHost())).toList()) {
      names.add(name.toLowerCase(Locale.ROOT));
    }
    return new Hosts(names, Set.copyOf(corsOrigins));
  }

  private static void checkOrigin(String origin) {
    if (!ORIGIN.matcher(origin).matches()) {
      throw new CommandException(
          "--cors-origin: expected http:// or https:// and a name in lower case, with a port if it"
              + " is not the usual one, found '"
              + origin
              + "'");
    }
  }

  /** How this node takes part in gossip. */
  ClusterOptions cluster() {
    return new ClusterOptions(
        new HostPort(bind, gossipPort),
        advertisedHost(),
        seeds(),
        clusterName,
        keys(),
        gossipProfile.timing(),
        Optional.of(NodeId.members(data)));
  }

  ClusterKeys keys() {
    try {
      return clusterKeyFile == null ? ClusterKeys.NONE : ClusterKeys.read(clusterKeyFile);
    } catch (IOException e) {
      throw new CommandException("--cluster-key-file: " + FileTrouble.explain(e), e);
    }
  }

  private void checkCallers() {
    corsOrigins.forEach(ServerFlags::checkOrigin);
    for (String name : allowedHosts) {
      try {
        var _ = new HostPort(name, apiPort);
      } catch (IllegalArgumentException e) {
        throw new CommandException("--allowed-host: " + e.getMessage(), e);
      }
    }
  }

  private void checkCluster() {
    try {
      var _ = new HostPort(advertisedHost(), gossipPort);
    } catch (IllegalArgumentException e) {
      throw new CommandException("--advertise: " + e.getMessage(), e);
    }
    try {
      var _ = cluster();
    } catch (IllegalArgumentException e) {
      throw new CommandException(String.valueOf(e.getMessage()), e);
    }
  }

  /** Refuses what cannot be. */
  void check() {
    FlagBounds.port("--api-port", 0, apiPort);
    FlagBounds.port("--gossip-port", 0, gossipPort);
    queries.check();
    page.check();
    checkCallers();
    checkCluster();
    access.check(bind, tlsFolder != null);
    rules.check();
    cold.check(data);
  }
}
