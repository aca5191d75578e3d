package io.cordwood.forwarder;

import io.cordwood.common.wire.IngestHeader;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Batches in files, first in, first out, within a number of bytes. Opened by one forwarder at a
 * time; owned by its spool thread, which alone waits for the disk.
 *
 * <pre>
 *   folder/lock                            held as long as the spool is open
 *   folder/01KBX….spooled                  an ingest segment; the oldest has the smallest name
 *   folder/01KBX….spooled.damaged          one without a whole batch, set aside
 * </pre>
 */
final class Spool implements AutoCloseable {
  private static final long LARGEST_FILE_BYTES = 64L << 20;

  /** So that few bytes stay for what is acknowledged already. */
  private static final int FILES = 8;

  private final SpoolLock lock;
  private final Path folder;
  private final long maxBytes;
  private final long fileBytes;
  private final ArrayDeque<SpoolFile> files = new ArrayDeque<>();
  private final List<String> complaints = new ArrayList<>();
  private long bytes;
  private long damagedBytes;
  private long unreadableFiles;
  private long lostRecords;
  private long leftRecords;

  private Spool(SpoolOptions options, SpoolLock lock) {
    this.lock = lock;
    this.folder = options.folder();
    this.maxBytes = options.maxBytes();
    this.fileBytes = Math.min(LARGEST_FILE_BYTES, maxBytes / FILES);
  }

  /** Takes the folder, and what an earlier forwarder left there. */
  static Spool open(SpoolOptions options) throws IOException {
    Spool spool = new Spool(options, SpoolLock.take(options.folder()));
    try {
      spool.recover();
      return spool;
    } catch (IOException e) {
      spool.close();
      throw e;
    }
  }

  private void recover() throws IOException {
    List<Path> found;
    try (Stream<Path> all = Files.list(folder)) {
      found =
          all.filter(path -> path.toString().endsWith(SpoolFile.ENDING))
              .sorted(Comparator.comparing(path -> path.getFileName().toString()))
              .collect(Collectors.toList());
    }
    for (Path path : found) {
      SpoolFile file = open(path);
      if (file != null) {
        recover(file);
      }
    }
  }

  /** Null if it cannot be read, which is no reason to leave the others unread. */
  private @Nullable SpoolFile open(Path path) throws IOException {
    try {
      return SpoolFile.open(path);
    } catch (IOException e) {
      if (e instanceof FileSystemException at && isOutOfDescriptors(at)) {
        throw e;
      }
      unreadable(path, e);
      return null;
    }
  }

  private void recover(SpoolFile file) {
    long tail = file.damagedTailBytes();
    damagedBytes += tail;
    if (file.unreadRecords() > 0) {
      files.add(file);
      bytes += file.bytes();
      if (tail > 0) {
        complaints.add(file.path() + ": " + tail + " bytes at its end are of no whole batch");
      }
      return;
    }
    String what = file.path() + ": no record in it is whole; it is ";
    try {
      if (tail == 0) {
        file.delete();
      } else {
        file.setAside();
        complaints.add(what + "set aside");
      }
    } catch (IOException e) {
      complaints.add(what + "left there: " + SpoolLock.explain(e));
    }
  }

  /** A file that cannot be read now need not be damaged. */
  private void unreadable(Path path, IOException why) {
    unreadableFiles++;
    complaints.add(
        path + ": cannot be read, and is left there for the next start: " + SpoolLock.explain(why));
  }

  /** Which passes, and says nothing of the file. */
  private static boolean isOutOfDescriptors(FileSystemException e) {
    return String.valueOf(e.getReason()).contains("Too many open files");
  }

  /** Records that are on the disk and were not read by this forwarder. */
  long unreadRecords() {
    return files.stream().mapToLong(SpoolFile::unreadRecords).sum();
  }

  long bytes() {
    return bytes;
  }

  long damagedBytes() {
    return damagedBytes;
  }

  /** Files that are left to the next forwarder. */
  long unreadableFiles() {
    return unreadableFiles;
  }

  /** Complaints about files; each is given once. */
  List<String> takeComplaints() {
    List<String> taken = List.copyOf(complaints);
    complaints.clear();
    return taken;
  }

