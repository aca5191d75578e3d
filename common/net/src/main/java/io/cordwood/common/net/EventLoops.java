package io.cordwood.common.net;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.ServerSocketChannel;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;

/**
 * The choice of transport: epoll where its native library loads, else NIO. Both give the same
 * behaviour; {@code -Dio.netty.transport.noNative=true} forces NIO.
 */
public final class EventLoops {
  private static final String MACHINE_ID = "io.netty.machineId";

  static {
    // Part of channels' ids, for which netty looks at network cards, and warns if there are none.
    if (System.getProperty(MACHINE_ID) == null) {
      byte[] id = new byte[6];
      ThreadLocalRandom.current().nextBytes(id);
      System.setProperty(MACHINE_ID, HexFormat.ofDelimiter(":").formatHex(id));
    }
  }

  private static final boolean EPOLL = Epoll.isAvailable();

  /** As in Linux's {@code tcp_states.h}: neither side has ended. */
  private static final int TCP_ESTABLISHED = 1;

  private EventLoops() {}

  /**
   * A new group of event loops, owned by the caller, who shuts it down. Its threads are daemons.
   *
   * @param threads number of loops, at least 1
   * @param name prefix of the threads' names
   */
  public static IoEventLoopGroup group(int threads, String name) {
    IoHandlerFactory factory = EPOLL ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
    return new MultiThreadIoEventLoopGroup(threads, new DefaultThreadFactory(name, true), factory);
  }

  /** The class of connecting channel that goes with {@link #group}. */
  public static Class<? extends SocketChannel> clientChannel() {
    return EPOLL ? EpollSocketChannel.class : NioSocketChannel.class;
  }

  /** The class of listening channel that goes with {@link #group}. */
  public static Class<? extends ServerSocketChannel> serverChannel() {
    return EPOLL ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
  }

  /**
   * Reads a connection again that was not read for a while. For its event loop.
   *
   * <p>Of a connection that is not read and whose peer has sent its last byte, there is nothing
   * that epoll could tell. Netty 4.2.18 takes it out of epoll's set then, fails when it is to be
   * read again, and closes it, whatever is still unread. So it is registered anew.
   *
   * @param isWanted asked again if that takes a moment
   */
  public static void readAgain(Channel channel, BooleanSupplier isWanted) {
    if (!(channel instanceof EpollSocketChannel socket) || isWhole(socket)) {
      channel.config().setAutoRead(true);
      return;
    }
    EventLoop loop = channel.eventLoop();
    var _ =
        channel
            .deregister()
            .addListener(_ -> {
              channel.config().setAutoRead(isWanted.getAsBoolean());
              var _ = loop.register(channel);
            });
  }

  private static boolean isWhole(EpollSocketChannel socket) {
    return !socket.isOpen() || socket.tcpInfo().state() == TCP_ESTABLISHED;
  }

  /** Name of the transport in use, for logs: {@code epoll} or {@code nio}. */
  public static String transport() {
    return EPOLL ? "epoll" : "nio";
  }
}
