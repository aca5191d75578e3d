package io.cordwood.ingest.message;

import io.cordwood.common.run.RateLimitedLog;
import io.cordwood.ingest.Intake;
import io.cordwood.ingest.RefusedException;
import io.cordwood.ingest.RejectReason;
import io.cordwood.ingest.SenderRights;
import io.cordwood.ingest.event.Events;
import io.cordwood.ingest.mode.Mode;
import io.cordwood.ingest.push.PushPorts;
import io.cordwood.ingest.push.PushSession;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Messages that came and are not stored yet. Nobody sends them again, so they are kept until the
 * disk takes them: a disk that fails is tried again with all of them, and a part may be stored
 * twice then. For one thread; to be closed by it.
 */
public final class GatheredMessages implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(GatheredMessages.class);
  private static final RateLimitedLog FAILURES = new RateLimitedLog(LOG);

  /** More are stored at once. */
  static final int MAX_BYTES = 256 << 10;

  /** A connection that is quiet keeps no more. */
  private static final int KEPT_BYTES = 4 << 10;

  /** None waits longer while others come. */
  private static final long MAX_NANOS = TimeUnit.MILLISECONDS.toNanos(80);

  private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
  private static final byte[] NO_BYTES = {};

  private final PushPorts ports;
  private final Intake intake;
  private final SenderRights rights;
  private final Mode mode;
  private final MessageReader reader;
  private final BooleanSupplier closing;
  private @Nullable PushSession session;
  private @Nullable Events events;
  private byte[] bytes = NO_BYTES;
  private int size;
  private int[] ends = new int[16];
  private int count;
  private long wireBytes;
  private long sinceNanos;

  /**
   * @param rights of their sender
   * @param closing whether the node ends
   */
  GatheredMessages(
      PushPorts ports,
      SenderRights rights,
      Mode mode,
      MessageReader reader,
      BooleanSupplier closing) {
    this.ports = ports;
    this.intake = ports.intake();
    this.rights = rights;
    this.mode = mode;
    this.reader = reader;
    this.closing = closing;
  }

  boolean isEmpty() {
    return wireBytes == 0;
  }

  /**
   * Adds one.
   *
   * @param wireBytes that were read for it
   */
  public void add(byte[] from, int start, int end, int wireBytes) {
    add(from, start, end, false, wireBytes);
  }

  /**
   * Adds one; a blank one is only counted.
   *
   * @param continued whether it is the rest of the one before
   */
  void add(byte[] from, int start, int end, boolean continued, int wireBytes) {
    if (this.wireBytes == 0) {
      sinceNanos = System.nanoTime();
    }
    this.wireBytes += wireBytes;
    if (start == end) {
      intake.metrics().blankLines.increment();
      return;
    }
    room(end - start);
    System.arraycopy(from, start, bytes, size, end - start);
    size += end - start;
    intake.held().add(end - start);
    ends[count++] = continued ? -size : size;
  }

  private void room(int more) {
    if (size + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(size + more, 2 * bytes.length));
    }
    if (count == ends.length) {
      ends = Arrays.copyOf(ends, 2 * count);
    }
  }

  /** Whether they are to be stored before more is read. */
  boolean isDue() {
    return wireBytes > 0
        && (size >= MAX_BYTES
            || intake.held().isTooMuch(size)
            || System.nanoTime() - sinceNanos >= MAX_NANOS);
  }

  /**
   * Stores them; returns when they are as safe as the mode promises, however long the disk takes
   * nothing.
   *
   * @throws RefusedException if they are lost: the node ends, or does not take them
   */
  public void store() throws RefusedException {
    boolean stored = isEmpty();
    while (!stored) {
      boolean read = false;
      try {
        PushSession open = session();
        read = true;
        store(open);
        stored = true;
      } catch (RefusedException e) {
        end();
        if (isFinal(e)) {
          reject(e.reason(), read);
          throw e;
        }
        FAILURES.warn("messages wait for", mode, String.valueOf(e.getMessage()));
        LockSupport.parkNanos(this, RETRY_NANOS);
      }
    }
    clear();
  }

  private boolean isFinal(RefusedException why) {
    return closing.getAsBoolean()
        || (why.reason() != RejectReason.DISK && why.reason() != RejectReason.MEMORY);
  }

  private PushSession session() throws RefusedException {
    PushSession open = session;
    if (open == null) {
      open = ports.open(rights, mode, intake.options().bulk().longestWait());
      session = open;
      events = new Events(intake, open.records());
    }
    return open;
  }

  private void store(PushSession open) throws RefusedException {
    open.read((int) wireBytes, closing);
    int from = 0;
    for (int i = 0; i < count; i++) {
      int to = Math.abs(ends[i]);
      reader.read(bytes, from, to, ends[i] < 0, Objects.requireNonNull(events));
      from = to;
    }
    open.commit();
  }

  /** Counts all as rejected, unless a session has read them and does it. */
  private void reject(RejectReason reason, boolean read) {
    if (!read) {
      intake.metrics().ledger.read(wireBytes);
      intake.metrics().ledger.withoutTopic().turnedDown(reason, count, wireBytes);
    }
    clear();
  }

  private void clear() {
    intake.held().add(-size);
    size = 0;
    count = 0;
    wireBytes = 0;
    bytes = bytes.length > KEPT_BYTES ? NO_BYTES : bytes;
  }

  private void end() {
    PushSession open = session;
    session = null;
    events = null;
    if (open != null) {
      open.close();
    }
  }

  /** Counts what was not stored as rejected. */
  @Override
  public void close() {
    if (!isEmpty()) {
      reject(RejectReason.CUT, false);
    }
    end();
  }
}
