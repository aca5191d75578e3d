package io.cordwood.forwarder;

import io.cordwood.common.wire.Origin;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One connection to an ingest node, not blocking: batches out, acknowledgements in. In bulk mode it
 * is one upload, whose end is the end of our half. Owned by the sender thread; every {@link
 * IOException} of it ends the connection.
 */
final class Connection implements AutoCloseable {
  private static final int ANSWER_BYTES = 4096;
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final SocketChannel channel;
  private final SelectionKey key;
  private final Wire wire;
  private final SocketAddress peer;
  private final RecordQueue queue;
  private final long ackTimeoutNanos;
  private final boolean isUpload;
  private final boolean takesLabels;
  private final AckReader answers;
  private final ByteBuffer in = ByteBuffer.allocateDirect(ANSWER_BYTES);

  private int roomBytes;
  private final long oldNanos;
  private boolean leaving;
  private boolean ended;
  private boolean leftLabelsOut;
  private @Nullable ByteBuffer out;
  private @Nullable OutgoingBatch outBatch;
  private int outRecords;
  private long sentRecords;
  private long acknowledgedRecords;
  private @Nullable OutgoingBatch first;
  private boolean hasSecond;
  private long progressNanos = System.nanoTime();

  /**
   * A connection as it begins.
   *
   * @param opening to be sent first, if anything
   * @param answers has read what the node has said so far
   * @param told what the node tells of the cluster's nodes; null if it is not asked
   * @param labels whether batches may have labels
   */
  record Begun(
      Target target,
      Connector.Connected connected,
      @Nullable ByteBuffer opening,
      AckReader answers,
      @Nullable AdvertisedNodes told,
      boolean labels) {

    static Begun greeting(
        Target target, Connector.Connected connected, Greeting greeting, LongConsumer clock) {
      AckReader answers = new AckReader(greeting, clock);
      return new Begun(
          target,
          connected,
          greeting.preamble(),
          answers,
          greeting.told(),
          greeting.features().labels());
    }
  }

  /**
   * @param begun what the connection owns from now on
   * @param uploadBytes of an upload at most, but for its first batch; nought for none
   * @param oldNanos by {@link System#nanoTime}, from when on it sends no more
   */
  Connection(
      Begun begun,
      SocketAddress peer,
      RecordQueue queue,
      ForwarderOptions options,
      int uploadBytes,
      long oldNanos) {
    this.channel = (SocketChannel) begun.connected().key().channel();
    this.key = begun.connected().key();
    this.wire = begun.connected().wire();
    this.peer = peer;
    this.queue = queue;
    this.ackTimeoutNanos = options.times().ackTimeout().toNanos();
    this.isUpload = uploadBytes > 0;
    this.oldNanos = oldNanos;
    this.takesLabels = begun.labels();
    this.answers = begun.answers();
    this.out = begun.opening();
    int greetingBytes = out == null ? 0 : out.remaining();
    this.roomBytes = isUpload ? uploadBytes - greetingBytes : Integer.MAX_VALUE;
  }

  /**
   * The refusal that ended it; null if something else did.
   *
   * @param next what is to be sent first now; null for nothing
   */
  @Nullable Refusal refusal(Exception why, @Nullable Origin next) {
    Refusal refusal = Refusal.of(why);
    if (refusal == null || first == null || next == null) {
      return refusal;
    }
    return isUpload && hasSecond ? refusal.ofSeveral() : refusal.ofBatch(next);
  }

  SocketAddress peer() {
    return peer;
  }

  boolean hasAcknowledged() {
    return acknowledgedRecords > 0;
  }

  /** Whether batches were sent without their labels. */
  boolean hasLeftLabelsOut() {
    return leftLabelsOut;
  }

  /** Sends no more than the batch that is under way, and ends once all is acknowledged. */
  void leave() {
    leaving = true;
  }

  /** Whether this was an upload, or is left, and all of it is acknowledged. */
  boolean isDone() {
    return ended && acknowledgedRecords == sentRecords;
  }

