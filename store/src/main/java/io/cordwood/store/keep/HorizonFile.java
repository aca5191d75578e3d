package io.cordwood.store.keep;

import io.cordwood.common.file.Filesystem;
import io.cordwood.common.file.WholeFile;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.store.segment.StoreLog;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file of a store's folder that says up to which time records went before their time. If it
 * cannot be read, any records before those that are there may have gone.
 */
final class HorizonFile {
  private static final Logger LOG = LoggerFactory.getLogger(HorizonFile.class);

  private final StoreLog log;
  private final Filesystem filesystem;
  private final Path file;

  HorizonFile(StoreLog log, Path file) {
    this.log = log;
    this.filesystem = log.folder().filesystem();
    this.file = file;
  }

  /**
   * Reads the file.
   *
   * @param read may throw any RuntimeException if the text is not in its form
   * @param none if there is no file
   * @param unreadable of the time of the oldest record that is there
   */
  <T> T read(Function<String, T> read, T none, Function<Instant, T> unreadable) {
    try {
      return read.apply(WholeFile.read(filesystem, file));
    } catch (NoSuchFileException e) {
      return none;
    } catch (IOException | RuntimeException e) {
      Instant oldest = oldest();
      LOG.warn("{}: does not read, taken to be {}: {}", file, oldest, e.toString());
      return unreadable.apply(oldest);
    }
  }

  private Instant oldest() {
    return log.infos().stream()
        .map(info -> info.range().from().time())
        .min(Comparator.naturalOrder())
        .orElse(Instant.MIN);
  }

  /** Replaces the text; when this returns, that is durable. */
  void write(String text) throws IOException {
    WholeFile.writeForced(filesystem, file, text);
  }

  /** The time up to which records are gone once a range is. */
  static Instant after(UlidRange range) {
    return range.to().time().plusMillis(1);
  }

  /** Whether records are gone that would be there by their age. */
  static boolean isBeyond(Instant horizon, Instant gone) {
    return gone.isAfter(horizon) && gone.toEpochMilli() > 0;
  }

  /** The range of records that are gone and would be there by their age. */
  static UlidRange between(Instant horizon, Instant gone) {
    return new UlidRange(
        Ulid.firstOf(Math.max(0, horizon.toEpochMilli())), Ulid.lastOf(gone.toEpochMilli() - 1));
  }
}
