package io.cordwood.cli.transfer;

import com.github.luben.zstd.ZstdOutputStream;
import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.terminal.StandardOutput;
import io.cordwood.common.file.Filesystem;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * The output of an export: standard output, or a file that has another name until it is whole. One
 * thread.
 */
final class ExportFile implements AutoCloseable {
  private static final int BUFFER_BYTES = 256 << 10;

  private final @Nullable Path file;
  private final @Nullable Path part;
  private final boolean zstd;
  private @Nullable OutputStream out;
  private @Nullable FileChannel written;
  private long bytes;

  /**
   * Touches no file before the first line is written, or {@link #finish} is called: until then what
   * an earlier export left is worth more. What was there before under the file's name stays until
   * {@link #finish}.
   *
   * @param file null: standard output
   */
  ExportFile(@Nullable Path file, boolean zstd) {
    if (file != null && Files.isDirectory(file)) {
      throw new CommandException("-o: " + file + ": expected a file, found a folder");
    }
    this.file = file;
    this.part = file == null ? null : file.resolveSibling(file.getFileName() + ".part");
    this.zstd = zstd;
  }

  private OutputStream out() throws IOException {
    if (out == null) {
      OutputStream plain = part == null ? new StandardOutput().safe() : new KeptOpen(begin(part));
      out =
          new BufferedOutputStream(
              zstd ? new ZstdOutputStream(plain).setChecksum(true) : plain, BUFFER_BYTES);
    }
    return out;
  }

  /** Opens it for this process alone, until {@link #close}: two would write into one another. */
  private FileChannel begin(Path unfinished) throws IOException {
    while (true) {
      FileChannel channel =
          FileChannel.open(unfinished, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      if (!isLocked(channel)) {
        channel.close();
        throw new CommandException(
            "-o: "
                + unfinished
                + ": expected no other export that writes it, found one; wait for its end, or"
                + " name another file");
      }
      if (Files.exists(unfinished)) {
        written = channel.truncate(0);
        return channel;
      }
      channel.close(); // The other one has just given it its name.
    }
  }

  private static boolean isLocked(FileChannel channel) {
    try {
      return channel.tryLock() != null;
    } catch (OverlappingFileLockException e) {
      return false; // another thread has it
    } catch (IOException e) {
      return true; // a file system without locks
    }
  }

  /** Writes a line, and what ends it. */
  void write(byte[] line, byte end) throws IOException {
    out().write(line);
    out().write(end);
    bytes += line.length + 1;
  }

  /** Bytes written, before they were packed. */
  long bytes() {
    return bytes;
  }

  /** The name of an unfinished file; null for standard output. */
  @Nullable Path part() {
    return part;
  }

  /** Gives the file its name; when this returns, it is on the disk. */
  void finish() throws IOException {
    out().close();
    FileChannel channel = written;
    if (file != null && part != null && channel != null) {
      channel.force(true);
      Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      Path folder = file.toAbsolutePath().getParent();
      if (folder != null) {
        Filesystem.real().forceFolder(folder);
      }
    }
  }

  @Override
  public void close() throws IOException {
    try (FileChannel _ = written) {
      if (out != null) {
        out.close();
      }
    }
  }

  /** Its end leaves the file open, and this process's own: it has still to get its name. */
  private static final class KeptOpen extends OutputStream {
    private final OutputStream file;

    KeptOpen(FileChannel channel) {
      this.file = Channels.newOutputStream(channel);
    }

    @Override
    public void write(int b) throws IOException {
      file.write(b);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      file.write(bytes, from, length);
    }
  }
}
