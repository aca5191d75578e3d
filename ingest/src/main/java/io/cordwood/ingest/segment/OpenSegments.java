package io.cordwood.ingest.segment;

import io.cordwood.common.file.ForwardingReadableFile;
import io.cordwood.common.file.ReadableFile;
import io.cordwood.common.ulid.Ulid;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Which segments are open for reading, so that none is overwritten that is, and which are pinned:
 * their files stay until nobody wants to open them any more. For all threads.
 */
final class OpenSegments {
  private final Map<Ulid, Integer> counts = new HashMap<>();
  private final Map<Ulid, Integer> pins = new HashMap<>();
  private final Set<Ulid> retired = new HashSet<>();

  /** Opens a file. */
  @FunctionalInterface
  interface Opening {
    ReadableFile open() throws IOException;
  }

  /** Does something to a file. */
  @FunctionalInterface
  interface Action {
    boolean run() throws IOException;
  }

  /** Moves or deletes a file. */
  @FunctionalInterface
  interface Change {
    void run() throws IOException;
  }

  /** Opens a segment's file, which counts until it is closed. */
  synchronized ReadableFile open(Ulid id, Opening opening) throws IOException {
    ReadableFile file = opening.open();
    counts.merge(id, 1, Integer::sum);
    return new Counted(id, file);
  }

  /** Does something while nobody can open the segment; false if somebody has it open. */
  synchronized boolean ifNone(Ulid id, Action action) throws IOException {
    return !counts.containsKey(id) && action.run();
  }

  synchronized void pin(Ulid id) {
    pins.merge(id, 1, Integer::sum);
  }

  /** Sets a pinned segment's file aside, until its last pin ends; false if it is not pinned. */
  synchronized boolean retireIfPinned(Ulid id, Change setAside) throws IOException {
    if (!pins.containsKey(id)) {
      return false;
    }
    setAside.run();
    retired.add(id);
    return true;
  }

  /** Ends a pin, and with the last one a file that was set aside. */
  synchronized void unpin(Ulid id, Change delete) throws IOException {
    pins.computeIfPresent(id, (_, count) -> count == 1 ? null : count - 1);
    if (!pins.containsKey(id) && retired.remove(id)) {
      delete.run();
    }
  }

  private synchronized void closed(Ulid id) {
    counts.computeIfPresent(id, (_, count) -> count == 1 ? null : count - 1);
  }

  private final class Counted extends ForwardingReadableFile {
    private final Ulid id;
    private final AtomicBoolean open = new AtomicBoolean(true);

    Counted(Ulid id, ReadableFile file) {
      super(file);
      this.id = id;
    }

    @Override
    public void close() throws IOException {
      if (open.getAndSet(false)) {
        closed(id);
      }
      super.close();
    }
  }
}
