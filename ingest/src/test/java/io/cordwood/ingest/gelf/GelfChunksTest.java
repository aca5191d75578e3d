package io.cordwood.ingest.gelf;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.ingest.BufferedBytesLimit;
import io.cordwood.ingest.OpenConnections;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What becomes of messages whose chunks do not all come, or are too much. */
class GelfChunksTest {
  private static final InetAddress SENDER = InetAddress.getLoopbackAddress();

  private final BufferedBytesLimit held =
      new BufferedBytesLimit(Long.MAX_VALUE, new OpenConnections(1, 1));

  private final List<Long> givenUp = new ArrayList<>();
  private long now;
  private final GelfChunks chunks = new GelfChunks(() -> now, held, givenUp::add);

  @AfterEach
  void nothingIsHeldInTheEnd() {
    chunks.giveUp(true);
    assertThat(held.bytes()).isZero();
    assertThat(chunks.isEmpty()).isTrue();
  }

  private Optional<byte[]> take(long id, int number, int count, byte[] part) throws Exception {
    byte[] chunk =
        ByteBuffer.allocate(12 + part.length)
            .put((byte) 0x1e)
            .put((byte) 0x0f)
            .putLong(id)
            .put((byte) number)
            .put((byte) count)
            .put(part)
            .array();
    return chunks.take(chunk, chunk.length, SENDER);
  }

  @Test
  void aMessageThatIsNotWholeInTimeIsGivenUp() throws Exception {
    assertThat(take(1, 0, 2, new byte[10])).isEmpty();
    now += GelfChunks.PATIENCE_NANOS / 2;
    assertThat(take(2, 0, 2, new byte[20])).isEmpty();
    now += GelfChunks.PATIENCE_NANOS / 2;
    chunks.giveUp(false);
    assertThat(givenUp).containsExactly(10L);
    assertThat(take(2, 1, 2, new byte[] {1}))
        .hasValueSatisfying(all -> assertThat(all).hasSize(21));
  }

  @Test
  void tooMuchIsHeldByNoOne() throws Exception {
    for (int id = 0; id < 1000; id++) {
      assertThat(take(id, 0, 128, new byte[60_000])).isEmpty();
      assertThat(held.bytes()).isLessThanOrEqualTo(GelfChunks.MAX_BYTES);
    }
    assertThat(givenUp).hasSizeGreaterThan(800);
    assertThat(take(2000, 0, 2, new byte[1])).isEmpty();
    assertThat(take(2000, 1, 2, new byte[1])).isPresent();
  }

  @Test
  void messagesOfThousandsOfOneByteAreBoundedToo() throws Exception {
    for (int id = 0; id < 100_000; id++) {
      assertThat(take(id, 127, 128, new byte[] {1})).isEmpty();
    }
    assertThat(held.bytes()).isLessThanOrEqualTo(GelfChunks.MAX_BYTES);
  }
}
