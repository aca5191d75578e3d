package io.cordwood.common.bucket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.common.bucket.BucketException.Kind;
import io.cordwood.common.bucket.BucketRequests.Verb;
import io.cordwood.common.bucket.S3Server.Fault;
import io.cordwood.common.http.client.ForeignClient;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A service that fails in the ways that services were seen to fail. */
final class S3FaultsTest {
  private static final byte[] BYTES = "0123456789".repeat(100).getBytes(StandardCharsets.UTF_8);
  private static final AccessKey KEY = new AccessKey(S3Server.ID, S3Server.SECRET);

  private S3Server server;
  private Bucket bucket;

  /** Counts how often it was asked to renew. */
  private static final class Keys implements AccessKeys {
    private final AccessKey key;
    private int renewed;

    Keys(AccessKey key) {
      this.key = key;
    }

    @Override
    public AccessKey current() {
      return key;
    }

    @Override
    public void renew() {
      renewed++;
    }
  }

  private final Keys keys = new Keys(KEY);

  @BeforeEach
  void open() throws IOException {
    server = new S3Server();
    bucket = bucket(keys);
    bucket.put("a", ObjectContent.of(BYTES));
  }

  private Bucket bucket(AccessKeys by) {
    URI url = URI.create(server.url("p"));
    String endpoint = url.getQuery().substring("endpoint=".length());
    var place = S3Place.of(URI.create("s3://logs/p"), endpoint, "us-east-1", "path", Map.of());
    var client = new ForeignClient(Optional.empty());
    return new S3Bucket(place, new S3Calls(place, by, client, Duration.ofMillis(1)));
  }

  @AfterEach
  void close() {
    bucket.close();
    server.close();
  }

  private static void isOf(Kind kind, Throwable thrown) {
    assertThat(thrown)
        .isInstanceOfSatisfying(BucketException.class, e -> assertThat(e.kind()).isEqualTo(kind));
  }

  @ParameterizedTest
  @EnumSource(names = {"SLOW_DOWN", "INTERNAL", "HALF", "OTHER_RANGE", "NO_RANGE"})
  void whatPassesIsNotNoticed(Fault fault) throws IOException {
    server.fail(fault, fault);
    var target = ByteBuffer.allocate(100);
    bucket.read("a", 50, target);
    assertThat(target.flip()).isEqualTo(ByteBuffer.wrap(BYTES, 50, 100));
    server.fail(fault);
    assertThat(bucket.tail("a", 100).bytes()).isEqualTo(ByteBuffer.wrap(BYTES, 900, 100));
    assertThat(bucket.requests().failures()).isEqualTo(3);
    assertThat(bucket.requests().count(Verb.GET)).isEqualTo(5);
  }

  @Test
  void whatDoesNotPassIsToldAfterFiveAttempts() {
    server.fail(Fault.SLOW_DOWN, Fault.INTERNAL, Fault.SLOW_DOWN, Fault.SLOW_DOWN, Fault.SLOW_DOWN);
    assertThatThrownBy(() -> bucket.tail("a", 10))
        .satisfies(e -> isOf(Kind.UNREACHABLE, e))
        .hasMessage("s3://logs/p: the service answers 503 SlowDown: told to");
    assertThat(bucket.requests().count(Verb.GET)).isEqualTo(5);
  }

  @Test
  void otherRangesThanAskedForAreNeverTaken() {
    server.fail(
        Fault.OTHER_RANGE, Fault.NO_RANGE, Fault.OTHER_RANGE, Fault.NO_RANGE, Fault.OTHER_RANGE);
    assertThatThrownBy(() -> bucket.read("a", 50, ByteBuffer.allocate(10)))
        .satisfies(e -> isOf(Kind.UNEXPECTED, e))
        .hasMessageContaining("expected bytes 50 to 59, found bytes 49-59/1000");
  }

  @Test
  void aPutThatFailedAndWasDoneIsRepeated() throws IOException {
    server.fail(Fault.INTERNAL_AND_DONE, Fault.HALF);
    bucket.put("b", ObjectContent.of(BYTES));
    assertThat(bucket.tail("b", 2000).bytes()).isEqualTo(ByteBuffer.wrap(BYTES));
  }

  @Test
  void aPutThatWasOnlySaidIsSeenByReadingItBack() throws IOException {
    server.fail(Fault.ONLY_SAID);
    bucket.put("b", ObjectContent.of(BYTES));
    assertThatThrownBy(() -> bucket.tail("b", 10)).satisfies(e -> isOf(Kind.MISSING, e));
  }

  @Test
  void aListThatRepeatsItselfIsRefused() throws IOException {
    server.pageKeys(2);
    for (int i = 0; i < 5; i++) {
      bucket.put("l/" + i, ObjectContent.of(BYTES));
    }
    Bucket.Page first = bucket.list("l/", "");
    server.fail(
        Fault.FIRST_PAGE, Fault.FIRST_PAGE, Fault.FIRST_PAGE, Fault.FIRST_PAGE, Fault.FIRST_PAGE);
    assertThatThrownBy(() -> bucket.list("l/", first.next().orElseThrow()))
        .satisfies(e -> isOf(Kind.UNEXPECTED, e))
        .hasMessageContaining("after \"p/l/1\"");
    assertThat(bucket.listAll("l/")).hasSize(5);
  }

  @Test
  void keysOfStrangersAreLeftOutOfLists() throws IOException {
    server.pageKeys(1);
    server.put("p/l/has & and space", BYTES);
    server.put("p/l/ok", BYTES);
    server.put("p/l/z/", BYTES);
    server.put("q/l/other", BYTES);
    assertThat(bucket.listAll("l/")).extracting(Bucket.Entry::key).containsExactly("l/ok");
  }

  @Test
  void aClockThatIsOffIsCorrected() throws IOException {
    server.clockOff(Duration.ofHours(3));
    assertThat(bucket.tail("a", 10).size()).isEqualTo(1000);
    long before = bucket.requests().count(Verb.GET);
    assertThat(bucket.tail("a", 10).size()).isEqualTo(1000);
    assertThat(bucket.requests().count(Verb.GET)).isEqualTo(before + 1);
  }

  @Test
  void expiredCredentialsAreRenewedOnceAndThenTold() throws IOException {
    server.fail(Fault.EXPIRED);
    bucket.put("b", ObjectContent.of(BYTES));
    assertThat(keys.renewed).isEqualTo(1);
    server.fail(Fault.EXPIRED, Fault.EXPIRED);
    assertThatThrownBy(() -> bucket.put("b", ObjectContent.of(BYTES)))
        .satisfies(e -> isOf(Kind.EXPIRED, e))
        .hasMessageContaining("the credentials have expired");
  }

  @Test
  void aWrongSecretIsTold() {
    try (Bucket wrong = bucket(new Keys(new AccessKey(S3Server.ID, "wrong")))) {
      assertThatThrownBy(() -> wrong.tail("a", 10))
          .satisfies(e -> isOf(Kind.DENIED, e))
          .hasMessageContaining("403 SignatureDoesNotMatch");
    }
  }

  @Test
  void anArchivedObjectIsTold() {
    server.fail(Fault.ARCHIVED);
    assertThatThrownBy(() -> bucket.tail("a", 10)).satisfies(e -> isOf(Kind.ARCHIVED, e));
  }

  @Test
  void aServiceThatIsNotThereIsTold() {
    server.close();
    assertThatThrownBy(() -> bucket.listAll("")).satisfies(e -> isOf(Kind.UNREACHABLE, e));
  }
}
