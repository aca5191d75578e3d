package io.cordwood.log4j2;

import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Keeps some {@link EventBytes} for reuse, so that most events are encoded without garbage. Unlike
 * thread-local ones, theirs is a bounded memory however many threads there are, and nothing of them
 * stays when the appender is gone. For use by many threads; none waits.
 */
final class EventBytesPool {
  private static final int SLOTS = 64;

  /** The longest event whose memory is kept. */
  private static final int MAX_KEPT_BYTES = 1 << 16;

  private final AtomicReferenceArray<EventBytes> slots = new AtomicReferenceArray<>(SLOTS);

  EventBytes take() {
    EventBytes kept = slots.getAndSet(slot(), null);
    return kept == null ? new EventBytes() : kept;
  }

  void giveBack(EventBytes bytes) {
    if (bytes.capacity() <= MAX_KEPT_BYTES) {
      bytes.clear();
      slots.setRelease(slot(), bytes);
    }
  }

  private static int slot() {
    return (int) Thread.currentThread().getId() & (SLOTS - 1);
  }
}
