package io.cordwood.cli.files;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class LineInputTest {
  private static final String TEXT = "2026-11-25 Größe 大きい \uD83D\uDE00\r\n".repeat(9_000);

  private static byte[] read(byte[] bytes, char delimiter) throws IOException {
    var in = new BufferedInputStream(new ByteArrayInputStream(bytes));
    try (var lines = LineInput.of("a", in, (byte) delimiter)) {
      return lines.readAllBytes();
    }
  }

  private static String text(byte[] bytes) throws IOException {
    return new String(read(bytes, '\n'), StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTF-8", "UTF-16LE", "UTF-16BE", "UTF-16"})
  void textIsReadInItsEncodingWithAMarkAndWithout(String name) throws IOException {
    var encoding = Charset.forName(name);
    assertThat(text(TEXT.getBytes(encoding))).isEqualTo(TEXT);
    assertThat(text(Zstd.compress(TEXT.getBytes(encoding)))).isEqualTo(TEXT);
    assertThat(text("abc".getBytes(encoding))).isEqualTo("abc");
    if (!name.equals("UTF-16")) {
      assertThat(text(("\uFEFF" + TEXT).getBytes(encoding))).isEqualTo(TEXT);
    }
  }

  /** Bytes that are no text in UTF-16: other control characters, both orders, few of them. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "a\0",
        "a\0b\0",
        "a\0b\0c\0defg",
        "\0a\0b\0cd\0",
        "a\0b\0\u0001\0d\0e\0",
        "\0\0\0\0\0\0\0\0",
        "\u007F\0ELF\0\0",
        "abcdef\0\0",
        ""
      })
  void otherBytesPassUnchanged(String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    assertThat(read(bytes, '\n')).isEqualTo(bytes);
  }

  @Test
  void lettersThatNulSeparatesAreLines() throws IOException {
    byte[] bytes = "a\0b\0c\0d\0e\0f\0".getBytes(StandardCharsets.US_ASCII);
    assertThat(read(bytes, '\0')).isEqualTo(bytes);
    assertThat(text(bytes)).isEqualTo("abcdef");
  }

  /** A pipe that says little is not waited for. */
  @Test
  void aShortLineIsThereBeforeTheNextOne() throws IOException {
    try (var pipe = new PipedOutputStream();
        var in = new BufferedInputStream(new PipedInputStream(pipe))) {
      pipe.write("first\n".getBytes(StandardCharsets.US_ASCII));
      pipe.flush();
      var lines = LineInput.of("-", in, (byte) '\n');
      assertThat(new String(lines.readNBytes(6), StandardCharsets.US_ASCII)).isEqualTo("first\n");
    }
  }
}
