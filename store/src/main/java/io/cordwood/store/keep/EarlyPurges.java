package io.cordwood.store.keep;

import io.cordwood.common.file.Filesystem;
import io.cordwood.common.file.WholeFile;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.store.segment.LiveSegment;
import io.cordwood.store.segment.StoreLog;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Up to which time records had to go before their time, since there was no room for them. Kept in a
 * file over restarts and losses of power. One thread changes it, any may ask.
 *
 * <pre>
 *   MILLIS LF    what is older may be gone
 * </pre>
 */
final class EarlyPurges {
  private static final Logger LOG = LoggerFactory.getLogger(EarlyPurges.class);

  private final Filesystem filesystem;
  private final Path file;
  private volatile Instant before;

  /**
   * @param file in which it is kept
   */
  EarlyPurges(StoreLog log, Path file) {
    this.filesystem = log.folder().filesystem();
    this.file = file;
    this.before = read(log);
  }

  private Instant read(StoreLog log) {
    try {
      String text = Files.readString(file, StandardCharsets.US_ASCII);
      return Instant.ofEpochMilli(Long.parseLong(text.strip()));
    } catch (NoSuchFileException e) {
      return Instant.MIN;
    } catch (IOException | RuntimeException e) {
      Instant oldest =
          log.live().stream()
              .map(LiveSegment::info)
              .map(info -> info.range().from().time())
              .min(Comparator.naturalOrder())
              .orElse(Instant.MIN);
      LOG.warn("{}: does not read, taken to be {}: {}", file, oldest, e.toString());
      return oldest;
    }
  }

  /** The time before which records may be gone; {@link Instant#MIN} if none are. */
  Instant before() {
    return before;
  }

  /** Notes that records up to this time are about to go; when this returns, that is durable. */
  void goes(UlidRange range) throws IOException {
    Instant next = range.to().time().plusMillis(1);
    if (!next.isAfter(before)) {
      return;
    }
    before = next;
    WholeFile.writeForced(filesystem, file, next.toEpochMilli() + "\n");
  }

  /**
   * The range of records that are gone and would be there by their age.
   *
   * @param horizon what is older is gone by its age
   */
  Optional<UlidRange> since(Instant horizon) {
    Instant end = before;
    if (!end.isAfter(horizon) || end.toEpochMilli() <= 0) {
      return Optional.empty();
    }
    long from = Math.max(0, horizon.toEpochMilli());
    return Optional.of(new UlidRange(Ulid.firstOf(from), Ulid.lastOf(end.toEpochMilli() - 1)));
  }
}
