package io.cordwood.common.cluster;

import io.cordwood.common.net.HostPort;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.MonoSink;

/**
 * The connection that this node opened to one peer: connecting, then open, then ended.
 *
 * <p>Belongs to the gossip loop; only the name look-up runs elsewhere, on a thread of its own,
 * since it may block. Ended links say why until their owner drops them. What does not go out at
 * once is refused, not queued: gossip repeats itself.
 */
@SuppressWarnings(
    "FutureReturnValueIgnored") // a close that fails has closed; writes are listened to
final class PeerLink {
  /** Messages that may wait for a connection to be made. */
  static final int MAX_WAITING = 64;

  private final EventLoop loop;
  private final Queue<Waiting> waiting = new ArrayDeque<>();
  private final Runnable onEnd;
  private @Nullable Channel channel;
  private @Nullable Throwable end;

  private record Waiting(ByteBuffer frame, MonoSink<Void> done) {}

  /**
   * @param onEnd called once on the loop when the connection failed or ended
   */
  PeerLink(EventLoop loop, Runnable onEnd) {
    this.loop = loop;
    this.onEnd = onEnd;
  }

  void connect(Bootstrap bootstrap, HostPort address) {
    Thread.ofVirtual()
        .name("cordwood-gossip-lookup")
        .start(() -> {
          try {
            InetSocketAddress resolved = address.resolve();
            loop.execute(() -> connectTo(bootstrap, resolved));
          } catch (IOException e) {
            loop.execute(() -> fail(new IOException("unknown host " + address.host(), e)));
          }
        });
  }

  boolean isEnded() {
    return end != null;
  }

  /** Sends, or keeps until connected; refuses when too much waits, or when the link has ended. */
  void send(ByteBuffer frame, MonoSink<Void> done) {
    if (end != null) {
      done.error(end);
    } else if (channel != null) {
      write(channel, frame, done);
    } else if (waiting.size() < MAX_WAITING) {
      waiting.add(new Waiting(frame, done));
    } else {
      done.error(new IOException("too many messages wait for a connection"));
    }
  }

  void close() {
    if (channel != null) {
      channel.close();
    } else {
      fail(new IOException("closed"));
    }
  }

  private void connectTo(Bootstrap bootstrap, InetSocketAddress address) {
    if (end != null) {
      return;
    }
    bootstrap.connect(address).addListener((ChannelFuture connected) -> onConnect(connected));
  }

  private void onConnect(ChannelFuture connected) {
    if (!connected.isSuccess()) {
      fail(connected.cause());
    } else if (end != null) {
      connected.channel().close();
    } else {
      open(connected.channel());
    }
  }

  private void open(Channel connected) {
    channel = connected;
    connected.closeFuture().addListener(_ -> fail(new IOException("the peer closed")));
    for (Waiting next = waiting.poll(); next != null; next = waiting.poll()) {
      write(connected, next.frame, next.done);
    }
  }

  private static void write(Channel channel, ByteBuffer frame, MonoSink<Void> done) {
    if (!channel.isWritable()) {
      done.error(new IOException("the peer does not read"));
      return;
    }
    channel
        .writeAndFlush(Unpooled.wrappedBuffer(frame))
        .addListener(written -> {
          if (written.isSuccess()) {
            done.success();
          } else {
            done.error(written.cause());
          }
        });
  }

  private void fail(Throwable cause) {
    if (end != null) {
      return;
    }
    end = cause;
    for (Waiting next = waiting.poll(); next != null; next = waiting.poll()) {
      next.done.error(cause);
    }
    onEnd.run();
  }
}
