package io.cordwood.common.cluster;

import io.cordwood.common.net.HostPort;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.timeout.IdleStateHandler;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.MonoSink;

/**
 * The connections that this node opened to its peers, one for each address. Belongs to the gossip
 * loop.
 *
 * <p>After a failure an address is left alone for {@link #RETRY_MILLIS}: sends fail at once, and a
 * dead peer is not called again for every message. Links that carried nothing for {@link
 * #IDLE_SECONDS} are closed.
 */
@SuppressWarnings(
    "FutureReturnValueIgnored") // a close that fails has closed; writes are listened to
final class PeerLinks {
  static final int MAX_LINKS = 1024;
  static final long RETRY_MILLIS = 300;
  static final int CONNECT_TIMEOUT_MILLIS = 3000;
  static final int IDLE_SECONDS = 300;

  private static final RateLimitedLog LOG =
      new RateLimitedLog(LoggerFactory.getLogger(PeerLinks.class));

  private final EventLoop loop;
  private final GossipMetrics metrics;
  private final Bootstrap bootstrap;
  private final Map<String, PeerLink> links = new HashMap<>();

  PeerLinks(EventLoop loop, GossipMetrics metrics) {
    this.loop = loop;
    this.metrics = metrics;
    bootstrap =
        new Bootstrap()
            .group(loop)
            .channel(NioSocketChannel.class)
            .option(ChannelOption.TCP_NODELAY, true)
            .option(ChannelOption.SO_KEEPALIVE, true)
            .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_TIMEOUT_MILLIS)
            .handler(new WriteOnly());
  }

  void send(String address, ByteBuffer frame, MonoSink<Void> done) {
    PeerLink link = links.get(address);
    if (link == null) {
      if (links.size() >= MAX_LINKS) {
        metrics.sendsRefused().increment();
        done.error(new IOException("at most " + MAX_LINKS + " peers can be connected"));
        return;
      }
      link = open(address);
    }
    if (link.isEnded()) {
      metrics.sendsRefused().increment();
    } else {
      metrics.framesSent().increment();
    }
    link.send(frame, done);
  }

  void close() {
    new ArrayList<>(links.values()).forEach(PeerLink::close);
  }

  private PeerLink open(String address) {
    PeerLink link = new PeerLink(loop, () -> dropLater(address));
    links.put(address, link);
    link.connect(bootstrap, HostPort.parse(address, 0));
    return link;
  }

  private void dropLater(String address) {
    if (!loop.isShuttingDown()) {
      loop.schedule(() -> links.remove(address), RETRY_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  /** Peers answer on connections of their own: whatever comes back on ours is garbage. */
  private final class WriteOnly extends ChannelInitializer<SocketChannel> {
    @Override
    protected void initChannel(SocketChannel channel) {
      channel.pipeline().addLast(new IdleStateHandler(0, IDLE_SECONDS, 0), new Refuse());
    }
  }

  private final class Refuse extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object read) {
      ReferenceCountUtil.release(read);
      metrics.framesRefused().increment();
      LOG.warn("unexpected bytes from", context.channel().remoteAddress(), "closed");
      context.close();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
      context.close(); // the only event is idleness
    }

    @Override
    @SuppressWarnings("deprecation") // the interface's method is, not the handler's
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      context.close(); // the owner learns from the close
    }
  }
}
