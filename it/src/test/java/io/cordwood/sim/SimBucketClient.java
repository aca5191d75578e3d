package io.cordwood.sim;

import io.cordwood.common.bucket.Bucket;
import io.cordwood.common.bucket.BucketException;
import io.cordwood.common.bucket.BucketRequests;
import io.cordwood.common.bucket.ObjectContent;
import io.cordwood.common.bucket.SimContents;
import io.cordwood.sim.Faults.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A node's way to a bucket. Faults are drawn by what is asked for and how many times it was, so
 * that threads which ask at once change nothing. Puts and deletes come from one thread.
 */
final class SimBucketClient implements Bucket {
  private static final int PAGE = 200;
  private static final String MANIFESTS = "named/";
  private static final long HOUR = Duration.ofHours(1).toNanos();
  private static final double NANOS_A_MINUTE = 60e9;

  private final ColdLife life;
  private final SimColdNode node;
  private final @Nullable Path names;
  private final BucketRequests requests = SimContents.requests();
  private final Map<String, AtomicLong> asked = new ConcurrentHashMap<>();
  private final Set<String> known = ConcurrentHashMap.newKeySet();

  /** Keys that manifests name which it has listed. */
  private final Set<String> named = ConcurrentHashMap.newKeySet();

  /**
   * @param names the file of what it is known to know; null if it knows nothing
   */
  SimBucketClient(ColdLife life, SimColdNode node, @Nullable Path names) {
    this.life = life;
    this.node = node;
    this.names = names;
  }

  private SplittableRandom random(String what) {
    long number = asked.computeIfAbsent(what, _ -> new AtomicLong()).incrementAndGet();
    long hash = life.seed() * 31 + (node.id + what).hashCode();
    return new SplittableRandom(hash * 0x9E3779B97F4A7C15L + number);
  }

  private boolean happens(Kind kind, String what) {
    return life.faults().happensAt(kind, random(kind + what).nextDouble());
  }

  private void begin(String what) throws IOException {
    if (life.isAway(node) || happens(Kind.BUCKET_FAILS, what)) {
      throw unreachable(what);
    }
  }

  private static BucketException unreachable(String what) {
    return new BucketException(BucketException.Kind.UNREACHABLE, what + ": failed");
  }

  /** Changes something now, or later, or says that it failed though it did not. */
  private void change(String what, Runnable act) throws IOException {
    begin(what);
    if (happens(Kind.BUCKET_LATE, what)) {
      life.sim.after(random(what).nextLong(HOUR), ColdLife.WORLD, act);
      throw unreachable(what);
    }
    act.run();
    if (happens(Kind.BUCKET_ACTS, what)) {
      throw unreachable(what);
    }
  }

  @Override
  public void put(String key, ObjectContent content) throws IOException {
    byte[] bytes = SimContents.of(content);
    SimBucket place = node.place();
    change("put " + key, () -> place.put(key, bytes, life.sim.nanos()));
  }

  @Override
  public void delete(String key) throws IOException {
    SimBucket place = node.place();
    change("delete " + key, () -> place.delete(key));
  }

  private byte[] bytes(String what, String key) throws IOException {
    begin(what);
    byte[] stored =
        node.place()
            .get(key)
            .orElseThrow(
                () -> new BucketException(BucketException.Kind.MISSING, key + ": is not there"))
            .bytes();
    if (key.endsWith(".cws") && happens(Kind.BUCKET_FLIPS, what)) {
      byte[] flipped = stored.clone();
      flipped[random(what).nextInt(flipped.length)] ^= 4;
      return flipped;
    }
    return stored;
  }

  @Override
  public void read(String key, long position, ByteBuffer target) throws IOException {
    byte[] bytes = bytes("read " + key + position, key);
    target.put(bytes, (int) position, target.remaining());
  }

  @Override
  public Tail tail(String key, int count) throws IOException {
    byte[] bytes = bytes("tail " + key, key);
    int from = Math.max(0, bytes.length - count);
    return new Tail(ByteBuffer.wrap(bytes, from, bytes.length - from).slice(), bytes.length);
  }

  @Override
  public OptionalLong size(String key) throws IOException {
    begin("head " + key);
    return node.place().get(key).stream().mapToLong(it -> it.bytes().length).findFirst();
  }

  @Override
  public Page list(String prefix, String after) throws IOException {
    begin("list " + prefix);
    learn();
    boolean loses = happens(Kind.BUCKET_LOSES, "list " + prefix);
    SplittableRandom lost = random("lost");
    String from = after.compareTo(prefix) > 0 ? after : prefix;
    List<Entry> entries = new ArrayList<>();
    for (var each : node.place().after(from).entrySet()) {
      String key = each.getKey();
      if (!key.startsWith(prefix) || entries.size() == PAGE) {
        break;
      }
      SimBucket.Stored it = each.getValue();
      boolean isLost = loses && isNoticed(key, it) && lost.nextInt(3) == 0;
      if (!isLost && isListed(key, it)) {
        named.addAll(namedIn(key, it));
        entries.add(new Entry(key, it.bytes().length, life.sim.at(it.nanos())));
      }
    }
    return new Page(
        entries, entries.size() == PAGE ? Optional.of(entries.getLast().key()) : Optional.empty());
  }

  /** Whether it is noticed that a list lacks this; else nothing is promised. */
  private boolean isNoticed(String key, SimBucket.Stored stored) {
    return key.startsWith(MANIFESTS)
        ? known.containsAll(namedIn(key, stored))
        : known.contains(key) || named.contains(key);
  }

  private static List<String> namedIn(String key, SimBucket.Stored stored) {
    return key.startsWith(MANIFESTS)
        ? new String(stored.bytes(), StandardCharsets.ISO_8859_1)
            .lines()
            .map(line -> line.substring(0, line.indexOf(' ')))
            .toList()
        : List.of();
  }

  /** Lists of services lag for minutes, for each client by another time. */
  private boolean isListed(String key, SimBucket.Stored stored) {
    long lag = (long) (life.faults().rate(Kind.BUCKET_LAG) * NANOS_A_MINUTE);
    long hash = (life.seed() * 31 + (node.id + key).hashCode()) * 0x9E3779B97F4A7C15L;
    long own = (long) (lag * new SplittableRandom(hash).nextDouble());
    return life.sim.nanos() - stored.since() >= own;
  }

  /** Names that the node wrote down are known from now on. */
  void learn() throws IOException {
    if (names == null) {
      return;
    }
    try {
      Files.readString(names, StandardCharsets.ISO_8859_1)
          .lines()
          .forEach(line -> known.add(line.substring(0, Math.max(0, line.indexOf(' ')))));
    } catch (NoSuchFileException e) {
      known.remove(""); // None yet.
    }
  }

  @Override
  public String url() {
    return "s3://bucket";
  }

  @Override
  public BucketRequests requests() {
    return requests;
  }

  @Override
  public void close() {}

  @Override
  public String toString() {
    return url();
  }
}
