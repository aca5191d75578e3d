package io.cordwood.common.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Reading on where a file has grown, or could not be read for a while. */
final class BatchScannerTest {
  private static final byte[] TOPIC = "shop".getBytes(StandardCharsets.US_ASCII);

  private final ByteArrayOutputStream file = new ByteArrayOutputStream();
  private boolean fails;

  private void append(String records, long number) {
    ByteBuffer payload = ByteBuffer.wrap(records.getBytes(StandardCharsets.US_ASCII));
    ByteBuffer head = ByteBuffer.allocate(BatchHeader.BYTES + TOPIC.length);
    int count = Delimiter.LF.countIn(payload);
    BatchHeader.write(head, TOPIC, Delimiter.LF, number, 7, count, payload);
    file.writeBytes(head.array());
    file.writeBytes(payload.array());
  }

  private void read(ByteBuffer target, long position) throws IOException {
    if (fails) {
      target.put((byte) 1);
      throw new IOException("on purpose");
    }
    target.put(file.toByteArray(), (int) position, target.remaining());
  }

  private BatchScanner scanner() {
    return new BatchScanner(this::read, 0, file.size());
  }

  private static List<Long> found(BatchScanner scanner) throws IOException {
    List<Long> found = new ArrayList<>();
    while (scanner.next() instanceof BatchScanner.Intact batch) {
      found.add(batch.header().high());
    }
    return found;
  }

  @Test
  void whatIsAppendedLaterIsFoundOnceTheEndIsMoved() throws IOException {
    append("one\n", 1);
    BatchScanner scanner = scanner();
    assertThat(found(scanner)).containsExactly(1L);
    append("two\n", 2);
    append("x".repeat(600_000) + "\n", 3);
    assertThat(found(scanner)).isEmpty();
    scanner.growTo(file.size());
    assertThat(found(scanner)).containsExactly(2L, 3L);
  }

  @Test
  void aReadThatFailsIsDoneAgain() throws IOException {
    for (int i = 1; i <= 5; i++) {
      append((i + "x".repeat(99) + "\n").repeat(1200), i);
    }
    BatchScanner scanner = scanner();
    scanner.next();
    scanner.next();
    fails = true;
    assertThatThrownBy(scanner::next).hasMessage("on purpose");
    assertThatThrownBy(scanner::next).hasMessage("on purpose");
    fails = false;
    assertThat(found(scanner)).containsExactly(3L, 4L, 5L);
  }

  @Test
  void aTopicThatIsNoneIsDamage() throws IOException {
    append("one\n", 1);
    byte[] bad = file.toByteArray();
    ByteBuffer payload = ByteBuffer.wrap(bad).slice(BatchHeader.BYTES + TOPIC.length, 4);
    byte[] topic = "../x".getBytes(StandardCharsets.US_ASCII);
    BatchHeader.write(ByteBuffer.wrap(bad), topic, Delimiter.LF, 1, 7, 1, payload);
    file.reset();
    file.writeBytes(bad);
    append("two\n", 2);
    BatchScanner scanner = scanner();
    assertThat(scanner.next())
        .isInstanceOfSatisfying(
            BatchScanner.Damage.class,
            damage -> {
              assertThat(damage.end()).isEqualTo(bad.length);
              assertThat(damage.reason()).hasMessageContaining("found \"../x\"");
            });
    assertThat(found(scanner)).containsExactly(2L);
  }
}
