package io.cordwood.common.cold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.common.bucket.Bucket;
import io.cordwood.common.bucket.BucketException;
import io.cordwood.common.bucket.BucketRequests.Verb;
import io.cordwood.common.bucket.BucketUrl;
import io.cordwood.common.bucket.EncryptionKeyFiles;
import io.cordwood.common.bucket.ObjectContent;
import io.cordwood.common.segment.AnyOf;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.StoreSegment;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.common.wire.CorruptException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Segments go into a bucket and come back; what is not one is told. */
final class ColdObjectsTest {
  private static final Instant NOON = Instant.parse("2026-11-26T12:00:00Z");

  @TempDir private Path folder;
  private Bucket bucket;

  @BeforeEach
  void open() throws IOException {
    bucket = BucketUrl.parse(folder.resolve("cold").toUri().toString()).open();
  }

  @AfterEach
  void close() {
    bucket.close();
  }

  private List<Batch> batches() {
    return ColdSegments.batches(new Topic("shop"), NOON, 20);
  }

  private Path settled() throws IOException {
    return Files.write(folder.resolve("settled"), ColdSegments.settled(batches()));
  }

  private ColdObject uploaded() throws IOException {
    return ColdUpload.put(bucket, settled(), ColdName.USUAL_CLASS);
  }

  @Test
  void aSegmentIsReadOutOfTheBucketAsItIs() throws Exception {
    ColdObject put = uploaded();
    ColdList listed = ColdList.of(bucket, UlidRange.ALL);
    assertThat(listed.objects()).hasSize(1);
    ColdObject found = listed.objects().getFirst();
    assertThat(found.name()).isEqualTo(put.name());
    assertThat(found.bytes()).isEqualTo(Files.size(folder.resolve("settled")));
    StoreSegment segment = ColdSegment.open(bucket, found);
    try {
      assertThat(ColdSegments.all(segment)).isEqualTo(batches());
      assertThat(segment.slices()).isPresent();
    } finally {
      segment.release();
    }
  }

  @Test
  void theMarkIsLookedForOnceByWhoUploadsMore() throws IOException {
    var uploads = new ColdUpload(bucket);
    uploads.put(settled(), ColdName.USUAL_CLASS);
    long before = bucket.requests().count(Verb.GET);
    uploads.put(settled(), "other");
    assertThat(bucket.requests().count(Verb.GET) - before).isEqualTo(1); // the tail
    assertThat(bucket.listAll("")).hasSize(3);
  }

  @Test
  void toOpenItTakesOneRequestAndAnAbsentStringNoMore() throws IOException {
    ColdObject put = uploaded();
    long before = bucket.requests().count(Verb.GET);
    StoreSegment segment = ColdSegment.open(bucket, put);
    try {
      byte[] absent = "no such words at all".getBytes(StandardCharsets.UTF_8);
      var required = List.of(new AnyOf(List.of(absent)));
      assertThat(segment.candidates(required).isEmpty()).isTrue();
      assertThat(bucket.requests().count(Verb.GET)).isEqualTo(before + 1);
    } finally {
      segment.release();
    }
  }

  @Test
  void lengthsAreThoseOfWhatWasPutAlsoWithoutTheKey() throws IOException {
    String place = folder.resolve("encrypted").toUri().toString();
    Path key = EncryptionKeyFiles.write(folder.resolve("key"), EncryptionKeyFiles.ONE);
    long plain = Files.size(settled());
    try (Bucket encrypted = BucketUrl.parse(place + "?key=" + key).open();
        Bucket without = BucketUrl.parse(place).open()) {
      ColdUpload.put(encrypted, settled(), ColdName.USUAL_CLASS);
      assertThat(ColdList.of(encrypted, UlidRange.ALL).decrypted(encrypted).bytes())
          .isEqualTo(plain);
      ColdList stored = ColdList.of(without, UlidRange.ALL);
      assertThat(stored.bytes()).isGreaterThan(plain);
      assertThat(stored.decrypted(without).bytes()).isEqualTo(plain);
    }
    uploaded();
    assertThat(ColdList.of(bucket, UlidRange.ALL).decrypted(bucket).bytes()).isEqualTo(plain);
  }

