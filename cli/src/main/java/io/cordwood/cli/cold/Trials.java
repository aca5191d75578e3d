package io.cordwood.cli.cold;

import io.cordwood.common.bucket.Bucket;
import io.cordwood.common.bucket.Bucket.Entry;
import io.cordwood.common.bucket.BucketException;
import io.cordwood.common.bucket.BucketException.Kind;
import io.cordwood.common.bucket.BucketUrl;
import io.cordwood.common.bucket.ObjectContent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Tries all that a bucket has to do, with objects under a key of their own. */
final class Trials {
  private static final int BYTES = 1 << 20;
  private static final int KEYS = 40;
  private static final int AT_ONCE = 64;

  private final BucketUrl url;
  private final Bucket bucket;
  private final String root = "check-" + UUID.randomUUID() + "/";
  private final String object = root + "object";
  private final byte[] bytes = new byte[BYTES];
  private final List<Outcome> outcomes = new ArrayList<>();

  /**
   * How it went.
   *
   * @param text for people
   */
  record Outcome(String name, boolean isGood, String text, long millis) {}

  /** Finds out what is not as it should be; empty if all is well. */
  private interface Trial {
    String run() throws Exception;
  }

  Trials(BucketUrl url, Bucket bucket) {
    this.url = url;
    this.bucket = bucket;
    new Random(1).nextBytes(bytes);
  }

  /**
   * Tries all.
   *
   * @throws IOException if nothing can be put there
   */
  List<Outcome> run() throws IOException {
    try {
      long start = System.nanoTime();
      bucket.put(object, ObjectContent.of(bytes));
      add("put 1 MiB", "", start);
      trial("read it back at once", () -> wrong(0, BYTES));
      trial("range", () -> wrong(12_345, 6_789));
      trial("last bytes", this::tail);
      trial("range beyond the end", () -> refusal(Kind.UNEXPECTED, () -> read(BYTES - 5, 10)));
      trial("length", () -> expect(BYTES, bucket.size(object).orElse(-1)));
      trial("put again", this::again);
      trial(
          "object that is not there",
          () -> refusal(Kind.MISSING, () -> bucket.tail(root + "none", 10)));
      trial("list of %d after their puts".formatted(KEYS), this::listed);
      trial("list by prefix and position", this::position);
      trial("%d ranges at once".formatted(AT_ONCE), this::atOnce);
      trial("delete, twice", this::deleted);
      if (!url.isFolder()) {
        trial("wrong secret is refused", this::stranger);
      }
    } finally {
      cleanUp();
    }
    return outcomes;
  }

  private void trial(String name, Trial trial) {
    long start = System.nanoTime();
    String wrong;
    try {
      wrong = trial.run();
    } catch (Exception e) {
      wrong = String.valueOf(e.getMessage());
    }
    add(name, wrong, start);
  }

  private void add(String name, String wrong, long start) {
    long millis = (System.nanoTime() - start) / 1_000_000;
    outcomes.add(
        new Outcome(name, wrong.isEmpty(), wrong.isEmpty() ? "ok" : "NOT: " + wrong, millis));
  }

  private byte[] read(int from, int count) throws IOException {
    var target = ByteBuffer.allocate(count);
    bucket.read(object, from, target);
    return target.array();
  }

  private String wrong(int from, int count) throws IOException {
    boolean same = Arrays.equals(read(from, count), Arrays.copyOfRange(bytes, from, from + count));
    return same ? "" : "expected the bytes that were put, found others";
  }

  private String tail() throws IOException {
    Bucket.Tail tail = bucket.tail(object, 4096);
    boolean same = tail.bytes().equals(ByteBuffer.wrap(bytes, BYTES - 4096, 4096));
    return same ? expect(BYTES, tail.size()) : "expected the last 4096 bytes, found others";
  }

  private String again() throws IOException {
    bucket.put(object, ObjectContent.of(bytes));
    return wrong(0, BYTES);
  }

  private static String expect(Object expected, Object found) {
    return String.valueOf(expected).equals(String.valueOf(found))
        ? ""
        : "expected " + expected + ", found " + found;
  }

  private static String refusal(Kind expected, Callable<?> call) throws Exception {
    try {
      call.call();
    } catch (BucketException e) {
      return expect(expected, e.kind());
    }
    return "expected an error, found an answer";
  }

  private String key(int number) {
    return "%s2026-11-%02d/all/%03d.x".formatted(root, 1 + number % 2, number);
  }

  private String listed() throws IOException {
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < KEYS; i++) {
      bucket.put(key(i), ObjectContent.of(new byte[] {1}));
      expected.add(key(i));
    }
    expected.sort(null);
    return expect(expected, keys(bucket.listAll(root + "2026")));
  }

  private static List<String> keys(List<Entry> entries) {
    return entries.stream().map(Entry::key).toList();
  }

  private String position() throws IOException {
    List<Entry> rest = bucket.list(root + "2026-11-02/", key(KEYS - 3)).entries();
    return expect(List.of(key(KEYS - 1)), keys(rest));
  }

  private String atOnce() throws InterruptedException, ExecutionException {
    List<Future<String>> reads = new ArrayList<>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < AT_ONCE; i++) {
        int from = i * 10_000;
        reads.add(threads.submit(() -> wrong(from, 80_000)));
      }
    }
    for (Future<String> each : reads) {
      if (!each.get().isEmpty()) {
        return each.get();
      }
    }
    return "";
  }

  private String deleted() throws IOException {
    bucket.delete(key(0));
    bucket.delete(key(0));
    String there = expect("OptionalLong.empty", bucket.size(key(0)));
    return there.isEmpty() ? expect(KEYS - 1, bucket.listAll(root + "2026").size()) : there;
  }

  private String stranger() throws Exception {
    try (Bucket wrong = url.openWithWrongSecret()) {
      return refusal(Kind.DENIED, () -> wrong.tail(object, 10));
    }
  }

  private void cleanUp() throws IOException {
    for (Entry each : bucket.listAll(root)) {
      bucket.delete(each.key());
    }
  }
}
