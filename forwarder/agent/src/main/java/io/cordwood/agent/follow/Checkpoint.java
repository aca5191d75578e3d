package io.cordwood.agent.follow;

import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.program.Failures;
import io.cordwood.common.file.SpecialFileException;
import io.cordwood.common.wire.Labels;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The file that says what of each followed file has arrived, and which batches are on their way. A
 * batch is planned here, and the plan forced to the disk, before the first byte of it is sent; so
 * after a crash at any moment the same bytes make the same batch with the same ULIDs again.
 *
 * <p>Lines are written one after the other into room that was made before, so that a force has
 * little to do. When there is no room left, what holds is written to a new file, which is forced
 * and takes the old one's name. One process has it at a time.
 */
final class Checkpoint implements AutoCloseable {
  private static final int LEAST_BYTES = 1 << 20;

  /** The file's first line is written last, into this room. */
  private static final int HEADER_BYTES = 64;

  /** If more changed than this, all is written anew: so memory does not grow with what is new. */
  private static final int MOST_UNSAVED_CHARS = 2 << 20;

  private final Path file;
  private final Map<Long, FileState> states;
  private final FileChannel lockFile;
  private final boolean isNew;
  private Supplier<String> cursors;
  private String cursor;
  private final StringBuilder unsaved = new StringBuilder();

  private boolean isOutdated;
  private @Nullable FileChannel channel;
  private long end;
  private long capacity;
  private long lastId;

  private Checkpoint(Path file, Map<Long, FileState> states, String cursor, FileChannel lockFile) {
    this.cursor = cursor;
    this.cursors = () -> cursor;
    this.file = file;
    this.states = states;
    this.lockFile = lockFile;
    this.isNew = states.isEmpty();
    this.lastId = states.keySet().stream().mapToLong(Long::longValue).max().orElse(0);
  }

  /**
   * Reads it, or begins one, and writes it anew, so that a place that cannot be written to is
   * refused at once.
   *
   * @param says hears of damage
   * @throws CommandException when another process has it
   */
  static Checkpoint open(Path file, Consumer<String> says) throws IOException {
    Path absolute = file.toAbsolutePath();
    if (Files.exists(absolute)) {
      try {
        SpecialFileException.check(absolute);
      } catch (IOException e) {
        throw new CommandException("--checkpoint: " + Failures.explain(e), e);
      }
    }
    try {
      return openThere(absolute, says);
    } catch (FileSystemException e) {
      throw new CommandException(
          "checkpoint " + absolute + ": cannot be written: " + Failures.explain(e), e);
    }
  }

  private static Checkpoint openThere(Path absolute, Consumer<String> says) throws IOException {
    Path folder = absolute.getParent();
    if (folder != null) {
      Files.createDirectories(folder);
    }
    FileChannel lockFile = lock(absolute);
    try {
      var reader = new CheckpointReader(absolute, says);
      Map<Long, FileState> states = reader.read();
      var checkpoint = new Checkpoint(absolute, states, reader.cursor(), lockFile);
      checkpoint.rewrite();
      return checkpoint;
    } catch (IOException | RuntimeException e) {
      lockFile.close();
      throw e;
    }
  }

  private static FileChannel lock(Path file) throws IOException {
    FileChannel channel =
        FileChannel.open(
            file.resolveSibling(file.getFileName() + ".lock"),
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE);
    @Nullable FileLock lock;
    try {
      lock = channel.tryLock();
    } catch (OverlappingFileLockException e) {
      lock = null;
    }
    if (lock == null) {
      channel.close();
      throw new CommandException(
          "checkpoint " + file + ": another process uses it; give each its own by --checkpoint");
    }
    return channel;
  }

  /** Whether a file is one of its own, which nobody should follow. */
  boolean isOwn(Path path) {
    return path.startsWith(file) || path.toString().startsWith(file + ".");
  }

  /** Whether it knew nothing when it was opened. */
  boolean isNew() {
    return isNew;
  }

  Collection<FileState> states() {
    return states.values();
  }

  FileState add(FileStat.Key key, Path path, Content.Head head, FileState.Cut cut) {
    RecordStamp first = RecordStamp.first(System.currentTimeMillis());
    FileState state = new FileState(++lastId, key, path, head, cut, first);
    states.put(state.id, state);
    return state;
  }

  /** A content's first lines, or its new ones when what tells it has changed. */
  void describe(FileState state, boolean isNew) {
    change(CheckpointLine.file(state));
    if (isNew) {
      change(CheckpointLine.at(state));
    }
  }

  /** Gives up what is planned from a position on, and goes on in a new stream. */
  void giveUpPlans(FileState state, long from) {
    state.giveUpPlans(from, System.currentTimeMillis());
    change(CheckpointLine.drop(state, from));
  }

  void plan(FileState state, PlannedBatch plan) {
    state.plan(plan);
    change(CheckpointLine.plan(state, plan));
  }

