package io.cordwood.common.bucket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.common.bucket.BucketException.Kind;
import io.cordwood.common.bucket.S3Server.Fault;
import io.cordwood.common.wire.CorruptException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Objects are encrypted under their names: others than were put there are never taken. */
final class EncryptedBucketTest {
  private static final int PLAIN = EncryptedFrames.PLAIN_BYTES;
  private static final int FRAME = EncryptedFrames.FRAME_BYTES;

  @TempDir private Path folder;

  private Bucket open(String... keys) throws IOException {
    Path file = EncryptionKeyFiles.write(folder.resolve("keys"), keys);
    return BucketUrl.parse(plainUrl() + "?key=" + file).open();
  }

  private String plainUrl() {
    return folder.resolve("place").toUri().toString();
  }

  private Path stored(String key) {
    return folder.resolve("place").resolve(key);
  }

  private static byte[] bytes(int count) {
    byte[] bytes = new byte[count];
    new Random(count).nextBytes(bytes);
    return bytes;
  }

  private static byte[] all(Bucket bucket, String key) throws IOException {
    ByteBuffer read = bucket.tail(key, 1 << 20).bytes();
    byte[] all = new byte[read.remaining()];
    read.get(all);
    return all;
  }

  private static void isOf(Kind kind, ThrowingCallable call, String message) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(BucketException.class, e -> assertThat(e.kind()).isEqualTo(kind))
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, PLAIN - 1, PLAIN, PLAIN + 1, 2 * PLAIN, 3 * PLAIN + 5})
  void rangesAndEndsAreThoseOfTheBytesThatWerePut(int count) throws IOException {
    byte[] bytes = bytes(count);
    try (Bucket bucket = open(EncryptionKeyFiles.ONE)) {
      bucket.put("a", ObjectContent.of(bytes));
      assertThat(bucket.size("a")).hasValue(count);
      assertThat(bucket.listAll("").getFirst().bytes()).isEqualTo(count);
      for (int length : new int[] {1, 2, PLAIN - 1, PLAIN, PLAIN + 1, count, count + 1}) {
        Bucket.Tail tail = bucket.tail("a", length);
        int from = Math.max(0, count - length);
        assertThat(tail.size()).isEqualTo(count);
        assertThat(tail.bytes()).isEqualTo(ByteBuffer.wrap(bytes, from, count - from));
        for (int at : new int[] {0, 1, PLAIN - 1, PLAIN, count - length}) {
          if (at >= 0 && at + length <= count) {
            var target = ByteBuffer.allocate(length);
            bucket.read("a", at, target);
            assertThat(target.flip()).isEqualTo(ByteBuffer.wrap(bytes, at, length));
          }
          if (at >= 0 && at < count) {
            Bucket.Tail part = bucket.part("a", at, length);
            assertThat(part.size()).isEqualTo(count);
            assertThat(part.bytes())
                .isEqualTo(ByteBuffer.wrap(bytes, at, Math.min(length, count - at)));
          }
        }
      }
      isOf(Kind.UNEXPECTED, () -> bucket.part("a", count, 1), "found the end");
    }
  }

  @Test
  void nothingOfItIsReadableAndToPutItAgainStoresTheSame() throws IOException {
    byte[] text = "a line of a log\n".repeat(5_000).getBytes(StandardCharsets.UTF_8);
    try (Bucket bucket = open(EncryptionKeyFiles.ONE)) {
      bucket.put("a", ObjectContent.of(text));
      byte[] first = Files.readAllBytes(stored("a"));
      assertThat(new String(first, StandardCharsets.ISO_8859_1)).doesNotContain("line");
      assertThat(first).hasSize(text.length + 5 * EncryptedFrames.OVERHEAD_BYTES);
      bucket.put("a", ObjectContent.of(text));
      assertThat(stored("a")).hasBinaryContent(first);
      bucket.put("b", ObjectContent.of(text));
      text[70_000] ^= 1;
      bucket.put("c", ObjectContent.of(text));
      bucket.put("a", ObjectContent.of(text));
      for (String other : new String[] {"a", "b", "c"}) {
        byte[] bytes = Files.readAllBytes(stored(other));
        assertThat(Arrays.mismatch(first, bytes)).as(other).isLessThan(8);
      }
    }
  }

  @Test
  void everyFlippedBitIsNoticed() throws IOException {
    try (Bucket bucket = open(EncryptionKeyFiles.OTHER, EncryptionKeyFiles.ONE)) {
      bucket.put("short", ObjectContent.of(bytes(20)));
      byte[] good = Files.readAllBytes(stored("short"));
      for (int bit = 0; bit < good.length * 8; bit++) {
        byte[] bad = good.clone();
        bad[bit / 8] ^= (byte) (1 << bit % 8);
        Files.write(stored("short"), bad);
        assertThatThrownBy(() -> all(bucket, "short")).isInstanceOf(CorruptException.class);
      }
    }
    byte[] bytes = bytes(PLAIN + 300);
    try (Bucket bucket = open(EncryptionKeyFiles.ONE)) {
      bucket.put("a", ObjectContent.of(bytes));
      byte[] good = Files.readAllBytes(stored("a"));
      for (int at = 0; at < good.length; at += at < PLAIN - 1 ? 997 : 1) {
        byte[] bad = good.clone();
        bad[at] ^= (byte) (1 << at % 8);
        Files.write(stored("a"), bad);
        assertThatThrownBy(() -> all(bucket, "a")).isInstanceOf(CorruptException.class);
      }
    }
  }

  @Test
  void framesCountOnlyWhereTheyWerePut() throws IOException {
    byte[] bytes = bytes(3 * PLAIN);
    try (Bucket bucket = open(EncryptionKeyFiles.ONE)) {
      bucket.put("a", ObjectContent.of(bytes));
      byte[] good = Files.readAllBytes(stored("a"));
      byte[] swapped = good.clone();
      System.arraycopy(good, 0, swapped, FRAME, FRAME);
      System.arraycopy(good, FRAME, swapped, 0, FRAME);
      byte[] cut = Arrays.copyOf(good, 2 * FRAME);
      byte[] beheaded = Arrays.copyOfRange(good, FRAME, 3 * FRAME);
      byte[] longer = Arrays.copyOf(good, 4 * FRAME);
      System.arraycopy(good, 2 * FRAME, longer, 3 * FRAME, FRAME);
      for (byte[] bad : new byte[][] {swapped, cut, beheaded, longer}) {
        Files.write(stored("a"), bad);
        assertThatThrownBy(() -> all(bucket, "a"))
            .isInstanceOf(CorruptException.class)
            .hasMessageContaining("expected bytes that were encrypted for this place");
      }
      assertThatThrownBy(() -> bucket.tail("a", 10)).isInstanceOf(CorruptException.class);
      Files.write(stored("b"), good);
      assertThatThrownBy(() -> all(bucket, "b")).isInstanceOf(CorruptException.class);
      bytes[5] ^= 1;
      bucket.put("a", ObjectContent.of(bytes));
      byte[] mixed = Files.readAllBytes(stored("a"));
      System.arraycopy(good, FRAME, mixed, FRAME, FRAME);
      Files.write(stored("a"), mixed);
      assertThatThrownBy(() -> all(bucket, "a")).isInstanceOf(CorruptException.class);
    }
  }

  @Test
  void theFirstKeyEncryptsAndAllDecrypt() throws IOException {
    byte[] bytes = bytes(100);
    try (Bucket bucket = open(EncryptionKeyFiles.ONE)) {
      bucket.put("old", ObjectContent.of(bytes));
    }
    try (Bucket bucket = open("# since today", EncryptionKeyFiles.OTHER, EncryptionKeyFiles.ONE)) {
      bucket.put("new", ObjectContent.of(bytes));
      assertThat(all(bucket, "old")).isEqualTo(bytes);
      assertThat(all(bucket, "new")).isEqualTo(bytes);
    }
    try (Bucket bucket = open(EncryptionKeyFiles.OTHER)) {
      assertThat(all(bucket, "new")).isEqualTo(bytes);
      isOf(Kind.KEY, () -> all(bucket, "old"), "found one that is encrypted by ");
      assertThatThrownBy(() -> all(bucket, "old"))
          .hasMessageNotContaining("0123")
          .hasMessageNotContaining("ffff");
    }
  }

  @Test
  void objectsWithAndWithoutEncryptionAreNotMixed() throws IOException {
    try (Bucket plain = BucketUrl.parse(plainUrl()).open();
        Bucket bucket = open(EncryptionKeyFiles.ONE)) {
      for (int count : new int[] {0, 1, 37, FRAME, 2 * FRAME + 7}) {
        plain.put("plain", ObjectContent.of(bytes(count)));
        isOf(Kind.KEY, () -> all(bucket, "plain"), "found one that is not encrypted");
      }
      bucket.put("encrypted", ObjectContent.of(bytes(37)));
      Bucket.Tail end = plain.tail("encrypted", 64);
      isOf(Kind.KEY, () -> end.refuseEncrypted("k"), "k: is encrypted; expected key=FILE");
      Bucket.Tail other = plain.tail("plain", 64);
      other.refuseEncrypted("k");
    }
  }

  @Test
  void filesThatHoldNoKeyOrAreOpenToOthersAreRefused() throws IOException {
    assertThatThrownBy(() -> open("abc"))
        .hasMessageContaining("keys line 1: expected a key of 64 hex digits");
    assertThatThrownBy(this::open).hasMessageContaining("expected 1 to 8 keys");
    String url = plainUrl() + "?key=" + folder.resolve("none");
    assertThatThrownBy(() -> BucketUrl.parse(url).open()).hasMessageContaining("no such file");
    Path open = EncryptionKeyFiles.write(folder.resolve("open"), EncryptionKeyFiles.ONE);
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rw-r--r--"));
    assertThatThrownBy(() -> BucketUrl.parse(plainUrl() + "?key=" + open).open())
        .hasMessageContaining("open: expected a key that others cannot read; 'chmod 600");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BucketUrl.parse(plainUrl() + "?key=a&region=b"))
        .withMessageContaining("expected no parameter of a folder but key=");
  }

  @Test
  void bytesThatChangeAfterTheyWereHashedAreNotPut() throws IOException {
    Path file = Files.write(folder.resolve("file"), bytes(2 * PLAIN));
    ObjectContent content = ObjectContent.of(file);
    byte[] other = bytes(2 * PLAIN);
    other[PLAIN + 1] ^= 1;
    try (Bucket bucket = open(EncryptionKeyFiles.ONE)) {
      for (byte[] bytes : new byte[][] {other, Arrays.copyOf(other, PLAIN)}) {
        Files.write(file, bytes);
        assertThatThrownBy(() -> bucket.put("a", content))
            .isInstanceOf(IOException.class)
            .hasMessageContaining("they change while put");
      }
      assertThat(bucket.listAll("")).isEmpty();
    }
  }

  @Test
  void aServiceThatFailsOrFlipsBitsIsNotBelieved() throws IOException {
    Path keys = EncryptionKeyFiles.write(folder.resolve("keys"), EncryptionKeyFiles.ONE);
    byte[] bytes = bytes(3 * PLAIN + 5);
    try (var server = new S3Server();
        Bucket bucket =
            BucketUrl.parse(server.url("p") + "&key=" + keys).open(S3Server.environment())) {
      server.fail(Fault.INTERNAL_AND_DONE, Fault.SLOW_DOWN);
      bucket.put("a", ObjectContent.of(bytes));
      server.fail(Fault.HALF, Fault.OTHER_RANGE);
      assertThat(all(bucket, "a")).isEqualTo(bytes);
      server.fail(Fault.FLIPPED);
      assertThatThrownBy(() -> all(bucket, "a")).isInstanceOf(CorruptException.class);
      server.fail(Fault.NO_RANGE, Fault.FLIPPED);
      assertThatThrownBy(() -> bucket.read("a", PLAIN, ByteBuffer.allocate(100)))
          .isInstanceOf(CorruptException.class);
      assertThat(bucket.part("a", 3 * PLAIN, 100).bytes().remaining()).isEqualTo(5);
    }
  }
}
