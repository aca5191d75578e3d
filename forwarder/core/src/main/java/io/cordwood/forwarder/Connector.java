package io.cordwood.forwarder;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.StringJoiner;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Makes connections: looks the target's name up and tries each of its addresses, for a bounded time
 * each. Owned by the sender thread.
 */
final class Connector {
  private final Selector selector;
  private final NameResolver resolver;
  private final long timeoutMillis;
  private final BooleanSupplier stopped;

  Connector(Selector selector, NameResolver resolver, long timeoutMillis, BooleanSupplier stopped) {
    this.selector = selector;
    this.resolver = resolver;
    this.timeoutMillis = timeoutMillis;
    this.stopped = stopped;
  }

  /**
   * The key of a channel that is connected, not blocking.
   *
   * @throws IOException when the name is not known, or no address could be reached, with the reason
   *     of each
   */
  SelectionKey connect(Target target) throws IOException {
    StringJoiner reasons = new StringJoiner("; ", "cannot connect to " + target + ": ", "");
    for (InetAddress address : spread(lookUp(target))) {
      try {
        return connect(new InetSocketAddress(address, target.port()));
      } catch (IOException e) {
        reasons.add(address.getHostAddress() + ": " + e.getMessage());
      }
    }
    throw new IOException(reasons.toString());
  }

  /** In random order, so that senders spread; those of the family that the system prefers first. */
  private static List<InetAddress> spread(InetAddress[] found) {
    List<InetAddress> all = new ArrayList<>(List.of(found));
    Collections.shuffle(all);
    all.sort(Comparator.comparing(address -> address.getClass() != found[0].getClass()));
    return all;
  }

  private InetAddress[] lookUp(Target target) throws IOException {
    try {
      return resolver.resolve(target.host());
    } catch (UnknownHostException e) {
      throw new IOException("cannot look up " + target + ": " + e.getMessage(), e);
    }
  }

  private SelectionKey connect(InetSocketAddress address) throws IOException {
    SocketChannel channel = SocketChannel.open();
    try {
      channel.configureBlocking(false);
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
      SelectionKey key = channel.register(selector, SelectionKey.OP_CONNECT);
      if (!channel.connect(address)) {
        await(channel);
      }
      return key.interestOps(SelectionKey.OP_READ);
    } catch (IOException | RuntimeException e) {
      channel.close();
      selector.selectNow(); // lets the cancelled key go
      throw e;
    }
  }

  private void await(SocketChannel channel) throws IOException {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    while (!channel.finishConnect()) {
      long leftMillis = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
      if (leftMillis <= 0 || stopped.getAsBoolean()) {
        throw new IOException("no answer within " + timeoutMillis + " ms");
      }
      selector.select(leftMillis);
      selector.selectedKeys().clear();
    }
  }
}
