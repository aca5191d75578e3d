package io.cordwood.ingest.event;

import io.cordwood.common.wire.Delimiter;
import io.cordwood.ingest.Intake;
import io.cordwood.ingest.RefusedException;
import io.cordwood.ingest.RejectReason;
import io.cordwood.ingest.push.PushedRecords;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Makes records of foreign events, whatever the protocol.
 *
 * <pre>
 *   text                               its bytes, unchanged
 *   text  {"trace_id":"…"}             with what came beside it; see {@link Beside}
 *   {"an":"object"}                    as it came, on one line
 * </pre>
 *
 * <p>The time of an event is that of its record, to the millisecond, if it is as near as the node's
 * {@code maxSkew}; else it stands beside it as {@code time}. For one request or connection, and one
 * thread.
 */
public final class Events {
  private static final byte[] NONE_BESIDE = "  {}".getBytes(StandardCharsets.US_ASCII);

  private final PushedRecords records;
  private final boolean keepsFields;
  private final long maxSkewMillis;
  private final Intake intake;
  private final Beside whole = new Beside();
  private Forbidden forbidden =
      why -> {
        throw why;
      };

  private byte[] made = new byte[1 << 10];
  private int length;

  /** Hears of events that the sender's token may not send, by their topic or labels. */
  @FunctionalInterface
  public interface Forbidden {
    /**
     * No record was made of an event.
     *
     * @throws RefusedException if none of the events that follow is taken either
     */
    void refused(RefusedException why) throws RefusedException;
  }

  public Events(Intake intake, PushedRecords records) {
    this.intake = intake;
    this.records = records;
    this.keepsFields = intake.options().naming().keepsFields();
    this.maxSkewMillis = intake.options().limits().maxSkew().toMillis();
  }

  /** Others go on after one that is forbidden, as this says; by default none does. */
  public void whenForbidden(Forbidden hears) {
    forbidden = hears;
  }

  /**
   * Adds an event; one without a text and with nothing beside it is blank, and no record.
   *
   * @param text UTF-8, or whatever bytes came; copied
   * @param beside changed, and not needed any more when this returns
   * @throws RefusedException if its sender may not send it, or the disk takes nothing
   */
  public void add(EventOrigin from, EventTime time, byte[] text, Beside beside)
      throws RefusedException {
    add(from, time, text, 0, text.length, beside);
  }

  /**
   * Adds an event that is an object, or another value that is no text.
   *
   * @param object one value of JSON
   */
  public void add(EventOrigin from, EventTime time, Beside object, Beside beside)
      throws RefusedException {
    add(from, time, object.value(), beside);
  }

  /** Adds an event whose text is a part of an array. */
  public void add(EventOrigin from, EventTime time, byte[] text, int start, int end, Beside beside)
      throws RefusedException {
    boolean isFar = isFar(time);
    if (isFar) {
      beside.add("time", time.toString());
    }
    beside.addAll(from.rest().entrySet());
    add(from, isFar ? EventTime.NONE : time, text, start, end, beside, end - start);
  }

  /**
   * Adds an event whose text says all of it, its time and its sender, too; nothing has to stand
   * beside it.
   *
   * @param wireBytes that were read for it
   */
  public void addWhole(
      EventOrigin from, EventTime time, byte[] text, int start, int end, int wireBytes)
      throws RefusedException {
    whole.clear();
    add(from, isFar(time) ? EventTime.NONE : time, text, start, end, whole, wireBytes);
  }

  private void add(
      EventOrigin from,
      EventTime time,
      byte[] text,
      int start,
      int end,
      Beside beside,
      int wireBytes)
      throws RefusedException {
    long millis = time.equals(EventTime.NONE) ? PushedRecords.ARRIVAL : time.millis();
    make(text, start, end, beside);
    if (length == 0) {
      records.countBlank(from.origin(), 0);
    } else {
      record(from, delimiter(), millis, made, 0, length, wireBytes);
    }
  }

  /**
   * Adds an event that is an object, as it came. It has its time itself, so nothing stands beside
   * it.
   *
   * @param object JSON on one line; copied
   */
  public void addObject(EventOrigin from, EventTime time, byte[] object, int start, int end)
      throws RefusedException {
    boolean isNear = !time.equals(EventTime.NONE) && !isFar(time);
    long millis = isNear ? time.millis() : PushedRecords.ARRIVAL;
    record(from, Delimiter.LF, millis, object, start, end, end - start);
  }

  private void record(
      EventOrigin from,
      Delimiter delimiter,
      long millis,
      byte[] bytes,
      int start,
      int end,
      int wireBytes)
      throws RefusedException {
    try {
      records.add(from.origin(), delimiter, millis, bytes, start, end, wireBytes);
    } catch (RefusedException e) {
      if (e.reason() != RejectReason.TOKEN) {
        throw e;
      }
      forbidden.refused(e);
    }
  }

  /** Counts an event that is not as its protocol has it; the others go on. */
  public void refuse(int wireBytes) {
    records.countRefused(RejectReason.INVALID, wireBytes);
  }

  private boolean isFar(EventTime time) {
    return !time.equals(EventTime.NONE) && Math.abs(time.millis() - now()) > maxSkewMillis;
  }

  private long now() {
    return intake.clock().millis();
  }

  private void make(byte[] text, int start, int end, Beside beside) {
    length = 0;
    put(text, start, end);
    if (has(made, 0, length, (byte) 0) && has(made, 0, length, (byte) '\n')) {
      escapeNuls();
      beside.add("escapes", "\\\\ \\0");
    }
    if (!keepsFields) {
      return;
    }
    if (!beside.isEmpty()) {
      put(Beside.SEPARATOR, 0, Beside.SEPARATOR.length);
      room(beside.length());
      length = beside.writeTo(made, length);
    } else if (Beside.isLikeOne(made, 0, length)) {
      put(NONE_BESIDE, 0, NONE_BESIDE.length);
    }
  }

  /** No batch can have records with both: the one that it has not delimits them. */
  private void escapeNuls() {
    byte[] plain = Arrays.copyOf(made, length);
    length = 0;
    room(2 * plain.length);
    for (byte each : plain) {
      if (each == 0 || each == '\\') {
        made[length++] = '\\';
        made[length++] = (byte) (each == 0 ? '0' : '\\');
      } else {
        made[length++] = each;
      }
    }
  }

  private Delimiter delimiter() {
    return has(made, 0, length, (byte) '\n') ? Delimiter.NUL : Delimiter.LF;
  }

  private static boolean has(byte[] bytes, int from, int to, byte wanted) {
    for (int at = from; at < to; at++) {
      if (bytes[at] == wanted) {
        return true;
      }
    }
    return false;
  }

  private void put(byte[] bytes, int from, int to) {
    room(to - from);
    System.arraycopy(bytes, from, made, length, to - from);
    length += to - from;
  }

  private void room(int more) {
    if (length + more > made.length) {
      made = Arrays.copyOf(made, Math.max(length + more, 2 * made.length));
    }
  }
}
