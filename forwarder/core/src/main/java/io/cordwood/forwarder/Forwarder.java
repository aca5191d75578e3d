package io.cordwood.forwarder;

import io.cordwood.common.wire.BatchHeader;
import io.cordwood.common.wire.Delimiter;
import io.cordwood.common.wire.Origin;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.channels.Selector;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps records until an ingest node has them.
 *
 * <p>Records are copied into batches, the batches are sent over one connection to one of the
 * targets, and are kept until they are acknowledged there. When the connection is lost, the same
 * bytes with the same ULIDs go to the next target, in order, for ever: nothing is lost but what the
 * {@link WhenFull} policy drops, and nothing is there twice for a reader.
 *
 * <p>What "acknowledged" is worth depends on the port of the target: written to the file (fast) or
 * forced to the disk (durable).
 *
 * <p>A record is any bytes, up to 1 MiB. A longer one becomes several, cut each 1 MiB. Records that
 * hold LF travel in batches delimited by NUL, and the other way round; a record that holds both
 * cannot be told in either, and becomes several, cut at its LFs: all its bytes arrive, one after
 * another, but as lines. Cuts are counted.
 *
 * <p>For use by many threads; each thread's records keep their order. One daemon thread does all
 * I/O; no call of this class connects, sends or looks up names itself.
 */
public final class Forwarder implements AutoCloseable {
  /** How long {@link #close()} waits. */
  public static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

  private static final byte LF = '\n';
  private static final byte CR = '\r';
  private static final byte NUL = 0;

  private final NodeClock clock;
  private final int batchBytes;
  private final int targets;
  private final RecordQueue queue;
  private final Sender sender;
  private final Thread thread;

  private Forwarder(ForwarderOptions options, RecordQueue queue, NodeClock clock, Sender sender) {
    this.clock = clock;
    this.batchBytes = options.memory().batchBytes();
    this.targets = options.to().targets().size();
    this.queue = queue;
    this.sender = sender;
    this.thread = new Thread(sender, "cordwood-forwarder");
    thread.setDaemon(true);
    thread.start();
    startKeeper(options.memory().spool());
  }

  private void startKeeper(@Nullable SpoolOptions options) {
    if (options != null) {
      Thread keeper = new Thread(new SpoolKeeper(options, queue), SpoolKeeper.THREAD_NAME);
      keeper.setDaemon(true);
      keeper.start();
    }
  }

  /** Starts forwarding, without waiting for a connection or for the spool. */
  public static Forwarder start(ForwarderOptions options, ForwarderListener listener) {
    return start(options, listener, () -> false);
  }

  /**
   * The same.
   *
   * @param ending whether threads that wait for room are to give up, though it is not closed yet
   */
  static Forwarder start(
      ForwarderOptions options, ForwarderListener listener, BooleanSupplier ending) {
    return start(options, listener, InstantSource.system(), InetAddress::getAllByName, ending);
  }

  static Forwarder start(
      ForwarderOptions options,
      ForwarderListener listener,
      InstantSource clock,
      NameResolver resolver) {
    return start(options, listener, clock, resolver, () -> false);
  }

  private static Forwarder start(
      ForwarderOptions options,
      ForwarderListener listener,
      InstantSource clock,
      NameResolver resolver,
      BooleanSupplier ending) {
    Selector selector = selector();
    NodeClock nodeClock = new NodeClock(clock);
    RecordQueue queue = new RecordQueue(options, clock, nodeClock, selector::wakeup, ending);
    Sender sender = new Sender(options, queue, nodeClock, selector, resolver, listener);
    return new Forwarder(options, queue, nodeClock, sender);
  }

  private static Selector selector() {
    try {
      return Selector.open();
    } catch (IOException e) {
      throw new UncheckedIOException("no selector: out of file descriptors?", e);
    }
  }

