package io.cordwood.common.bucket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.common.bucket.Bucket.Entry;
import io.cordwood.common.bucket.BucketException.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A folder and S3 do the same, with encryption and without it. With {@code
 * CORDWOOD_TEST_BUCKET=s3://…} in the environment, that bucket is asked as well, with the
 * credentials that are there.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class BucketContractTest {
  private final Map<String, Bucket> buckets = new HashMap<>();
  private S3Server server;
  private Path folder;

  @BeforeAll
  void open(@TempDir Path temporary) throws IOException {
    folder = temporary.resolve("cold");
    server = new S3Server();
    server.pageKeys(7);
    buckets.put("folder", BucketUrl.parse(folder.toUri().toString()).open());
    buckets.put("S3", BucketUrl.parse(server.url("a%20b/c")).open(S3Server.environment()));
    Path keys = EncryptionKeyFiles.write(temporary.resolve("keys"), EncryptionKeyFiles.ONE);
    String encrypted = temporary.resolve("encrypted").toUri() + "?key=" + keys;
    buckets.put("encrypted folder", BucketUrl.parse(encrypted).open());
    buckets.put(
        "encrypted S3",
        BucketUrl.parse(server.url("e") + "&key=" + keys).open(S3Server.environment()));
    String real = System.getenv("CORDWOOD_TEST_BUCKET");
    if (real != null) {
      String unique = "/" + UUID.randomUUID();
      int query = real.indexOf('?');
      String url =
          query < 0 ? real + unique : real.substring(0, query) + unique + real.substring(query);
      buckets.put("real", BucketUrl.parse(url).open());
    }
  }

  @AfterAll
  void close() {
    buckets.values().forEach(Bucket::close);
    server.close();
  }

  List<String> buckets() {
    return List.copyOf(buckets.keySet());
  }

  private Bucket bucket(String place) {
    return Objects.requireNonNull(buckets.get(place));
  }

  private static byte[] bytes(int count, long seed) {
    byte[] bytes = new byte[count];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  @ParameterizedTest
  @MethodSource("buckets")
  void whatWasPutIsReadInRanges(String place, @TempDir Path temporary) throws IOException {
    Bucket bucket = bucket(place);
    byte[] bytes = bytes(300_000, 1);
    Path file = Files.write(temporary.resolve("file"), bytes);
    bucket.put("v1/ranges/object.cws", ObjectContent.of(file));
    assertThat(bucket.size("v1/ranges/object.cws")).hasValue(300_000);
    Random random = new Random(2);
    for (int i = 0; i < 20; i++) {
      int from = random.nextInt(bytes.length);
      int to = from + 1 + random.nextInt(bytes.length - from);
      var target = ByteBuffer.allocate(to - from);
      bucket.read("v1/ranges/object.cws", from, target);
      assertThat(target.array()).isEqualTo(Arrays.copyOfRange(bytes, from, to));
    }
    Bucket.Tail tail = bucket.tail("v1/ranges/object.cws", 1000);
    assertThat(tail.size()).isEqualTo(300_000);
    assertThat(tail.bytes()).isEqualTo(ByteBuffer.wrap(bytes, 299_000, 1000));
    assertThat(bucket.tail("v1/ranges/object.cws", 400_000).bytes())
        .isEqualTo(ByteBuffer.wrap(bytes));
  }

  @ParameterizedTest
  @MethodSource("buckets")
  void aRangeBeyondTheEndIsAnError(String place) throws IOException {
    Bucket bucket = bucket(place);
    bucket.put("end", ObjectContent.of(new byte[10]));
    for (int from : new int[] {5, 10, 100}) {
      assertThatThrownBy(() -> bucket.read("end", from, ByteBuffer.allocate(10)))
          .isInstanceOfSatisfying(
              BucketException.class, e -> assertThat(e.kind()).isEqualTo(Kind.UNEXPECTED));
    }
  }

  @ParameterizedTest
  @MethodSource("buckets")
  void anObjectMayHaveNoBytes(String place) throws IOException {
    Bucket bucket = bucket(place);
    bucket.put("nothing", ObjectContent.of(new byte[0]));
    assertThat(bucket.size("nothing")).hasValue(0);
    assertThat(bucket.tail("nothing", 10).size()).isZero();
  }

  @ParameterizedTest
  @MethodSource("buckets")
  void whatIsNotThereIsMissing(String place) throws IOException {
    Bucket bucket = bucket(place);
    assertThat(bucket.size("v1/nowhere")).isEmpty();
    assertThatThrownBy(() -> bucket.tail("v1/nowhere", 10))
        .isInstanceOfSatisfying(
            BucketException.class, e -> assertThat(e.kind()).isEqualTo(Kind.MISSING));
    bucket.delete("v1/nowhere");
    assertThat(bucket.listAll("nowhere/")).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("buckets")
  void listsAreInOrderAndComplete(String place) throws IOException {
    Bucket bucket = bucket(place);
    List<String> keys = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      keys.add("list/2026-11-%02d/all/k%d.x".formatted(1 + i % 3, i));
    }
    keys.addAll(List.of("list/2026-11-010", "list/2026-11-0x.y"));
    Instant before = Instant.now().minus(Duration.ofMinutes(1));
    for (String key : keys) {
      bucket.put(key, ObjectContent.of(bytes(key.length(), 3)));
    }
    List<Entry> all = bucket.listAll("list/");
    assertThat(all)
        .extracting(Entry::key)
        .containsExactlyElementsOf(keys.stream().sorted().toList());
    assertThat(all)
        .allMatch(it -> it.bytes() == it.key().length() && it.modified().isAfter(before));
    assertThat(bucket.listAll("list/2026-11-02/"))
        .extracting(Entry::key)
        .containsExactlyElementsOf(
            keys.stream().filter(it -> it.startsWith("list/2026-11-02/")).sorted().toList());
    assertThat(bucket.list("list/2026-11-03/", "list/2026-11-03/all/k5").entries().getFirst().key())
        .isEqualTo("list/2026-11-03/all/k5.x");
  }

  @ParameterizedTest
  @MethodSource("buckets")
  void whatIsDeletedIsGone(String place) throws IOException {
    Bucket bucket = bucket(place);
    bucket.put("deleted/a", ObjectContent.of(new byte[1]));
    bucket.delete("deleted/a");
    bucket.delete("deleted/a");
    assertThat(bucket.size("deleted/a")).isEmpty();
    assertThat(bucket.listAll("deleted/")).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("buckets")
  void manyPutsOfOneKeyAtOnceLeaveOneWholeObject(String place) throws Exception {
    Bucket bucket = bucket(place);
    byte[] bytes = bytes(200_000, 4);
    List<Future<?>> puts = new ArrayList<>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 8; i++) {
        puts.add(
            threads.submit(() -> {
              bucket.put("race/a", ObjectContent.of(bytes));
              return null;
            }));
      }
    }
    for (Future<?> put : puts) {
      put.get();
    }
    assertThat(bucket.tail("race/a", bytes.length).bytes()).isEqualTo(ByteBuffer.wrap(bytes));
    assertThat(bucket.listAll("race/")).hasSize(1);
  }

  @ParameterizedTest
  @MethodSource("buckets")
  void keysThatAFolderCannotHaveAreRefused(String place) {
    Bucket bucket = bucket(place);
    for (String key : List.of("", "/a", "a/", "a//b", "../a", "a/.part-b", "a b", "ä")) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> bucket.put(key, ObjectContent.of(new byte[1])));
    }
  }
}
