package io.cordwood.common.deletion;

import io.cordwood.common.file.Filesystem;
import io.cordwood.common.file.ReadableFile;
import io.cordwood.common.file.WholeFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tombstones that a node knows, in a file, as {@link TombstoneText} has them. One that is not
 * as it was written is set aside; what is intact of it stays known. For one thread.
 */
final class TombstoneFile {
  private static final Logger LOG = LoggerFactory.getLogger(TombstoneFile.class);

  private final Path file;
  private final Path aside;
  private final Filesystem disk;

  TombstoneFile(Path file, Filesystem disk) {
    this.file = file;
    this.aside = file.resolveSibling(file.getFileName() + ".damaged");
    this.disk = disk;
  }

  /**
   * Reads it. There is none before the first deletion.
   *
   * @throws AccessDeniedException if it is closed to this process: it may be whole
   * @throws IOException if it is damaged and its place cannot be cleared
   */
  TombstoneText.Read read() throws IOException {
    Optional<TombstoneText.Read> found = readAsFarAsIntact(file);
    if (found.isPresent() && found.get().damage().isPresent()) {
      LOG.warn("{}: {}", file, found.get().damage().get());
      disk.rename(file, aside);
    } else if (found.isPresent()) {
      // Who wrote it may have been killed before its name was forced.
      disk.forceFolder(Objects.requireNonNull(file.toAbsolutePath().getParent()));
      return found.get();
    } else {
      // Set aside, and then nothing was written in its place before this node ended.
      found = readAsFarAsIntact(aside);
    }
    return found.isPresent()
        ? salvaged(found.get().known())
        : new TombstoneText.Read(Tombstones.NONE, false, Optional.empty());
  }

  private TombstoneText.Read salvaged(Tombstones known) throws IOException {
    LOG.warn(
        "some deletions that this node knew may be lost, {} are known; until another node tells it"
            + " again, its answers may hold deleted records. The file is kept as {}",
        known.size(),
        aside);
    write(known, true);
    return new TombstoneText.Read(known, true, Optional.empty());
  }

  private Optional<TombstoneText.Read> readAsFarAsIntact(Path path) throws AccessDeniedException {
    try {
      return Optional.of(TombstoneText.read(text(path)));
    } catch (AccessDeniedException e) {
      throw e;
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of(new TombstoneText.Read(Tombstones.NONE, true, Optional.of(e.toString())));
    }
  }

  private String text(Path path) throws IOException {
    try (ReadableFile open = disk.open(path)) {
      if (open.size() > TombstoneText.MAX_BYTES) {
        throw new IOException("expected at most %d bytes".formatted(TombstoneText.MAX_BYTES));
      }
      var bytes = ByteBuffer.allocate((int) open.size());
      open.read(bytes, 0);
      return StandardCharsets.ISO_8859_1.decode(bytes.flip()).toString();
    }
  }

  /** Replaces it; when this returns, that is durable. */
  void write(Tombstones set, boolean lost) throws IOException {
    WholeFile.writeForced(disk, file, TombstoneText.write(set, lost));
  }
}