  /** Records that were counted and cannot be read; each is given once. */
  long takeLostRecords() {
    long taken = lostRecords;
    lostRecords = 0;
    return taken;
  }

  /** Records that are left to the next forwarder, since they cannot be read; each is given once. */
  long takeLeftRecords() {
    long taken = leftRecords;
    leftRecords = 0;
    return taken;
  }

  /**
   * Adds the first of these batches, as many as there is room for, and forces them.
   *
   * @return how many
   * @throws IOException when the disk does not take them; then none is added
   */
  int append(List<OutgoingBatch> batches) throws IOException {
    SpoolFile last = files.peekLast();
    boolean begins = last == null || last.isFull() || last.bytes() >= fileBytes;
    int count = fitting(batches, begins ? IngestHeader.BYTES : 0);
    if (count == 0) {
      return 0;
    }
    SpoolFile to = begins ? begin(batches.get(0)) : last;
    long before = to.bytes();
    try {
      to.append(batches.subList(0, count));
    } catch (IOException e) {
      tidy(to);
      throw e;
    }
    bytes += to.bytes() - before;
    return count;
  }

  private int fitting(List<OutgoingBatch> batches, long besideBytes) {
    long sum = bytes + besideBytes;
    int count = 0;
    for (OutgoingBatch batch : batches) {
      sum += batch.sizeBytes();
      if (sum > maxBytes) {
        break;
      }
      count++;
    }
    return count;
  }

  private SpoolFile begin(OutgoingBatch first) throws IOException {
    SpoolFile last = files.peekLast();
    if (last != null) {
      last.close();
      tidy(last);
    }
    SpoolFile file = SpoolFile.create(folder, first);
    files.add(file);
    bytes += file.bytes();
    return file;
  }

  /** The next batch to be sent; null when all that is there was read. */
  @Nullable OutgoingBatch next() throws IOException {
    for (SpoolFile file : List.copyOf(files)) {
      OutgoingBatch batch = read(file);
      if (batch != null) {
        return batch;
      }
      tidy(file);
    }
    return null;
  }

  private @Nullable OutgoingBatch read(SpoolFile file) throws IOException {
    if (file.isRead()) {
      return null;
    }
    long damaged = file.damagedBytes();
    try {
      OutgoingBatch batch = file.next();
      lostRecords += file.takeLostRecords();
      return batch;
    } catch (IOException e) {
      leave(file, e);
      throw e;
    } finally {
      if (file.damagedBytes() > damaged) {
        damagedBytes += file.damagedBytes() - damaged;
        complaints.add(
            file.path() + ": " + (file.damagedBytes() - damaged) + " bytes are of no whole batch");
      }
    }
  }

  /** The batches of it that are in memory are sent, and all of it is read by the next forwarder. */
  private void leave(SpoolFile file, IOException why) throws IOException {
    files.remove(file);
    bytes -= file.bytes();
    leftRecords += file.unreadRecords();
    unreadable(file.path(), why);
    file.leave();
  }

  /** A batch of this file has arrived. */
  void acknowledged(SpoolFile file) throws IOException {
    file.acknowledged();
    tidy(file);
  }

  /** Deletes a file of which nothing is left to be sent. */
  private void tidy(SpoolFile file) throws IOException {
    if (file.isRead() && file.isAcknowledged() && files.remove(file)) {
      bytes -= file.bytes();
      file.delete();
    }
  }

  /**
   * Gives the oldest file up of which nothing was read.
   *
   * @return its records; nought when there is no such file
   */
  long dropOldest() throws IOException {
    for (SpoolFile file : files) {
      if (file.isFull() && file.isAcknowledged() && !file.isRead()) {
        files.remove(file);
        bytes -= file.bytes();
        file.delete();
        return file.unreadRecords();
      }
    }
    return 0;
  }

  /** Leaves all files, and the folder, to the next forwarder. */
  @Override
  public void close() throws IOException {
    try (lock) {
      for (SpoolFile file : files) {
        file.leave();
      }
    }
  }
}