  @Test
  void toPutItAgainChangesNothing() throws IOException {
    assertThat(uploaded().name()).isEqualTo(uploaded().name());
    assertThat(bucket.listAll(ColdName.ROOT)).hasSize(1);
  }

  @Test
  void aNameIsReadAsItIsWritten() throws IOException {
    ColdName name = uploaded().name();
    assertThat(ColdName.parse(name.key())).contains(name);
    assertThat(name.key()).startsWith("v1/2026-11-26/all/").endsWith(".cws");
    for (String other :
        List.of(
            "v1/2026-11-27" + name.key().substring(13),
            name.key() + "x",
            name.key().replace("all", "ALL"),
            name.key().replace("2026-11-26", "2026-13-26"),
            name.key().replace("-T", "-T0"),
            "v1/x")) {
      assertThat(ColdName.parse(other)).as(other).isEmpty();
    }
  }

  @Test
  void onlyTheDaysOfARangeAreListed() throws IOException {
    uploaded();
    UlidRange range = uploaded().name().range();
    assertThat(ColdList.of(bucket, range).objects()).hasSize(1);
    var before = new UlidRange(range.from().previous(), range.from().previous());
    assertThat(ColdList.of(bucket, before).objects()).isEmpty();
  }

  @Test
  void strangersAreCountedAndLeftAlone() throws IOException {
    String key = uploaded().name().key();
    bucket.put("v1/readme", ObjectContent.of(new byte[3]));
    bucket.put(key.replace(".cws", ".tmp"), ObjectContent.of(new byte[0]));
    ColdList listed = ColdList.of(bucket, UlidRange.ALL);
    assertThat(listed.objects()).hasSize(1);
    assertThat(listed.strangers()).isEqualTo(2);
  }

  @Test
  void recordsOfTwoDaysAreNotOneObject() throws IOException {
    List<Batch> batches =
        List.of(
            ColdSegments.batches(new Topic("shop"), NOON, 1).getFirst(),
            ColdSegments.batches(new Topic("shop"), NOON.plusSeconds(86_400), 1).getFirst());
    Path file = Files.write(folder.resolve("days"), ColdSegments.settled(batches));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ColdUpload.put(bucket, file, "all"))
        .withMessageContaining("expected records of one day");
  }

  @Test
  void damageIsTold() throws IOException {
    ColdObject object = uploaded();
    Path file = folder.resolve("cold").resolve(object.name().key());
    byte[] bytes = Files.readAllBytes(file);
    byte[] flipped = bytes.clone();
    flipped[bytes.length - 50] ^= 1;
    Files.write(file, flipped);
    assertThatThrownBy(() -> ColdSegment.open(bucket, object)).isInstanceOf(CorruptException.class);
    assertThatThrownBy(() -> ColdDownload.get(bucket, object, folder.resolve("copy")))
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining("expected bytes of SHA-256 " + object.name().hash());
    Files.write(file, Arrays.copyOf(bytes, bytes.length - 1));
    assertThatThrownBy(() -> ColdSegment.open(bucket, object))
        .isInstanceOf(BucketException.class)
        .hasMessageContaining("bytes that were listed, found");
  }

  @Test
  void aTailOfAnotherLengthIsNone() throws IOException {
    ColdObject object = uploaded();
    ColdName name = object.name();
    for (int bytes : new int[] {1, 50, name.tailBytes() - 1, name.tailBytes() + 1}) {
      var other =
          new ColdObject(
              new ColdName("all", name.range(), bytes, name.hash()), object.bytes(), NOON);
      bucket.put(other.name().key(), ObjectContent.of(settled()));
      assertThatThrownBy(() -> ColdSegment.open(bucket, other))
          .as(bytes + " bytes")
          .isInstanceOf(CorruptException.class);
    }
  }
}
