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
  /** Counts those that are damaged, each time one is read. */
  static final String DAMAGED = "cordwood.cold.damaged.manifests";

  private static final Logger LOG = LoggerFactory.getLogger(DayLines.class);
  private static final int HASH_DIGITS = 32;
  private static final int MOST_LINES = 4096;
  private static final int MOST_BYTES = 1 << 20;

  private final Bucket bucket;
  private final String root;
  private final ColdFetcher fetcher;
  private final Counter damaged;

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
   * @param root begins their keys, with a slash at its end
   * @param fetcher which stays the caller's
   */
  DayLines(Bucket bucket, String root, ColdFetcher fetcher, MeterRegistry registry) {
    this.bucket = bucket;
    this.root = root;
    this.fetcher = fetcher;
    this.damaged = registry.counter(DAMAGED);
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
   * Lists the lines on some days, and reads those that were not read before; the damaged ones again
   * each time, which are left out.
   *
   * @param days whole ones, to list at once
   * @param wanted of them, those of which lines are read
   */
  List<Part> unread(UlidRange days, Predicate<LocalDate> wanted) throws IOException {
    Set<String> listed = new HashSet<>();
    List<Future<Optional<Part>>> coming = new ArrayList<>();
    for (Entry entry : ColdList.entries(bucket, root, days)) {
      Optional<LocalDate> day = day(entry.key()).filter(it -> isIn(it, days) && wanted.test(it));
      if (day.isPresent() && listed.add(entry.key()) && !read.containsKey(entry.key())) {
        coming.add(fetcher.submit(() -> read(entry, day.get())));
      }
    }
    List<Part> parts = await(coming);
    read.entrySet()
        .removeIf(it ->
            isIn(it.getValue(), days)
                && wanted.test(it.getValue())
                && !listed.contains(it.getKey()));
    parts.forEach(it -> read.put(it.entry().key(), it.day()));
    return parts;
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

  private static List<Part> await(List<Future<Optional<Part>>> coming) throws IOException {
    List<Part> parts = new ArrayList<>();
    List<IOException> failures = new ArrayList<>();
    for (Future<Optional<Part>> future : coming) {
      try {
        Threads.await(future).ifPresent(parts::add);
      } catch (ExecutionException e) {
        failures.add(e.getCause() instanceof IOException cause ? cause : new IOException(e));
      }
    }
    if (!failures.isEmpty()) {
      IOException first = failures.removeFirst();
      failures.forEach(first::addSuppressed);
      throw first;
    }
    return parts;
  }

  /** Empty if they are damaged, or went with their day since they were listed. */
  private Optional<Part> read(Entry entry, LocalDate day) throws IOException {
    try {
      if (entry.bytes() < 1 || entry.bytes() > MOST_BYTES) {
        return damaged(
            entry, "expected 1 to %d bytes, found %d".formatted(MOST_BYTES, entry.bytes()));
      }
      Bucket.Tail tail = fetcher.tail(entry.key(), MOST_BYTES);
      tail.refuseEncrypted(entry.key());
      byte[] bytes = bytes(tail.bytes());
      String hash = ObjectContent.of(bytes).sha256Hex().substring(0, HASH_DIGITS);
      if (!entry.key().endsWith(hash)) {
        return damaged(entry, "expected the bytes of its name, found those of " + hash);
      }
      String text = new String(bytes, StandardCharsets.US_ASCII);
      return Optional.of(new Part(entry, day, text.lines().toList()));
    } catch (CorruptException e) {
      return damaged(entry, String.valueOf(e.getMessage()));
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

  private Optional<Part> damaged(Entry entry, String why) {
    damaged.increment();
    LOG.warn("{}/{}: damaged, names nothing: {}", bucket, entry.key(), why);
    return Optional.empty();
  }

  /** The days of those that were read and are still listed, by their keys. */
  Map<String, LocalDate> read() {
    return new LinkedHashMap<>(read);
  }
}
