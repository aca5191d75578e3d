package io.cordwood.jmh.load;

import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.UlidStamper;
import io.cordwood.common.wire.Delimiter;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;

/**
 * One connection that sends groups of lines, and waits for acknowledgements as its load says. In
 * bulk form each group has a connection of its own. Owned by the senders' thread.
 */
final class Sender implements AutoCloseable {
  /** The number of groups in a row before it is the next one's turn. */
  private static final int TURN = 4;

  private final Load load;
  private final Groups groups;
  private final Tally tally;
  private final Selector selector;
  private final UlidStamper stamper = new UlidStamper(InstantSource.system());
  private final Queue<Sent> unacknowledged = new ArrayDeque<>();
  private SocketChannel channel;
  private SelectionKey key;
  private Acks acks = new Acks();
  private ByteBuffer[] rest = {};
  private Groups.Group current;
  private long currentSince;
  private int next;
  private long dueNanos;
  private long unacknowledgedBytes;
  private long sentRecords;

  /** A group on its way. */
  private record Sent(Groups.Group group, long sinceNanos, long lastRecord) {}

  /**
   * Connects.
   *
   * @param number of this sender: each begins with another group, at another time
   */
  Sender(Load load, Groups groups, Tally tally, Selector selector, int number) throws IOException {
    this.load = load;
    this.groups = groups;
    this.tally = tally;
    this.selector = selector;
    this.next = number * 7919 % groups.all().size();
    this.current = groups.all().get(next);
    this.dueNanos = System.nanoTime() + pauseNanos(current) * number / load.connections();
    this.channel = SocketChannel.open(load.node());
    this.key = register();
  }

  private SelectionKey register() throws IOException {
    channel.configureBlocking(false);
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    return channel.register(selector, SelectionKey.OP_READ | SelectionKey.OP_WRITE, this);
  }

  /** Reads and writes what can be now. */
  void ready(ByteBuffer buffer, long now) throws IOException {
    if (key.isReadable()) {
      read(buffer, now);
    }
    send(now);
  }

  private void read(ByteBuffer buffer, long now) throws IOException {
    int count = channel.read(buffer.clear());
    if (count < 0) {
      ended();
    } else {
      long acknowledged = acks.read(buffer.flip());
      while (!unacknowledged.isEmpty() && unacknowledged.element().lastRecord() <= acknowledged) {
        Sent sent = unacknowledged.remove();
        unacknowledgedBytes -= sent.group().bytes();
        tally.done(sent.group(), sent.sinceNanos(), now);
      }
    }
  }

  private void ended() throws IOException {
    if (load.form() != Load.Form.BULK || !unacknowledged.isEmpty()) {
      throw new IOException(
          "expected %d more acknowledgements, found the connection's end"
              .formatted(unacknowledged.size()));
    }
    channel.close();
    channel = SocketChannel.open(load.node());
    acks = new Acks();
    sentRecords = 0;
    key = register();
  }

  /** Sends as much as the window, the rate and the socket take. */
  void send(long now) throws IOException {
    for (int turn = 0; turn < TURN; turn++) {
      if (!isSending() && !begin(now)) {
        key.interestOps(SelectionKey.OP_READ);
        return;
      }
      channel.write(rest);
      if (isSending()) {
        break;
      }
      sent(now);
    }
    key.interestOps(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
  }

  private boolean isSending() {
    return rest.length > 0 && rest[rest.length - 1].hasRemaining();
  }

  private boolean begin(long now) {
    Groups.Group group = groups.all().get(next);
    if (tally.over(now) || now - dueNanos < 0 || !fitsWindow(group)) {
      return false;
    }
    next = (next + 1) % groups.all().size();
    current = group;
    currentSince = now;
    dueNanos = Math.max(dueNanos + pauseNanos(group), now - TimeUnit.SECONDS.toNanos(1));
    rest = load.form().batches() ? batch(group) : new ByteBuffer[] {group.lines().duplicate()};
    sentRecords += group.records();
    if (load.form().acknowledged()) {
      unacknowledged.add(new Sent(group, now, sentRecords));
      unacknowledgedBytes += group.bytes();
    }
    return true;
  }

  private boolean fitsWindow(Groups.Group group) {
    if (load.form() == Load.Form.BULK) {
      return sentRecords == 0;
    }
    return unacknowledged.isEmpty() || unacknowledgedBytes + group.bytes() <= load.windowBytes();
  }

  private long pauseNanos(Groups.Group group) {
    return load.bytesPerSecond() == 0
        ? 0
        : group.bytes() * TimeUnit.SECONDS.toNanos(1) / load.bytesPerSecond();
  }

  private ByteBuffer[] batch(Groups.Group group) {
    ByteBuffer lines = group.lines().duplicate();
    int records = group.records();
    return new ByteBuffer[] {
      Batch.head(Topic.DEFAULT, Delimiter.LF, stamper.stamp(records), records, lines), lines
    };
  }

  private void sent(long now) throws IOException {
    if (!load.form().acknowledged()) {
      tally.done(current, currentSince, now);
    }
    if (load.form() == Load.Form.BULK) {
      channel.shutdownOutput();
    }
  }

  /** Whether all that was sent is acknowledged. */
  boolean settled() {
    return !isSending() && unacknowledged.isEmpty();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