  /**
   * Takes a record; an empty one is a record too. Blocks only under {@link WhenFull#BLOCK}.
   *
   * @return false when it, or a part of it, was dropped and counted
   */
  public boolean send(byte[] record) {
    return send(record, 0, record.length);
  }

  /** As {@link #send(byte[])}, for a part of an array. */
  public boolean send(byte[] bytes, int offset, int length) {
    int end = offset + length;
    boolean hasLf = Lines.first(LF, bytes, offset, end) >= 0;
    boolean hasNul = Lines.first(NUL, bytes, offset, end) >= 0;
    if (hasLf && hasNul) {
      return sendCutAtLf(bytes, offset, end);
    }
    Delimiter delimiter = hasLf ? Delimiter.NUL : Delimiter.LF;
    return sendCut(bytes, offset, end, hasLf || hasNul ? delimiter : null);
  }

  /**
   * Takes a batch that is made and stamped, after all that was taken before. It waits for room,
   * whatever the {@link WhenFull} says.
   *
   * @return false when the forwarder is closed; the batch is not counted then
   * @throws IllegalStateException when there is a spool: who makes batches can make them again
   */
  public boolean send(PreparedBatch batch) {
    if (queue.hasSpool()) {
      throw new IllegalStateException("expected no spool for batches that their maker keeps");
    }
    return queue.append(batch);
  }

  /**
   * Takes batches of an origin again that a node had refused. To be called when all of them that
   * the caller had sent are back; the next connection may take them, or refuse them anew.
   */
  public void admit(Origin origin) {
    queue.admit(origin);
  }

  /** How many targets it was given. */
  public int targets() {
    return targets;
  }

  private boolean sendCutAtLf(byte[] bytes, int offset, int end) {
    boolean taken = true;
    int at = offset;
    for (int lf = Lines.first(LF, bytes, at, end); lf >= 0; lf = Lines.first(LF, bytes, at, end)) {
      taken &= sendCut(bytes, at, lf, Delimiter.LF);
      queue.count(counters -> counters.cuts++);
      at = lf + 1;
    }
    return sendCut(bytes, at, end, Delimiter.LF) && taken;
  }

  private boolean sendCut(byte[] bytes, int offset, int end, @Nullable Delimiter delimiter) {
    boolean taken = true;
    int at = offset;
    for (; end - at > BatchHeader.MAX_RECORD_BYTES; at += BatchHeader.MAX_RECORD_BYTES) {
      taken &=
          queue.append(
              new RecordSlice(bytes, at, BatchHeader.MAX_RECORD_BYTES, 1, delimiter, false));
      queue.count(counters -> counters.cuts++);
    }
    return queue.append(new RecordSlice(bytes, at, end - at, 1, delimiter, false)) && taken;
  }

  /**
   * Takes whole lines, each ended by LF. Lines of no bytes, or of CR alone, are not records: they
   * are left out and counted, as an ingest node does with raw lines. A line over 1 MiB becomes
   * several records.
   *
   * @return false when some were dropped and counted
   * @throws IllegalArgumentException when the last byte is not LF
   */
  public boolean sendLines(byte[] bytes, int offset, int length) {
    if (length > 0 && bytes[offset + length - 1] != LF) {
      throw new IllegalArgumentException("expected lines ended by LF, found an open last line");
    }
    boolean taken = true;
    int end = offset + length;
    for (int at = offset; at < end; ) {
      int blank = bytes[at] == LF ? 1 : bytes[at] == CR && bytes[at + 1] == LF ? 2 : 0;
      if (blank > 0) {
        queue.count(counters -> counters.blankLines++);
        at += blank;
      } else {
        RecordSlice slice = nextLines(bytes, at, end);
        taken &= queue.append(slice);
        at += slice.length();
      }
    }
    return taken;
  }

