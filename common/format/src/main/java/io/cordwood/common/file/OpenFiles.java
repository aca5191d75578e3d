package io.cordwood.common.file;

import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.concurrent.atomic.LongAdder;

/**
 * Files of which any number can be read, and a bounded number is open: one that was not used lately
 * is closed, and opened again when it is read. For all threads.
 */
public final class OpenFiles {
  private static final int FEW = 1_024;

  private final Filesystem filesystem;
  private final ClockEviction<OnDemandFile> open;
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

  /**
   * Opens a file.
   *
   * @throws java.nio.file.NoSuchFileException if there is none
   */
  public OnDemandFile open(Path path) throws IOException {
    ReadableFile opened = filesystem.open(path);
    try {
      var file = new OnDemandFile(this, path, opened);
      isOpen(file);
      return file;
    } catch (IOException e) {
      opened.close();
      throw e;
    }
  }

  /** How many are open. */
  public long count() {
    return open.cost();
  }

  /** How often one was opened again. */
  public long reopened() {
    return reopened.sum();
  }

  ReadableFile reopen(Path path) throws IOException {
    ReadableFile file = filesystem.open(path);
    reopened.increment();
    return file;
  }

  void isOpen(OnDemandFile file) {
    open.add(file, 1);
  }

  void isGone(OnDemandFile file) {
    open.remove(file);
  }
}
