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
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Makes connections: looks the target's name up and tries each of its addresses, for a bounded time
 * each. Owned by the sender thread.
 */
final class Connector {
  private final Selector selector;
  private final NameResolver resolver;
  private final long timeoutMillis;
  private final @Nullable Supplier<SSLContext> tls;
  private final BooleanSupplier stopped;

  /** A connected channel, not blocking, and what is spoken on it. */
  record Connected(SelectionKey key, Wire wire) {}

  /**
   * @param timeoutMillis for a connection, and again for its TLS handshake
   * @param tls null for what the JVM trusts
   */
  Connector(
      Selector selector,
      NameResolver resolver,
      long timeoutMillis,
      @Nullable Supplier<SSLContext> tls,
      BooleanSupplier stopped) {
    this.tls = tls;
    this.selector = selector;
    this.resolver = resolver;
    this.timeoutMillis = timeoutMillis;
    this.stopped = stopped;
  }

  /**
   * A connection, with TLS if the target has it.
   *
   * @throws IOException when the name is not known, or no address could be reached, with the reason
   *     of each
   * @throws SSLException when there was an answer, and the two do not agree
   */
  Connected connect(Target target) throws IOException {
    StringJoiner reasons = new StringJoiner("; ", "cannot connect to " + target + ": ", "");
    boolean answered = false;
    for (InetAddress address : spread(lookUp(target))) {
      try {
        return connect(target, new InetSocketAddress(address, target.port()));
      } catch (IOException e) {
        answered |= e instanceof SSLException;
        reasons.add(address.getHostAddress() + ": " + e.getMessage());
      }
    }
    throw answered ? new SSLException(reasons.toString()) : new IOException(reasons.toString());
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

  private Connected connect(Target target, InetSocketAddress address) throws IOException {
    SocketChannel channel = SocketChannel.open();
    try {
      channel.configureBlocking(false);
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
      SelectionKey key = channel.register(selector, SelectionKey.OP_CONNECT);
      if (!channel.connect(address)) {
        await(channel);
      }
      Wire wire = target.tls() ? secure(target, channel, key) : Wire.plain(channel);
      key.interestOps(SelectionKey.OP_READ);
      return new Connected(key, wire);
    } catch (SSLException e) {
      letGo(channel);
      throw Trust.explained(e);
    } catch (IOException | RuntimeException e) {
      letGo(channel);
      throw e;
    }
  }

  private void letGo(SocketChannel channel) throws IOException {
    channel.close();
    selector.selectNow(); // lets the cancelled key go
  }

  private Wire secure(Target target, SocketChannel channel, SelectionKey key) throws IOException {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    return TlsWire.connect(
        channel,
        tls != null ? tls.get() : Trust.usual(),
        target,
        operation -> {
          key.interestOps(operation);
          select(deadline, "no end of the TLS handshake within ");
        });
  }

  private void await(SocketChannel channel) throws IOException {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    while (!channel.finishConnect()) {
      select(deadline, "no answer within ");
    }
  }

  private void select(long deadline, String complaint) throws IOException {
    long leftMillis = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
    if (leftMillis <= 0 || stopped.getAsBoolean()) {
      throw new IOException(complaint + timeoutMillis + " ms");
    }
    selector.select(leftMillis);
    selector.selectedKeys().clear();
  }
}
