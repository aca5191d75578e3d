package io.cordwood.store.consume;

import io.cordwood.common.file.ByteSource;
import io.cordwood.common.file.Filesystem;
import io.cordwood.common.file.WritableFile;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.common.wire.BatchScanner.Damage;
import io.cordwood.store.claim.Claim;
import io.cordwood.store.segment.StoreFolder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps stretches of ingest segments that are no batches, in files {@code damaged/ID-OFFSET}, so
 * that they block nothing and nothing is thrown away; so it does with batches that cannot be
 * stored, in files {@code damaged/FROM-TO.batch}. For any thread.
 */
final class DamagedBytes {
  private static final Logger LOG = LoggerFactory.getLogger(DamagedBytes.class);
  private static final int COPY_BYTES = 64 << 10;

  private final Filesystem filesystem;
  private final Path folder;

  DamagedBytes(Filesystem filesystem, Path folder) {
    this.filesystem = filesystem;
    this.folder = folder;
  }

  /** Copies a stretch. When this returns, the copy is durable. */
  void setAside(Claim claim, ByteSource source, Damage damage) throws IOException {
    Path path = folder.resolve(claim.id() + "-" + damage.position());
    keep(source, damage, path);
    LOG.warn(
        "{}: {} bytes are no batches and were set aside as {}: {}",
        claim,
        damage.length(),
        path,
        damage.reason().getMessage());
  }

  /**
   * Copies a batch that is intact and cannot be stored. When this returns, the copy is durable.
   *
   * @param where it stands in the source
   */
  void setAside(Claim claim, ByteSource source, UlidRange batch, Damage where) throws IOException {
    Path path = folder.resolve(batch + StoreFolder.BATCH_ENDING);
    keep(source, where, path);
    LOG.error(
        "{}: the batch of records {} cannot be stored and was set aside as {}: {}",
        claim,
        batch,
        path,
        where.reason().getMessage());
  }

  private void keep(ByteSource source, Damage damage, Path path) throws IOException {
    Path part = folder.resolve(path.getFileName() + ".part");
    filesystem.delete(part);
    try (WritableFile file = filesystem.create(part)) {
      copy(source, damage, file);
      file.force();
    }
    filesystem.rename(part, path);
    filesystem.forceFolder(folder);
  }

  private static void copy(ByteSource source, Damage damage, WritableFile file) throws IOException {
    var buffer = ByteBuffer.allocate(COPY_BYTES);
    long end = damage.position() + damage.length();
    for (long at = damage.position(); at < end; at += buffer.limit()) {
      source.read(buffer.clear().limit((int) Math.min(COPY_BYTES, end - at)), at);
      buffer.flip();
      while (buffer.hasRemaining()) {
        file.write(buffer);
      }
    }
  }
}