  /**
   * Writes until there is nothing to write (true), or the connection takes no more (false), or not
   * yet: no batch before the node has said its time, since it is stamped then and never again.
   */
  boolean write() throws IOException {
    while (!ended) {
      ByteBuffer bytes = out != null || answers.awaitsClock() ? out : next();
      if (bytes == null) {
        key.interestOps(interest(wire.hasPending()));
        return !ended && !answers.awaitsClock();
      }
      writeSome(bytes);
      if (bytes.hasRemaining() || wire.hasPending()) {
        key.interestOps(interest(true));
        return false;
      }
      out = null;
      sentRecords += outRecords;
    }
    if (wire.hasPending()) {
      writeSome(NOTHING);
      key.interestOps(interest(wire.hasPending()));
    }
    return false;
  }

  private static int interest(boolean toWrite) {
    return toWrite ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ;
  }

  private @Nullable ByteBuffer next() throws IOException {
    if (leaving || (!isUpload && oldNanos - System.nanoTime() <= 0 && queue.hasSome())) {
      ended = true;
      return null;
    }
    boolean wasIdle = !isOutstanding();
    OutgoingBatch batch = queue.take(first == null ? Integer.MAX_VALUE : roomBytes);
    if (batch == null) {
      endUpload();
      return null;
    }
    if (wasIdle) {
      progressNanos = System.nanoTime();
    }
    if (isUpload) {
      roomBytes -= batch.sizeBytes();
    }
    hasSecond = first != null;
    first = first == null ? batch : first;
    outBatch = batch;
    outRecords = batch.records();
    if (!takesLabels && batch.hasLabels()) {
      leftLabelsOut = true;
      batch.leaveLabelsOut();
      queue.count(counters -> counters.unlabelled += batch.records());
    }
    out = batch.wire();
    return out;
  }

  private void endUpload() throws IOException {
    if (isUpload) {
      ended = true;
      wire.shutdownOutput();
    }
  }

  /** A node that refuses says so before it closes: what it said is worth more than EPIPE. */
  private void writeSome(ByteBuffer bytes) throws IOException {
    try {
      moved(wire.write(bytes));
    } catch (IOException e) {
      try {
        read();
      } catch (PeerException said) {
        said.addSuppressed(e);
        throw said;
      }
      throw e;
    }
  }

  /** Reads all acknowledgements that have come. */
  void read() throws IOException {
    int count = wire.read(in.clear());
    for (; count > 0; count = wire.read(in.clear())) {
      moved(count);
      try {
        answers.read(in.flip(), sentRecords + outRecordsSent());
      } finally {
        acknowledge(answers.acknowledged());
      }
    }
    if (count < 0 && !isDone()) {
      throw answers.end();
    }
  }

  /** Records in those parts of the batch under way that are whole, so that a node takes them. */
  private int outRecordsSent() {
    return out == null || outBatch == null ? 0 : outBatch.recordsBefore(out.position());
  }

  private void acknowledge(long records) {
    if (records > acknowledgedRecords) {
      acknowledgedRecords = records;
      progressNanos = System.nanoTime();
      queue.acknowledge(records);
    }
  }

  /** An upload is acknowledged at its end alone; until then, that bytes move is progress. */
  private void moved(int bytes) {
    if (isUpload && bytes > 0) {
      progressNanos = System.nanoTime();
    }
  }

  /**
   * Nanoseconds until the peer must have acknowledged something, {@link Long#MAX_VALUE} when
   * nothing is outstanding.
   */
  long ackLeftNanos() throws PeerException {
    if (!isOutstanding()) {
      return Long.MAX_VALUE;
    }
    long left = progressNanos + ackTimeoutNanos - System.nanoTime();
    if (left <= 0) {
      throw new PeerException(
          "expected an ack within "
              + ackTimeoutNanos / 1_000_000
              + " ms, found none; acknowledged "
              + acknowledgedRecords
              + " of "
              + sentRecords
              + (isUpload || acknowledgedRecords > 0 ? "" : "; a bulk port takes uploads only"));
    }
    return left;
  }

  private boolean isOutstanding() {
    return (out != null && outRecords > 0)
        || acknowledgedRecords < sentRecords
        || answers.awaitsClock();
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      // Nothing hangs on it: what was not acknowledged is sent again.
    }
  }
}
