package io.cordwood.common.file;

import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.concurrent.atomic.LongAdder;

/**
 * Each {@link OnDemandFile} of any number of them, of which a bounded number is open: one that was
 * not used lately is closed, and opened again when it is read. For all threads.
 */
public final class OpenFiles {
  private static final int FEW = 1_024;

  private final Filesystem filesystem;
  private final ClockEviction<ClockEviction.Kept> open;
  private final LongAdder reopened = new LongAdder();

  /**
   * @param most that are open at once; more only while more are being read, or are not let go
   */
  public OpenFiles(Filesystem filesystem, int most) {
    this.filesystem = filesystem;
    this.open = new ClockEviction<>(most);
  }

  /** Keeps at most half as many files open as this process may open. */
  public static OpenFiles halfOfAllowed(Filesystem filesystem) {
    long allowed =
        ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
            ? unix.getMaxFileDescriptorCount()
            : FEW;
    return new OpenFiles(filesystem, Math.clamp(allowed / 2, FEW / 4, Integer.MAX_VALUE));
  }

  /** How many are open. */
  public long count() {
    return open.cost();
  }

  /** How often one was opened again. */
  public long reopened() {
    return reopened.sum();
  }

  ReadableFile open(Path path) throws IOException {
    return filesystem.open(path);
  }

  ReadableFile reopen(Path path) throws IOException {
    ReadableFile file = open(path);
    reopened.increment();
    return file;
  }

  void isOpen(ClockEviction.Kept file) {
    open.add(file, 1);
  }

  void isGone(ClockEviction.Kept file) {
    open.remove(file);
  }
}
