package io.cordwood.forwarder;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A connection that is made beside the one in use, by a thread of its own, so that sending goes on
 * whatever the network and the name service do. It is made when the node has been asked how loaded
 * it is, and has answered. The thread ends with that, and never later than connecting, the TLS
 * handshake and the answer may take, each of them the connect time-out; a look-up of the name that
 * takes longer holds it up, and nothing else.
 */
final class MigrationConnection {
  private static final int ANSWER_BYTES = 4096;

  private final Target target;
  private final ForwarderOptions options;
  private final NameResolver resolver;
  private final LongConsumer clock;
  private final Selector selector;
  private final FutureTask<Made> task;
  private volatile boolean stopped;

  /**
   * The connection, with a key of no use any more.
   *
   * @param answers has read what the node has said so far
   * @param told by the node, of itself at least
   */
  record Made(
      Target target, SocketChannel channel, Wire wire, AckReader answers, AdvertisedNodes told) {
    void close() {
      try {
        channel.close();
      } catch (IOException e) {
        // Nothing was sent on it.
      }
    }
  }

  private MigrationConnection(
      Target target,
      ForwarderOptions options,
      NameResolver resolver,
      LongConsumer clock,
      Runnable whenOver)
      throws IOException {
    this.clock = clock;
    this.target = target;
    this.options = options;
    this.resolver = resolver;
    this.selector = Selector.open();
    this.task =
        new FutureTask<>(this::make) {
          @Override
          protected void done() {
            closeIfStopped();
            whenOver.run();
          }
        };
  }

  /**
   * Begins to make one.
   *
   * @param clock takes the node's time, in milliseconds, from the other thread
   * @param whenOver is run by the other thread when it is made, or not to be had
   * @throws IOException when there is no selector to be had
   */
  static MigrationConnection start(
      Target target,
      ForwarderOptions options,
      NameResolver resolver,
      LongConsumer clock,
      Runnable whenOver)
      throws IOException {
    var standby = new MigrationConnection(target, options, resolver, clock, whenOver);
    Thread thread = new Thread(standby.task, "cordwood-forwarder-standby");
    thread.setDaemon(true);
    thread.start();
    return standby;
  }

  Target target() {
    return target;
  }

  boolean isOver() {
    return task.isDone();
  }

  /** The connection, once it is made; null before, and if it came to nothing. */
  @Nullable Made made() {
    if (!task.isDone()) {
      return null;
    }
    try {
      return task.get();
    } catch (ExecutionException | InterruptedException e) {
      return null; // The node is left alone for a while, whatever it was.
    }
  }

  /** Ends it soon; what it may still make is closed. */
  void stop() {
    stopped = true;
    selector.wakeup();
    closeIfStopped();
  }

  private void closeIfStopped() {
    Made made = stopped ? made() : null;
    if (made != null) {
      made.close();
    }
  }

  private Made make() throws IOException {
    try (selector) {
      long timeoutMillis = options.times().connectTimeout().toMillis();
      var connector =
          new Connector(selector, resolver, timeoutMillis, options.to().tls(), () -> stopped);
      Connector.Connected connected = connector.connect(target);
      SocketChannel channel = (SocketChannel) connected.key().channel();
      boolean greeted = false;
      try {
        Made made = greet(channel, connected);
        greeted = !stopped;
        return made;
      } finally {
        if (!greeted) {
          channel.close();
        }
      }
    }
  }

  private Made greet(SocketChannel channel, Connector.Connected connected) throws IOException {
    long deadline = System.nanoTime() + options.times().connectTimeout().toNanos();
    Greeting greeting = Greeting.of(target, options, Greeting.Features.by(options));
    AdvertisedNodes told = Objects.requireNonNull(greeting.told());
    AckReader answers = new AckReader(greeting, clock);
    Wire wire = connected.wire();
    ByteBuffer preamble = Objects.requireNonNull(greeting.preamble());
    while (preamble.hasRemaining() || wire.hasPending()) {
      wire.write(preamble);
      if (preamble.hasRemaining() || wire.hasPending()) {
        await(connected.key(), SelectionKey.OP_WRITE, deadline);
      }
    }
    ByteBuffer in = ByteBuffer.allocate(ANSWER_BYTES);
    while (told.self() == null) {
      await(connected.key(), SelectionKey.OP_READ, deadline);
      int count = wire.read(in.clear());
      for (; count > 0; count = wire.read(in.clear())) {
        answers.read(in.flip(), 0);
      }
      if (count < 0) {
        throw new PeerException("the peer closed the connection");
      }
    }
    return new Made(target, channel, wire, answers, told);
  }

  private void await(SelectionKey key, int operation, long deadline) throws IOException {
    long leftMillis = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
    if (leftMillis <= 0 || stopped) {
      throw new PeerException("expected the node's load in time, found none");
    }
    key.interestOps(operation);
    selector.select(leftMillis);
    selector.selectedKeys().clear();
  }
}
