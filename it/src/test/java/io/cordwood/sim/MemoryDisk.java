package io.cordwood.sim;

import io.cordwood.common.file.Filesystem;
import io.cordwood.common.file.ReadableFile;
import io.cordwood.common.file.WritableFile;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * A disk in memory. A loss of power takes any part of what was not forced: names in folders, and
 * the ends of files.
 */
final class MemoryDisk implements Filesystem {
  private static final long USABLE_BYTES = 1L << 40;

  private final InstantSource clock;

  /** Called before each change; it may end the process there. */
  private Runnable beforeChange = () -> {};

  /** Asked before each force whether it fails. */
  private BooleanSupplier forceFails = () -> false;

  /** Asked before each write whether there is no room for it. */
  private BooleanSupplier isFull = () -> false;

  private TreeMap<Path, Content> names = new TreeMap<>();
  private TreeMap<Path, Content> durable = new TreeMap<>();
  private final List<Naming> unforced = new ArrayList<>();

  private static final class Content {
    private byte[] bytes = new byte[64];
    private int length;
    private int forced;

    /** A force failed: the kernel believes that what was not forced then is on the disk. */
    private boolean isUnforceable;

    private Instant modified;

    private Content(Instant modified) {
      this.modified = modified;
    }

    private Content copy() {
      var copy = new Content(modified);
      copy.bytes = Arrays.copyOf(bytes, bytes.length);
      copy.length = forced;
      copy.forced = forced;
      return copy;
    }
  }

  private record Naming(Path folder, Consumer<Map<Path, Content>> change) {}

  MemoryDisk(InstantSource clock) {
    this.clock = clock;
  }

  void beforeChange(Runnable run) {
    this.beforeChange = run;
  }

  void forceFails(BooleanSupplier fails) {
    this.forceFails = fails;
  }

  void isFull(BooleanSupplier full) {
    this.isFull = full;
  }

  /** Takes room for something that is not among these files. */
  void takeRoom() throws IOException {
    if (isFull.getAsBoolean()) {
      throw new IOException("No space left on device");
    }
  }

  /** What is durable of it now, to be put back later. */
  MemoryDisk snapshot() {
    var copy = new MemoryDisk(clock);
    durable.forEach((name, content) -> copy.durable.put(name, content.copy()));
    return copy;
  }

  /** A snapshot is put in its place. */
  void putBack(MemoryDisk snapshot) {
    unforced.clear();
    durable = snapshot.snapshot().durable;
    names = new TreeMap<>(durable);
  }

  private void mayFail(Object file) throws IOException {
    if (forceFails.getAsBoolean()) {
      throw new IOException(file + ": cannot be forced");
    }
  }

  /** Power is lost: what was not forced may be there or not. */
  void losePower(SplittableRandom random) {
    for (Naming naming : unforced) {
      if (random.nextBoolean()) {
        naming.change.accept(durable);
      }
    }
    unforced.clear();
    for (Content content : durable.values()) {
      content.length = content.forced + random.nextInt(content.length - content.forced + 1);
      content.forced = content.length;
    }
    names = new TreeMap<>(durable);
  }

  private void name(Path file, Consumer<Map<Path, Content>> change) {
    beforeChange.run();
    change.accept(names);
    unforced.add(new Naming(folder(file), change));
  }

  private static Path folder(Path file) {
    Path folder = file.getParent();
    return folder == null ? Path.of("/") : folder;
  }

  private Content find(Path file) throws NoSuchFileException {
    Content content = names.get(file);
    if (content == null) {
      throw new NoSuchFileException(file.toString());
    }
    return content;
  }

  @Override
  public WritableFile create(Path file) throws IOException {
    if (names.containsKey(file)) {
      throw new FileAlreadyExistsException(file.toString());
    }
    var content = new Content(clock.instant());
    name(file, all -> all.put(file, content));
    return new Writing(content);
  }

  @Override
  public WritableFile overwrite(Path file) throws IOException {
    throw new IOException(file + ": expected files that are too small to be used again");
  }

  @Override
  public ReadableFile open(Path file) throws IOException {
    return new Reading(file, find(file));
  }

  @Override
  public OptionalLong size(Path file) {
    Content content = names.get(file);
    return content == null ? OptionalLong.empty() : OptionalLong.of(content.length);
  }

  @Override
  public void truncate(Path file, long bytes) throws IOException {
    Content content = find(file);
    beforeChange.run();
    mayFail(file);
    content.length = (int) bytes;
    content.forced =
        content.isUnforceable ? Math.min(content.forced, content.length) : content.length;
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    Content content = find(from);
    name(
        to,
        all -> {
          all.remove(from);
          all.put(to, content);
        });
  }

  @Override
  public void delete(Path file) {
    if (names.containsKey(file)) {
      name(file, all -> all.remove(file));
    }
  }

  @Override
  public List<Path> list(Path folder) {
    return names.keySet().stream().filter(file -> folder(file).equals(folder)).toList();
  }

  @Override
  public void createFolders(Path folder) {}

  @Override
  public void forceFolder(Path folder) throws IOException {
    beforeChange.run();
    mayFail(folder);
    unforced.removeIf(naming -> {
      boolean here = naming.folder.equals(folder);
      if (here) {
        naming.change.accept(durable);
      }
      return here;
    });
  }

  @Override
  public long usableBytes(Path folder) {
    return isFull.getAsBoolean() ? 0 : USABLE_BYTES;
  }

  @Override
  public Instant modified(Path file) throws IOException {
    return find(file).modified;
  }

  @Override
  public void setModified(Path file, Instant time) throws IOException {
    find(file).modified = time;
  }

  @Override
  public Closeable lock(Path folder) {
    return () -> {};
  }

  private final class Writing implements WritableFile {
    private final Content content;
    private boolean open = true;

    Writing(Content content) {
      this.content = content;
    }

    @Override
    public long size() {
      return content.length;
    }

    @Override
    public void cut() {}

    @Override
    public void force() throws IOException {
      beforeChange.run();
      if (forceFails.getAsBoolean()) {
        content.isUnforceable = true;
        throw new IOException("a file in memory cannot be forced");
      }
      if (!content.isUnforceable) {
        content.forced = content.length;
      }
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
      beforeChange.run();
      int whole = source.remaining();
      append(source, isFull.getAsBoolean() ? whole / 2 : whole);
      if (source.hasRemaining()) {
        takeRoom();
      }
      return whole;
    }

    private void append(ByteBuffer source, int count) {
      if (content.length + count > content.bytes.length) {
        content.bytes = Arrays.copyOf(content.bytes, 2 * (content.length + count));
      }
      source.get(content.bytes, content.length, count);
      content.length += count;
      content.modified = clock.instant();
    }

    @Override
    public long write(ByteBuffer[] sources) throws IOException {
      return write(sources, 0, sources.length);
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
      long count = 0;
      for (int i = offset; i < offset + length; i++) {
        count += write(sources[i]);
      }
      return count;
    }

    @Override
    public boolean isOpen() {
      return open;
    }

    @Override
    public void close() {
      open = false;
    }
  }

  private record Reading(Path file, Content content) implements ReadableFile {
    @Override
    public FileChannel channel() {
      throw new UnsupportedOperationException("a file in memory has no channel");
    }

    @Override
    public long size() {
      return content.length;
    }

    @Override
    public void read(ByteBuffer target, long position) throws IOException {
      if (position + target.remaining() > content.length) {
        throw new EOFException(file + ": expected more bytes at " + position);
      }
      target.put(content.bytes, (int) position, target.remaining());
    }

    @Override
    public void close() {}
  }
}