  /** The bytes of a plan, of one file, go on in another. */
  void carry(FileState state, PlannedBatch plan, FileState to, byte[] bytes) {
    change(CheckpointLine.carry(to, bytes, state, plan));
    state.plan(plan);
    to.carry(bytes);
  }

  void arrive(FileState state, long to) {
    state.arrive(to);
    change(CheckpointLine.ack(state));
  }

  void remove(FileState state) {
    states.remove(state.id);
    change(CheckpointLine.gone(state));
  }

  /** The cursor up to which all of a journal had arrived; empty if there is none. */
  String cursor() {
    return cursor;
  }

  /** From now on it keeps the cursor that this gives. */
  void keepCursor(Supplier<String> latest) {
    cursors = latest;
  }

  private void takeCursor() {
    String latest = cursors.get();
    if (!latest.equals(cursor)) {
      cursor = latest;
      change(CheckpointLine.journal(cursor));
    }
  }

  boolean hasUnsaved() {
    takeCursor();
    return isOutdated || !unsaved.isEmpty();
  }

  /** Gives up the room that many changes have taken. */
  void trim() {
    unsaved.trimToSize();
  }

  private void change(String line) {
    isOutdated |= unsaved.length() > MOST_UNSAVED_CHARS;
    if (isOutdated) {
      unsaved.setLength(0);
    } else {
      unsaved.append(line);
    }
  }

  /**
   * Makes all changes durable.
   *
   * @throws IOException when it cannot; the next call tries again, with a new file
   */
  void save() throws IOException {
    takeCursor();
    byte[] bytes = unsaved.toString().getBytes(StandardCharsets.UTF_8);
    if (channel == null || isOutdated || end + bytes.length > capacity) {
      rewrite();
      return;
    }
    try {
      writeAll(channel, ByteBuffer.wrap(bytes), end);
      channel.force(false);
    } catch (IOException e) {
      channel.close();
      channel = null;
      throw e;
    }
    end += bytes.length;
    unsaved.setLength(0);
  }

  private void rewrite() throws IOException {
    Path draft = file.resolveSibling(file.getFileName() + ".new");
    FileChannel written =
        FileChannel.open(
            draft,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE);
    long used;
    long bytes;
    try {
      used = writeEverything(written);
      bytes = written.size();
      written.force(true);
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
      forceFolder();
    } catch (IOException e) {
      written.close();
      throw e;
    }
    close(channel);
    channel = written;
    capacity = bytes;
    end = used;
    isOutdated = false;
    unsaved.setLength(0);
  }

  /**
   * Writes all that holds, and as much room again; the first line, which says how long it is, last.
   * Returns where the room begins.
   */
  private long writeEverything(FileChannel to) throws IOException {
    to.position(HEADER_BYTES);
    var out = new BufferedOutputStream(Channels.newOutputStream(to), 1 << 16);
    if (!cursor.isEmpty()) {
      write(out, CheckpointLine.journal(cursor));
    }
    for (FileState state : states.values()) {
      write(out, state);
    }
    out.flush();
    long used = to.position();
    long bytes = Math.max(LEAST_BYTES, 2 * used);
    for (long at = used; at < bytes; at++) {
      out.write('\n');
    }
    out.flush();
    String header = CheckpointReader.HEADER + bytes;
    String padded = header + "\n".repeat(HEADER_BYTES - header.length());
    writeAll(to, ByteBuffer.wrap(padded.getBytes(StandardCharsets.UTF_8)), 0);
    return used;
  }

  private static void write(OutputStream out, FileState state) throws IOException {
    Labels labels = state.planned().isEmpty() ? state.labels : state.planned().peek().labels();
    write(out, CheckpointLine.file(state, labels));
    write(out, CheckpointLine.at(state));
    if (state.carried().length > 0) {
      write(out, CheckpointLine.carried(state));
    }
    for (PlannedBatch plan : state.planned()) {
      if (!plan.labels().equals(labels)) {
        labels = plan.labels();
        write(out, CheckpointLine.file(state, labels));
      }
      write(out, CheckpointLine.plan(state, plan));
    }
    if (!state.labels.equals(labels)) {
      write(out, CheckpointLine.file(state));
    }
    write(out, CheckpointLine.next(state));
  }

  private static void write(OutputStream out, String line) throws IOException {
    out.write(line.getBytes(StandardCharsets.UTF_8));
  }

  private void forceFolder() throws IOException {
    Path folder = file.getParent();
    if (folder != null) {
      try (FileChannel opened = FileChannel.open(folder, StandardOpenOption.READ)) {
        opened.force(true);
      }
    }
  }

  private static void writeAll(FileChannel to, ByteBuffer bytes, long from) throws IOException {
    long at = from;
    while (bytes.hasRemaining()) {
      at += to.write(bytes, at);
    }
  }

  private static void close(@Nullable FileChannel channel) throws IOException {
    if (channel != null) {
      channel.close();
    }
  }

  /** Lets another process have it. What was not saved is not. */
  @Override
  public void close() throws IOException {
    close(channel);
    lockFile.close();
  }
}
