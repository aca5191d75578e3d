package io.cordwood.store.segment;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Exchanges of segments that are noted on the disk, and so have happened for readers, but are not
 * finished there. Owned by the lock of the {@link StoreLog}.
 */
final class PendingSwaps {
  private static final Logger LOG = LoggerFactory.getLogger(PendingSwaps.class);

  private final StoreFolder folder;
  private final Queue<Noted> unfinished = new ArrayDeque<>();

  private record Noted(Path note, SwapFile swap) {}

  PendingSwaps(StoreFolder folder) {
    this.folder = folder;
  }

  /**
   * Notes that a new segment takes the place of others. When this returns, that is durable; if it
   * throws, nothing has changed, and the new segment is gone.
   *
   * @param kept old files that get other names
   * @param deletes old files that go
   * @return the new segment's last path, which it gets when the exchange is finished
   */
  Path begin(SegmentBuilder.Flushed flushed, List<SwapFile.Rename> kept, List<String> deletes)
      throws IOException {
    String name = folder.newName(flushed.segment().range(), StoreSegmentState.FLUSHED);
    var renames = new ArrayList<SwapFile.Rename>();
    renames.add(new SwapFile.Rename(String.valueOf(flushed.path().getFileName()), name));
    renames.addAll(kept);
    var swap = new SwapFile(renames, deletes);
    Path note = folder.newSwap();
    try {
      swap.write(folder, note);
    } catch (IOException e) {
      flushed.segment().release();
      SegmentBuilder.discard(folder.filesystem(), flushed.path(), e);
      SegmentBuilder.discard(folder.filesystem(), note, e);
      throw e;
    }
    unfinished.add(new Noted(note, swap));
    return folder.resolve(name);
  }

  /** Whether one is not finished on the disk. */
  boolean isUnfinished() {
    return !unfinished.isEmpty();
  }

  /**
   * Finishes on the disk what has happened for readers; what cannot be finished now is tried again
   * next time. A name is free again only when the note that names it is durably gone; until then
   * the note could delete what came after.
   */
  void finish() {
    try {
      for (Noted next = unfinished.peek(); next != null; next = unfinished.peek()) {
        next.swap.finish(folder);
        folder.filesystem().delete(next.note);
        folder.force();
        next.swap.deletes().forEach(folder::free);
        unfinished.remove();
      }
    } catch (IOException e) {
      LOG.warn("an exchange of segments is noted but not finished, and will be tried again", e);
    }
  }
}
