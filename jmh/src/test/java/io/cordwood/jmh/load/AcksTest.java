package io.cordwood.jmh.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class AcksTest {
  private final Acks acks = new Acks();

  @Test
  void linesAreReadInPiecesOfAnySize() throws IOException {
    assertThat(acks.read(bytes("ack 1"))).isEqualTo(0);
    assertThat(acks.read(bytes("2\nack 13\nac"))).isEqualTo(13);
    assertThat(acks.read(bytes("k 14\n"))).isEqualTo(14);
  }

  @Test
  void anythingElseIsAnError() {
    assertThatThrownBy(() -> acks.read(bytes("error: the disk is full\n")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the disk is full");
  }

  @Test
  void acknowledgementsNeverGoBack() throws IOException {
    acks.read(bytes("ack 5\n"));
    assertThatThrownBy(() -> acks.read(bytes("ack 4\n"))).hasMessageContaining("found 4");
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1));
  }
}
