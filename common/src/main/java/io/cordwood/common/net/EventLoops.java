package io.cordwood.common.net;

import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.ServerSocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;

/**
 * The choice of transport: epoll where its native library loads, else NIO. Both give the same
 * behaviour; {@code -Dio.netty.transport.noNative=true} forces NIO.
 */
public final class EventLoops {
  private static final boolean EPOLL = Epoll.isAvailable();

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

  /** The class of listening channel that goes with {@link #group}. */
  public static Class<? extends ServerSocketChannel> serverChannel() {
    return EPOLL ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
  }

  /** Name of the transport in use, for logs: {@code epoll} or {@code nio}. */
  public static String transport() {
    return EPOLL ? "epoll" : "nio";
  }
}
