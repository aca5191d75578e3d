package io.cordwood.common.cold;

import io.cordwood.common.bucket.Bucket;
import io.cordwood.common.bucket.Bucket.Entry;
import io.cordwood.common.bucket.BucketException;
import io.cordwood.common.bucket.BucketException.Kind;
import io.cordwood.common.bucket.ObjectContent;
import io.cordwood.common.run.Threads;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.common.wire.CorruptException;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lines on the objects of a day, which stand in the bucket beside them. They are put once, never
 * changed, and read once. For all threads.
 *
 * <pre>
 *   ROOT/2026-11-26/HASH    1 to 4096 lines; HASH is that of its bytes, as in the names of objects
 * </pre>
 */
final class DayLines {
  private static final String UNREAD = "cordwood.cold.unread.manifests";

  private static final Logger LOG = LoggerFactory.getLogger(DayLines.class);
  private static final int HASH_DIGITS = 32;
  private static final int MOST_LINES = 4096;
  private static final int MOST_BYTES = 1 << 20;

  private final Bucket bucket;
  private final String root;
  private final ColdFetcher fetcher;
  private final Counter failures;

  /** By key. */
  private final Map<String, LocalDate> read = new ConcurrentHashMap<>();

  /**
   * Some lines, as they were put together.
   *
   * @param entry of them in a list
   */
  record Part(Entry entry, LocalDate day, List<String> lines) {
    Part {
      lines = List.copyOf(lines);
    }
  }

  /**
   * Those that were not read before.
   *
   * @param unread others, of which that failed; it is tried again each time
   */
  record News(List<Part> parts, List<UnreadManifest> unread) {
    News {
      parts = List.copyOf(parts);
      unread = List.copyOf(unread);
    }
  }

  private record Coming(Entry entry, LocalDate day, Future<Optional<Part>> part) {}

  /**
   * @param root begins their keys, with a slash at its end
   * @param fetcher which stays the caller's
   */
  DayLines(Bucket bucket, String root, ColdFetcher fetcher, MeterRegistry registry) {
    this.bucket = bucket;
    this.root = root;
    this.fetcher = fetcher;
    this.failures = registry.counter(UNREAD);
  }

  /**
   * Puts lines on one day. To do it again changes nothing.
   *
   * @param lines in order, each of 200 characters of ASCII at most, without LF
   * @throws IOException if it is not certain that they are there
   */
  static void put(Bucket bucket, String root, LocalDate day, List<String> lines)
      throws IOException {
    for (int from = 0; from < lines.size(); from += MOST_LINES) {
      List<String> some = lines.subList(from, Math.min(lines.size(), from + MOST_LINES));
      String text = String.join("\n", some) + "\n";
      var content = ObjectContent.of(text.getBytes(StandardCharsets.US_ASCII));
      bucket.put(root + day + "/" + content.sha256Hex().substring(0, HASH_DIGITS), content);
    }
  }

  /**
   * Lists the lines on some days, and reads those that were not read before.
   *
   * @param days whole ones, to list at once
   * @param wanted of them, those of which lines are read
   */
  News news(UlidRange days, Predicate<LocalDate> wanted) throws IOException {
    Set<String> listed = new HashSet<>();
    List<Coming> coming = new ArrayList<>();
    for (Entry entry : ColdList.entries(bucket, root, days)) {
      Optional<LocalDate> day = day(entry.key()).filter(it -> isIn(it, days) && wanted.test(it));
      if (day.isPresent() && listed.add(entry.key()) && !read.containsKey(entry.key())) {
        LocalDate of = day.get();
        coming.add(new Coming(entry, of, fetcher.submit(() -> readTwice(entry, of))));
      }
    }
    News news = await(coming);
    read.entrySet()
        .removeIf(it ->
            isIn(it.getValue(), days)
                && wanted.test(it.getValue())
                && !listed.contains(it.getKey()));
    news.parts.forEach(it -> read.put(it.entry().key(), it.day()));
    return news;
  }

  private Optional<LocalDate> day(String key) {
    String[] parts = key.substring(root.length()).split("/", -1);
    try {
      return parts.length == 2 && parts[1].length() == HASH_DIGITS
          ? Optional.of(LocalDate.parse(parts[0]))
          : Optional.empty();
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  private static boolean isIn(LocalDate day, UlidRange days) {
    return !day.isBefore(LocalDate.ofInstant(days.from().time(), ZoneOffset.UTC))
        && !day.isAfter(LocalDate.ofInstant(days.to().time(), ZoneOffset.UTC));
  }

  private News await(List<Coming> coming) throws IOException {
    List<Part> parts = new ArrayList<>();
    List<UnreadManifest> unread = new ArrayList<>();
    for (Coming it : coming) {
      try {
        Threads.await(it.part).ifPresent(parts::add);
      } catch (ExecutionException e) {
        if (!(e.getCause() instanceof IOException cause)) {
          throw new IOException(e);
        }
        failures.increment();
        UnreadManifest of = UnreadManifest.of(it.entry.key(), it.day, cause);
        LOG.warn("{}: a manifest does not read: {}", bucket, of.why());
        unread.add(of);
      }
    }
    return new News(parts, unread);
  }

  /** Bytes may be damaged on their way. */
  private Optional<Part> readTwice(Entry entry, LocalDate day) throws IOException {
    try {
      return read(entry, day);
    } catch (CorruptException e) {
      return read(entry, day);
    }
  }

  /** Empty if they went with their day since they were listed. */
  private Optional<Part> read(Entry entry, LocalDate day) throws IOException {
    if (entry.bytes() < 1 || entry.bytes() > MOST_BYTES) {
      throw new CorruptException(
          0, "expected 1 to %d bytes, found %d".formatted(MOST_BYTES, entry.bytes()));
    }
    try {
      Bucket.Tail tail = fetcher.tail(entry.key(), MOST_BYTES);
      tail.refuseEncrypted(entry.key());
      byte[] bytes = bytes(tail.bytes());
      String hash = ObjectContent.of(bytes).sha256Hex().substring(0, HASH_DIGITS);
      if (!entry.key().endsWith(hash)) {
        throw new CorruptException(
            0, "expected the bytes of its name, found %d of %s".formatted(tail.size(), hash));
      }
      String text = new String(bytes, StandardCharsets.US_ASCII);
      return Optional.of(new Part(entry, day, text.lines().toList()));
    } catch (BucketException e) {
      if (e.kind() == Kind.MISSING) {
        return Optional.empty();
      }
      throw e;
    }
  }

  private static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
    return bytes;
  }

  /** The days of those that were read and are still listed, by their keys. */
  Map<String, LocalDate> read() {
    return new LinkedHashMap<>(read);
  }
}
