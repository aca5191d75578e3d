package io.cordwood.common.cluster;

import io.cordwood.common.net.HostPort;
import io.cordwood.common.tls.NodeTls;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import reactor.core.publisher.MonoSink;

/**
 * The connections that this node opened to its peers, one for each address. Belongs to the gossip
 * loop. Beyond {@link #MAX_LINKS} a new one takes the place of that which was used the longest ago:
 * gossip goes to other members all the time, and few connections are used twice in a large cluster.
 *
 * <p>After a failure an address is left alone for {@link PeerLink#RETRY_MILLIS}: sends fail at
 * once, and a dead peer is not called again for every message.
 */
final class PeerLinks {
  static final int MAX_LINKS = 256;
  static final int CONNECT_TIMEOUT_MILLIS = 3000;

  private final EventLoop loop;
  private final Resolver resolver;
  private final Handshake handshake;
  private final Optional<NodeTls> tls;
  private final GossipMetrics metrics;
  private final Bootstrap bootstrap;
  private final Map<String, PeerLink> links = new LinkedHashMap<>(16, 0.75f, true); // by last use

  PeerLinks(
      EventLoop loop,
      Resolver resolver,
      Handshake handshake,
      Optional<NodeTls> tls,
      GossipMetrics metrics) {
    this.tls = tls;
    this.loop = loop;
    this.resolver = resolver;
    this.handshake = handshake;
    this.metrics = metrics;
    bootstrap =
        new Bootstrap()
            .group(loop)
            .channel(NioSocketChannel.class)
            .option(ChannelOption.TCP_NODELAY, true)
            .option(ChannelOption.SO_KEEPALIVE, true)
            .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_TIMEOUT_MILLIS);
  }

  void send(String address, byte[] body, MonoSink<Void> done) {
    PeerLink link = links.get(address);
    if (link == null) {
      if (links.size() >= MAX_LINKS && !makeRoom()) {
        metrics.sendsRefused().increment();
        done.error(new IOException("at most " + MAX_LINKS + " peers can be called at a time"));
        return;
      }
      link = open(address);
    }
    if (link.isEnded()) {
      metrics.sendsRefused().increment();
    } else {
      metrics.framesSent().increment();
    }
    link.send(body, done);
  }

  /** Whether there was a link that works and could be ended. */
  private boolean makeRoom() {
    Optional<PeerLink> idle = links.values().stream().filter(PeerLink::isIntroduced).findFirst();
    idle.ifPresent(link -> {
      metrics.connectionsReplaced().increment();
      link.retire();
    });
    return idle.isPresent();
  }

  /** The next message to this address gets a connection of its own, to wherever it leads then. */
  void renew(String address) {
    PeerLink link = links.get(address);
    if (link != null && link.isIntroduced()) {
      link.retire();
    }
  }

  void close() {
    new ArrayList<>(links.values()).forEach(link -> link.end(new IOException("closed")));
  }

  private PeerLink open(String address) {
    PeerLink link =
        new PeerLink(
            loop,
            HostPort.parse(address, 0),
            metrics.framesRefused(),
            ended -> drop(address, ended));
    links.put(address, link);
    link.connect(bootstrap, resolver, new PeerLink.Opening(handshake, tls));
    return link;
  }

  private void drop(String address, PeerLink link) {
    if (link.isRetired()) {
      links.remove(address, link);
    } else if (!loop.isShuttingDown()) {
      var _ =
          loop.schedule(
              () -> links.remove(address, link), PeerLink.RETRY_MILLIS, TimeUnit.MILLISECONDS);
    }
  }
}
