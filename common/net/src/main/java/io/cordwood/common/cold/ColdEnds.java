package io.cordwood.common.cold;

import io.cordwood.common.bucket.Bucket;
import io.cordwood.common.bucket.Bucket.Entry;
import io.cordwood.common.bucket.ObjectContent;
import io.cordwood.common.ulid.UlidRange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The objects that a rule deletes, named in the bucket before they are deleted and for ever after:
 * so every reader knows why a list lacks them. For all threads.
 *
 * <pre>
 *   ended/2026-11-26/HASH    a key a line; HASH is that of its bytes, as in the names of objects
 * </pre>
 */
public final class ColdEnds {
  static final String ROOT = "ended/";

  private static final Logger LOG = LoggerFactory.getLogger(ColdEnds.class);
  private static final int HASH_DIGITS = 32;
  private static final int MOST_NAMES = 4096;
  private static final int MOST_BYTES = 1 << 20;
  private static final Pattern KEY = Pattern.compile("ended/(\\d{4}-\\d{2}-\\d{2})/([0-9a-f]{32})");

  private final Bucket bucket;

  /** By key; it does not change. */
  private final Map<String, Set<String>> read = new ConcurrentHashMap<>();

  public ColdEnds(Bucket bucket) {
    this.bucket = bucket;
  }

  /**
   * Names objects of one day. To do it again changes nothing.
   *
   * @throws IOException if that is not certain
   */
  public static void put(Bucket bucket, LocalDate day, List<ColdName> names) throws IOException {
    List<String> keys = names.stream().map(ColdName::key).sorted().toList();
    for (int from = 0; from < keys.size(); from += MOST_NAMES) {
      List<String> some = keys.subList(from, Math.min(keys.size(), from + MOST_NAMES));
      String text = String.join("\n", some) + "\n";
      var content = ObjectContent.of(text.getBytes(StandardCharsets.US_ASCII));
      bucket.put(ROOT + day + "/" + content.sha256Hex().substring(0, HASH_DIGITS), content);
    }
  }

  /**
   * The keys that are named.
   *
   * @param days whole ones, to list at once
   * @param wanted the days of which they are read
   */
  Set<String> of(UlidRange days, Set<LocalDate> wanted) throws IOException {
    Set<String> keys = new HashSet<>();
    if (wanted.isEmpty()) {
      return keys;
    }
    for (Entry entry : ColdList.entries(bucket, ROOT, days)) {
      Matcher parts = KEY.matcher(entry.key());
      if (parts.matches() && wanted.stream().anyMatch(it -> parts.group(1).equals("" + it))) {
        keys.addAll(read(entry.key(), parts.group(2)));
      }
    }
    return keys;
  }

  private Set<String> read(String key, String hash) throws IOException {
    Set<String> known = read.get(key);
    if (known != null) {
      return known;
    }
    var bytes = bucket.tail(key, MOST_BYTES).bytes();
    byte[] copy = new byte[bytes.remaining()];
    bytes.get(copy);
    if (!ObjectContent.of(copy).sha256Hex().startsWith(hash)) {
      LOG.warn("{}/{}: its bytes are not those of its name; names nothing", bucket, key);
      return Set.of();
    }
    Set<String> keys = new HashSet<>();
    for (String line : new String(copy, StandardCharsets.US_ASCII).split("\n", -1)) {
      Optional<ColdName> name = ColdName.parse(line);
      if (name.isPresent() && key.startsWith(ROOT + name.get().day() + "/")) {
        keys.add(line);
      }
    }
    read.put(key, Set.copyOf(keys));
    return keys;
  }
}
