package io.cordwood.common.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.testing.Patience;
import io.netty.buffer.AdaptiveByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class BodyInputTest {
  private static final int ROUNDS = 300;
  private static final int PIECES = 1_000;
  private static final int PIECE_BYTES = 16;

  /**
   * As the event loop does when more comes: it adds to the buffer whose first bytes are a piece.
   */
  @Test
  void whatIsAddedToABufferWhileItsPiecesAreWrittenIsWhereItBelongs(@TempDir Path folder)
      throws Exception {
    var allocator = new AdaptiveByteBufAllocator();
    try (var file =
        FileChannel.open(
            folder.resolve("body"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      for (int round = 0; round < ROUNDS; round++) {
        ByteBuf shared = allocator.directBuffer((PIECES + 1) * PIECE_BYTES);
        try {
          fillWhileWriting(shared, file);
          for (int i = 0; i <= PIECES * PIECE_BYTES; i += PIECE_BYTES) {
            assertThat(shared.getInt(i)).isEqualTo(i / PIECE_BYTES);
          }
        } finally {
          shared.release();
        }
      }
    }
  }

  private static void fillWhileWriting(ByteBuf shared, FileChannel file) throws Exception {
    var body = new BodyInput(Long.MAX_VALUE, Patience.LONG, () -> {}, () -> {});
    add(shared, 0);
    body.offer(shared.retainedSlice(0, PIECE_BYTES));
    var begun = new CountDownLatch(1);
    Thread loop =
        Thread.ofPlatform()
            .start(() -> {
              begun.countDown();
              for (int i = 1; i <= PIECES; i++) {
                add(shared, i);
                body.offer(shared.retainedSlice(i * PIECE_BYTES, PIECE_BYTES));
              }
              body.complete();
            });
    begun.await();
    assertThat(body.transferTo(file)).isEqualTo((PIECES + 1L) * PIECE_BYTES);
    loop.join();
  }

  private static void add(ByteBuf shared, int number) {
    ByteBuf piece = Unpooled.buffer(PIECE_BYTES).writeInt(number).writeZero(PIECE_BYTES - 4);
    shared.writeBytes(piece);
  }
}
