package io.cordwood.common.cluster;

import io.cordwood.common.net.HostPort;
import io.cordwood.common.run.RateLimitedLog;
import io.cordwood.common.tls.NodeTls;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.scalecube.cluster.transport.api.Message;
import io.scalecube.cluster.transport.api.MessageCodec;
import io.scalecube.cluster.transport.api.Transport;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/**
 * Messages between nodes over TCP: one thread, a bound for everything, and a bind address.
 *
 * <p>A connection begins with that of TLS, if nodes speak it, and a {@link Handshake}; then a frame
 * is an i32 length and what the codec writes, at most {@link Frame#MAX_BYTES}, with a key sealed as
 * {@link FrameSeal} draws it. Peers answer over connections of their own. It listens as soon as it
 * is made. All connections belong to its one event loop; the public methods may be called from any
 * thread and never block, but for {@link #bind}.
 *
 * <p>Strangers, who have not introduced themselves yet, have few places and little time, and the
 * last one to come takes the place of the first: they do not keep peers out. A peer beyond {@link
 * #MAX_CONNECTIONS} takes the place of the one that was silent for the longest time, which opens
 * another when it has something to say.
 */
@SuppressWarnings(
    "FutureReturnValueIgnored") // a close that fails has closed; writes are listened to
final class GossipTransport implements MemberTransport {
  static final int MAX_CONNECTIONS = 512;
  static final int MAX_STRANGERS = 64;
  static final int INTRODUCTION_SECONDS = PeerLink.INTRODUCTION_SECONDS;

  /** Peers renew their connections earlier. */
  static final int MAX_AGE_SECONDS = 2 * PeerLink.MAX_AGE_SECONDS;

  private static final RateLimitedLog LOG =
      new RateLimitedLog(LoggerFactory.getLogger(GossipTransport.class));

  private final MultiThreadIoEventLoopGroup group =
      new MultiThreadIoEventLoopGroup(
          1, new DefaultThreadFactory("cordwood-gossip", true), NioIoHandler.newFactory());
  private final EventLoop loop = group.next();
  private final ChannelGroup inbound = new DefaultChannelGroup(loop);
  private final Set<Channel> strangers = new LinkedHashSet<>(); // owned by the loop

  /** Those who introduced themselves, the one last heard at the end; owned by the loop. */
  private final Map<Channel, Boolean> heard = new LinkedHashMap<>(16, 0.75f, true);

  private final Inbox inbox;
  private final MessageCodec codec;
  private final Handshake handshake;
  private final Optional<NodeTls> tls;
  private final GossipMetrics metrics;
  private final PeerLinks links;
  private final GossipBundles bundles; // owned by the loop
  private final Channel server;

  /**
   * @throws IOException if the address cannot be listened on; the message names it
   */
  GossipTransport(
      HostPort bind,
      MessageCodec codec,
      Resolver resolver,
      Handshake handshake,
      Optional<NodeTls> tls,
      GossipMetrics metrics)
      throws IOException {
    this.codec = codec;
    this.handshake = handshake;
    this.tls = tls;
    this.metrics = metrics;
    inbox = new Inbox(metrics.messagesDropped());
    links = new PeerLinks(loop, resolver, handshake, tls, metrics);
    bundles = new GossipBundles(this::write, this::afterBundles);
    server = listen(bind);
  }

  @Override
  public int port() {
    return ((InetSocketAddress) server.localAddress()).getPort();
  }

  @Override
  public String address() {
    InetSocketAddress bound = (InetSocketAddress) server.localAddress();
    return new HostPort(bound.getAddress().getHostAddress(), bound.getPort()).toString();
  }

  @Override
  public Mono<Transport> start() {
    return Mono.just(this);
  }

  @Override
  public Flux<Message> listen() {
    return inbox.listen();
  }

  @Override
  public Mono<Void> send(String address, Message message) {
    return Mono.create(done -> send(address, message, done));
  }

  @Override
  public Mono<Message> requestResponse(String address, Message request) {
    return inbox.answer(request, send(address, request));
  }

  /** Ends all connections and the loop; completes when that is done. */
  @Override
  public Mono<Void> stop() {
    return Mono.create(done -> {
      if (!group.isShuttingDown()) {
        loop.execute(this::closeAll);
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
      }
      group.terminationFuture().addListener(_ -> done.success());
    });
  }