  /** As many lines as fit a batch and have no blank one among them; the first is not blank. */
  private RecordSlice nextLines(byte[] bytes, int at, int end) {
    int limit = Lines.blank(bytes, at, Math.min(end, at + batchBytes));
    int last = Lines.last(bytes, at, limit);
    if (last < 0) {
      return nextLongLine(bytes, at, end);
    }
    int length = last + 1 - at;
    int count = Lines.count(bytes, at, at + length);
    return new RecordSlice(bytes, at, length, count, Delimiter.LF, true);
  }

  private RecordSlice nextLongLine(byte[] bytes, int at, int end) {
    int limit = Math.min(end, at + BatchHeader.MAX_RECORD_BYTES + 1);
    int lf = Lines.first(LF, bytes, at, limit);
    return lf < 0
        ? cutLine(bytes, at)
        : new RecordSlice(bytes, at, lf + 1 - at, 1, Delimiter.LF, true);
  }

  private RecordSlice cutLine(byte[] bytes, int at) {
    queue.count(counters -> counters.cuts++);
    return new RecordSlice(bytes, at, BatchHeader.MAX_RECORD_BYTES, 1, Delimiter.LF, false);
  }

  /** Takes the first 1 MiB of a line that goes on, as a record. */
  boolean sendCutLine(byte[] bytes, int offset) {
    return queue.append(cutLine(bytes, offset));
  }

  /**
   * Waits until all records taken before are acknowledged (or dropped), at most for the time-out.
   * An interrupt does not end the wait: it could lose records.
   */
  public Unacknowledged flush(Duration timeout) {
    return queue.flush(timeout);
  }

  /**
   * Takes no more records, waits as {@link #flush} does, then drops and counts what is left. Does
   * not wait for longer, whatever the network does. With a spool, half of the time is for
   * acknowledgements and half for the spool to take what has none; what it takes is forced, and not
   * dropped.
   *
   * @return what was dropped
   */
  public Unacknowledged close(Duration timeout) {
    return closeSince(Duration.ZERO, timeout);
  }

  /** As {@link #close(Duration)}, of which a part has passed; the spool has its time anyway. */
  Unacknowledged closeSince(Duration passed, Duration timeout) {
    Duration spooling = spoolingShare(timeout);
    return close(timeout.minus(spooling).minus(passed), spooling);
  }

  /** As {@link #close(Duration)}, with a time for acknowledgements and one for the spool. */
  Unacknowledged close(Duration acknowledging, Duration spooling) {
    Unacknowledged unacknowledged = queue.close(acknowledging, spooling);
    sender.stop();
    return unacknowledged;
  }

  private Duration spoolingShare(Duration timeout) {
    return queue.hasSpool() ? timeout.dividedBy(2) : Duration.ZERO;
  }

  /**
   * Waits as {@link #flush} does, with a spool for half of the time, and has what is left moved to
   * the spool then. For the end of a process; more can be sent meanwhile.
   */
  void flushToSpool(Duration timeout) {
    Duration spooling = spoolingShare(timeout);
    queue.flushToSpool(timeout.minus(spooling), spooling);
  }

  /** As {@link #close(Duration)}, with {@link #CLOSE_TIMEOUT}. */
  @Override
  public void close() {
    close(CLOSE_TIMEOUT);
  }

  /**
   * The time to stamp a {@link PreparedBatch} with: this machine's clock, or the nodes' if that is
   * half a day off theirs. Whoever stamps before {@link #knowsTime} stamps by an unchecked clock.
   */
  public InstantSource clock() {
    return clock::instant;
  }

  /** Whether a node has said its time, or is of a kind that does not. */
  public boolean knowsTime() {
    return clock.isKnown();
  }

  /** Counts a record as dropped that never came to be one. */
  void drop(DropReason reason) {
    queue.drop(reason);
  }

  /** Whether the calling thread is this forwarder's own: a listener's, or a name service's. */
  boolean isOwnThread() {
    return thread.equals(Thread.currentThread());
  }

  boolean isClosed() {
    return queue.isClosed();
  }

  public ForwarderCounters counters() {
    return queue.counters();
  }
}
