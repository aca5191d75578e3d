package io.cordwood.ingest.sender;

import io.cordwood.ingest.BufferedBytesLimit;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The bytes that a connection received and has not stored yet: the buffers as they came, in order.
 * Owns them. For the connection's event loop.
 *
 * <p>Buffers are passed on as they are. Only what is left over when all that is whole was stored,
 * and fills little of its buffer, is moved to a buffer of its size, so that a slow connection does
 * not hold a receive buffer for every few bytes.
 */
final class ReceivedBytes {
  /** A left-over that fills less than this part of its buffer is moved. */
  private static final int SPARSE = 4;

  private static final int MIN_TAIL_BYTES = 256;
  private static final int SMALL_BYTES = 4 << 10;

  private final BufferedBytesLimit held;
  private final Deque<ByteBuf> pieces = new ArrayDeque<>();
  private @Nullable ByteBuf tail;
  private int size;
  private int heldBytes;

  ReceivedBytes(BufferedBytesLimit held) {
    this.held = held;
  }

  /** Takes over a buffer. */
  void add(ByteBuf piece) {
    int length = piece.readableBytes();
    if (length == 0) {
      piece.release();
      return;
    }
    pieces.add(piece);
    size += length;
  }

  int size() {
    return size;
  }

  /** Views of bytes, without a copy; valid until they are dropped. */
  ByteBuffer[] view(int from, int to) {
    List<ByteBuffer> views = new ArrayList<>(pieces.size() + 1);
    int start = 0;
    for (ByteBuf piece : pieces) {
      int end = start + piece.readableBytes();
      int first = Math.max(from, start);
      int last = Math.min(to, end);
      if (first < last) {
        Collections.addAll(
            views, piece.nioBuffers(piece.readerIndex() + first - start, last - first));
      }
      start = end;
    }
    return views.toArray(ByteBuffer[]::new);
  }

  /** A copy of bytes, for the few that have to stand in one buffer. */
  ByteBuffer copy(int from, int to) {
    var copy = ByteBuffer.allocate(to - from);
    for (ByteBuffer part : view(from, to)) {
      copy.put(part);
    }
    return copy.flip();
  }

  /** The first position of a byte at or after {@code from}; -1 if there is none. */
  int indexOf(byte value, int from) {
    int start = 0;
    for (ByteBuf piece : pieces) {
      int end = start + piece.readableBytes();
      if (end > from) {
        int base = piece.readerIndex() - start;
        int found = piece.indexOf(base + Math.max(from, start), piece.writerIndex(), value);
        if (found >= 0) {
          return found - base;
        }
      }
      start = end;
    }
    return -1;
  }

  /**
   * The last position of a byte at or after {@code from} and before {@code to}; -1 if there is
   * none.
   */
  int lastIndexOf(byte value, int from, int to) {
    int end = size;
    for (var each = pieces.descendingIterator(); each.hasNext() && end > from; ) {
      ByteBuf piece = each.next();
      int start = end - piece.readableBytes();
      int base = piece.readerIndex() - start;
      if (start < to) {
        int found = piece.indexOf(base + Math.min(end, to), base + Math.max(from, start), value);
        if (found >= 0) {
          return found - base;
        }
      }
      end = start;
    }
    return -1;
  }

  /** Puts a byte in place of each of another value. */
  void replace(byte value, byte by) {
    for (ByteBuf piece : pieces) {
      int end = piece.writerIndex();
      int at = piece.indexOf(piece.readerIndex(), end, value);
      while (at >= 0) {
        piece.setByte(at, by);
        at = piece.indexOf(at + 1, end, value);
      }
    }
  }

  /** Lets go of the first bytes. */
  void drop(int count) {
    size -= count;
    for (int left = count; left > 0; ) {
      ByteBuf first = pieces.element();
      int length = Math.min(left, first.readableBytes());
      first.skipBytes(length);
      left -= length;
      if (!first.isReadable()) {
        pieces.remove().release();
      }
    }
  }

  /**
   * Moves what little is left of large buffers, and says how much is held from now on. No view of
   * these bytes may be in use.
   */
  void settle() {
    for (int left = pieces.size(); left > 0; left--) {
      ByteBuf piece = pieces.remove();
      if (!isSparse(piece)) {
        pieces.add(piece);
      } else if (tail != null && isTail(pieces.peekLast())) {
        tail.writeBytes(piece);
        piece.release();
      } else {
        tail = moved(piece);
        pieces.add(tail);
      }
    }
    hold();
  }

  private void hold() {
    int now = 0;
    for (ByteBuf piece : pieces) {
      now += piece.capacity();
    }
    held.add(now - heldBytes);
    heldBytes = now;
  }

  @SuppressWarnings("ReferenceEquality") // Which buffer it is, not what it holds.
  private boolean isTail(@Nullable ByteBuf piece) {
    return piece != null && piece == tail;
  }

  private boolean isSparse(ByteBuf piece) {
    return piece.readableBytes() < piece.capacity() / SPARSE
        && (!isTail(piece) || piece.capacity() > SMALL_BYTES);
  }

  private static ByteBuf moved(ByteBuf piece) {
    ByteBuf moved = piece.alloc().directBuffer(Math.max(MIN_TAIL_BYTES, 2 * piece.readableBytes()));
    moved.writeBytes(piece);
    piece.release();
    return moved;
  }

  /** Lets go of everything. */
  void release() {
    drop(size);
    hold();
  }
}
