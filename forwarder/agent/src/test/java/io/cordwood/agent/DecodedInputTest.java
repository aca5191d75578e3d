package io.cordwood.agent;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.common.wire.ForeignBytesException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.Charset;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

final class DecodedInputTest {
  private static final String TEXT =
      "one \u00e9\ntwo \u65e5\ud83d\ude00\n" + "x\u65e5".repeat(20_000);

  /** The bytes that come at once are few. */
  private static InputStream trickle(byte[] bytes, int most) {
    return new ByteArrayInputStream(bytes) {
      @Override
      public synchronized int read(byte[] target, int offset, int length) {
        return super.read(target, offset, Math.min(most, length));
      }
    };
  }

  private static String decoded(byte[] bytes, int most) throws IOException {
    try (var in = new DecodedInput(trickle(bytes, most))) {
      return new String(in.readAllBytes(), UTF_8);
    }
  }

  private static byte[] marked(String text, Charset encoding) {
    return ("\ufeff" + text).getBytes(encoding);
  }

  @Test
  void utf16AndMarksAreTakenOutHoweverTheBytesCome() throws IOException {
    for (int most : List.of(1, 3, 7, 100_000)) {
      for (Charset encoding : List.of(UTF_16LE, UTF_16BE, UTF_8)) {
        assertThat(decoded(marked(TEXT, encoding), most)).isEqualTo(TEXT);
        assertThat(decoded(TEXT.getBytes(encoding), Math.max(most, 2))).isEqualTo(TEXT);
        assertThat(decoded(marked("", encoding), most)).isEmpty();
      }
    }
  }

  @Test
  void whatIsNeitherIsLeftAsItIs() throws IOException {
    for (String bytes :
        List.of(
            "", "a", "\u00ff", "\u00fe\n", "a\0b\n", "\0", "\u00ff\u00fe\0\0a\0\0\0", "\u00e9\n")) {
      try (var in = new DecodedInput(trickle(bytes.getBytes(ISO_8859_1), 2))) {
        assertThat(new String(in.readAllBytes(), ISO_8859_1)).isEqualTo(bytes);
      }
    }
  }

  @Test
  void whatIsPackedIsRefusedHoweverTheBytesCome() throws IOException {
    var packed = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(packed)) {
      out.write(TEXT.getBytes(UTF_8));
    }
    for (int most : List.of(1, 2, 100_000)) {
      assertThatThrownBy(() -> decoded(packed.toByteArray(), most))
          .isInstanceOf(ForeignBytesException.class)
          .hasMessageStartingWith("expected lines or batches, found gzip: ");
    }
    assertThat(decoded(new byte[] {0x78}, 1)).as("may have begun as zlib").isEqualTo("x");
  }

  /** Whoever types a line waits for it. */
  @Test
  void aFirstLetterWaitsForNoOther() throws IOException {
    InputStream fails =
        new InputStream() {
          private boolean given;

          @Override
          public int read() {
            throw new AssertionError("read of a byte");
          }

          @Override
          public int read(byte[] target, int offset, int length) {
            assertThat(given).as("waits for more").isFalse();
            given = true;
            target[offset] = 'a';
            target[offset + 1] = '\n';
            return 2;
          }
        };
    byte[] read = new byte[100];
    assertThat(new DecodedInput(fails).read(read, 0, read.length)).isEqualTo(2);
  }
}