  @Override
  public boolean isStopped() {
    return group.isTerminated();
  }

  @Override
  public void hear() {
    inbox.open();
  }

  private void closeAll() {
    inbox.end();
    server.close();
    inbound.close();
    bundles.flush();
    links.close();
  }

  private void send(String address, Message message, MonoSink<Void> done) {
    hear();
    try {
      loop.execute(() -> bundles.send(address, message, done));
    } catch (RejectedExecutionException e) {
      done.error(e); // stopped
    }
  }

  private void afterBundles(Runnable flush) {
    loop.schedule(flush, GossipBundles.WAIT_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void write(String address, Message message, MonoSink<Void> done) {
    try {
      ByteArrayOutputStream body = new ByteArrayOutputStream(256);
      codec.serialize(message, body);
      links.send(address, body.toByteArray(), done);
    } catch (Exception e) {
      metrics.sendsRefused().increment();
      LOG.warn("could not send gossip to", address, e);
      done.error(e);
    }
  }

  private Channel listen(HostPort bind) throws IOException {
    ChannelFuture bound =
        new ServerBootstrap()
            .group(loop)
            .channel(NioServerSocketChannel.class)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childOption(ChannelOption.SO_KEEPALIVE, true)
            .childHandler(new Accept())
            .bind(bind.host(), bind.port())
            .awaitUninterruptibly();
    if (!bound.isSuccess()) {
      group.shutdownGracefully(0, 0, TimeUnit.SECONDS);
      throw new IOException(
          "cannot listen for gossip on " + bind + ": " + bound.cause().getMessage(), bound.cause());
    }
    return bound.channel();
  }

  @Override
  public void renew(String address) {
    try {
      loop.execute(() -> links.renew(address));
    } catch (RejectedExecutionException _) {
      // stopped: no connection is left to renew
    }
  }

  private void refuse(Channel channel, String why) {
    metrics.connectionsRefused().increment();
    LOG.warn("refused a gossip connection from", channel.remoteAddress(), why);
    channel.close();
  }

  private final class Accept extends ChannelInitializer<SocketChannel>
      implements InboundFrames.Listener {
    @Override
    protected void initChannel(SocketChannel channel) {
      inbound.add(channel);
      strangers.add(channel);
      channel.closeFuture().addListener(_ -> strangers.remove(channel));
      if (strangers.size() > MAX_STRANGERS) {
        refuse(strangers.iterator().next(), "more than " + MAX_STRANGERS + " strangers");
      }
      after(channel, INTRODUCTION_SECONDS, () -> giveUpUnlessIntroduced(channel));
      tls.ifPresent(node ->
          node.fromPeer(client -> refuse(client, "its certificate is no node's"))
              .forEach(channel.pipeline()::addLast));
      channel
          .pipeline()
          .addLast(
              new LengthFieldBasedFrameDecoder(
                  Frame.MAX_BYTES + FrameSeal.TAG_BYTES, 0, Integer.BYTES, 0, Integer.BYTES),
              new InboundFrames(codec, handshake, metrics, this));
    }

    private void after(Channel channel, int seconds, Runnable action) {
      Future<?> later = loop.schedule(action, seconds, TimeUnit.SECONDS);
      channel.closeFuture().addListener(_ -> later.cancel(false));
    }

    /** A peer on a busy machine, or who only looks whether the port is open: no warning. */
    private void giveUpUnlessIntroduced(Channel channel) {
      if (strangers.contains(channel)) {
        metrics.connectionsRefused().increment();
        LOG.info(
            "closed a gossip connection from",
            channel.remoteAddress(),
            "no introduction in " + INTRODUCTION_SECONDS + " s");
        channel.close();
      }
    }

    @Override
    public void onIntroduced(Channel channel) {
      strangers.remove(channel);
      after(channel, MAX_AGE_SECONDS, channel::close);
      heard.put(channel, true);
      channel.closeFuture().addListener(_ -> heard.remove(channel));
      if (heard.size() > MAX_CONNECTIONS) {
        metrics.connectionsReplaced().increment();
        heard.keySet().iterator().next().close();
      }
    }

    @Override
    public void onMessage(Channel channel, Message message) {
      heard.get(channel);
      inbox.take(message);
    }
  }
}
