package io.cordwood.store.keep;

import io.cordwood.common.file.FaultyFilesystem;
import io.cordwood.common.file.Filesystem;
import io.cordwood.common.segment.BlockInfo;
import io.cordwood.store.segment.LiveSegment;
import java.io.IOException;
import java.util.List;
import java.util.function.LongConsumer;

/** The real disk, which can tell when a block of a segment is about to be read. */
final class WatchedDisk {
  private LongConsumer whenRead = _ -> {};

  Filesystem filesystem() {
    return new FaultyFilesystem(
        (_, _) -> false,
        (_, at) -> {
          whenRead.accept(at);
          return false;
        });
  }

  /** Has something happen from now on, before a block of the segment is read. */
  void whenABlockIsRead(LiveSegment segment, Runnable happens) throws IOException {
    List<Long> offsets = segment.segment().blocks().stream().map(BlockInfo::offset).toList();
    whenRead =
        at -> {
          if (offsets.contains(at)) {
            happens.run();
          }
        };
  }
}
