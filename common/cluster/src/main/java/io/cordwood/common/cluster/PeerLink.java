package io.cordwood.common.cluster;

import io.cordwood.common.net.HostPort;
import io.cordwood.common.tls.NodeTls;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.MonoSink;

/**
 * The connection that this node opened to one peer: connecting, then introduced, then ended.
 *
 * <p>Belongs to the gossip loop; only the name look-up runs elsewhere, on a thread of its own,
 * since it may block. A link that takes longer than {@link #INTRODUCTION_SECONDS} to be introduced
 * ends. So does one after {@link #MAX_AGE_SECONDS}: a peer may be reached at another address by
 * then, or the network may have lost the connection without a word. Ended links say why until their
 * owner drops them. What does not go out at once is refused, not queued: gossip repeats itself.
 */
@SuppressWarnings(
    "FutureReturnValueIgnored") // a close that fails has closed; writes are listened to
final class PeerLink {
  /** Messages that may wait for a connection to be made. */
  static final int MAX_WAITING = 64;

  /** Long enough for TLS on a busy machine: a handshake that is cut off only makes it busier. */
  static final int INTRODUCTION_SECONDS = 15;

  static final int MAX_AGE_SECONDS = 60;

  /** For which an address is left alone after a failure. */
  static final long RETRY_MILLIS = 300;

  private final EventLoop loop;
  private final HostPort address;
  private final Refusals refusals;
  private final Consumer<PeerLink> onEnd;
  private final Queue<Waiting> waiting = new ArrayDeque<>();
  private @Nullable Channel channel;
  private Optional<FrameSeal> seal = Optional.empty();
  private boolean introduced;
  private long introducedNanos;
  private boolean retired;
  private @Nullable Throwable end;

  /** How a connection begins. */
  record Opening(Handshake handshake, Optional<NodeTls> tls) {}

  private record Waiting(byte[] body, MonoSink<Void> done) {}

  /**
   * @param onEnd called once on the loop when the connection failed or ended
   */
  PeerLink(EventLoop loop, HostPort address, Refusals refusals, Consumer<PeerLink> onEnd) {
    this.loop = loop;
    this.address = address;
    this.refusals = refusals;
    this.onEnd = onEnd;
  }

  void connect(Bootstrap bootstrap, Resolver resolver, Opening opening) {
    loop.schedule(this::giveUpUnlessIntroduced, INTRODUCTION_SECONDS, TimeUnit.SECONDS);
    Thread.ofVirtual()
        .name("cordwood-gossip-lookup")
        .start(() -> {
          Runnable next = lookedUp(bootstrap, resolver, opening);
          try {
            loop.execute(next);
          } catch (RejectedExecutionException e) {
            // This node has ended meanwhile.
          }
        });
  }

  private Runnable lookedUp(Bootstrap bootstrap, Resolver resolver, Opening opening) {
    try {
      InetSocketAddress resolved = resolver.resolve(address);
      return () -> connectTo(bootstrap.clone().handler(pipeline(opening)), resolved);
    } catch (IOException e) {
      return () -> end(new IOException("unknown host " + address.host(), e));
    }
  }

  /** Whether it works. */
  boolean isIntroduced() {
    return introduced && end == null;
  }

  boolean isRetired() {
    return retired;
  }

  boolean isEnded() {
    return end != null;
  }

  /** Sends, or keeps until introduced; refuses when too much waits, or when the link has ended. */
  void send(byte[] body, MonoSink<Void> done) {
    if (end != null) {
      done.error(end);
    } else if (introduced && channel != null) {
      write(channel, body, done);
    } else if (waiting.size() < MAX_WAITING) {
      waiting.add(new Waiting(body, done));
    } else {
      done.error(new IOException("too many messages wait for a connection"));
    }
  }

  /** The peer is there, and both sides agreed on this seal. */
  void introduced(Channel connected, Optional<FrameSeal> agreed) {
    seal = agreed;
    introduced = true;
    introducedNanos = System.nanoTime();
    loop.schedule(this::retire, MAX_AGE_SECONDS, TimeUnit.SECONDS);
    for (Waiting next = waiting.poll(); next != null; next = waiting.poll()) {
      write(connected, next.body, next.done);
    }
  }

  /** Ends a link that works, so that a new one takes its place. */
  void retire() {
    retired = true;
    end(new IOException("the connection is renewed"));
  }

  /** A link that worked for a while is opened again with the next message: it made room. */
  private void peerClosed() {
    long worked = System.nanoTime() - introducedNanos;
    retired |= introduced && worked > TimeUnit.MILLISECONDS.toNanos(RETRY_MILLIS);
    end(new IOException("the peer closed"));
  }

  /** Ends the link to a peer that this node does not talk to. */
  void refuse(GossipFormatException why) {
    refusals.refused(address, why);
    end(why);
  }

  /** Does nothing the second time. */
  void end(Throwable cause) {
    if (end != null) {
      return;
    }
    end = cause;
    if (channel != null) {
      channel.close();
    }
    for (Waiting next = waiting.poll(); next != null; next = waiting.poll()) {
      next.done.error(cause);
    }
    onEnd.accept(this);
  }

  private void giveUpUnlessIntroduced() {
    if (!introduced) {
      end(
          new IOException(
              "no introduction in " + INTRODUCTION_SECONDS + " s; is this its gossip port?"));
    }
  }

  private void connectTo(Bootstrap bootstrap, InetSocketAddress resolved) {
    if (end == null) {
      bootstrap.connect(resolved).addListener((ChannelFuture connected) -> onConnect(connected));
    }
  }

  private void onConnect(ChannelFuture connected) {
    if (!connected.isSuccess()) {
      end(connected.cause());
    } else if (end != null) {
      connected.channel().close();
    } else {
      channel = connected.channel();
      channel.closeFuture().addListener(_ -> peerClosed());
    }
  }

  private ChannelInitializer<SocketChannel> pipeline(Opening opening) {
    return new ChannelInitializer<>() {
      @Override
      protected void initChannel(SocketChannel connected) {
        opening
            .tls()
            .map(node -> node.toPeer(address.host(), address.port()))
            .ifPresent(secure -> connected.pipeline().addLast(secure));
        connected
            .pipeline()
            .addLast(
                new LengthFieldBasedFrameDecoder(
                    Introduction.MAX_BYTES, 0, Integer.BYTES, 0, Integer.BYTES),
                new CallerIntroduction(opening.handshake(), PeerLink.this));
      }
    };
  }

  private void write(Channel connected, byte[] body, MonoSink<Void> done) {
    if (!connected.isWritable()) {
      done.error(new IOException("the peer does not read"));
      return;
    }
    byte[] sealed = seal.isPresent() ? seal.get().seal(body) : body;
    connected
        .writeAndFlush(Frame.of(connected.alloc(), sealed))
        .addListener(written -> {
          if (written.isSuccess()) {
            done.success();
          } else {
            done.error(written.cause());
          }
        });
  }
}
