package io.cordwood.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class TerminalSafeOutputTest {
  @ParameterizedTest
  @CsvSource({
    "1b 5b 33 31 6d 72, ^[[31mr",
    "07, ^G",
    "00, ^@",
    "0d, ^M",
    "7f, ^?",
    "9b 31 6d, <9B>1m",
    "c2 9b 31 6d, <9B>1m",
    "c2 c2 9b, \u00c2<9B>",
    "c2 1b, \u00c2^[",
    "e2 1b 5b, \u00e2^[[",
    "f0 9f 1b, \u00f0\u009f^[",
  })
  void controlsAreShown(String bytes, String expected) throws IOException {
    assertThat(safe(bytes(bytes), 100)).isEqualTo(expected.getBytes(StandardCharsets.ISO_8859_1));
  }

  @ParameterizedTest
  @ValueSource(strings = {"plain\ttext\n", "Grüße, 世界, 🪵 ¡olé!", "ÀÿŐ"})
  void textPassesAsItIs(String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    assertThat(safe(bytes, 100)).isEqualTo(bytes);
  }

  @ParameterizedTest
  @ValueSource(strings = {"c2 9b", "1b 5b", "e4 b8 96 c2 a1 1b", "c2"})
  void cutsBetweenWritesChangeNothing(String bytes) throws IOException {
    assertThat(safe(bytes(bytes), 1)).isEqualTo(safe(bytes(bytes), 100));
  }

  private static byte[] safe(byte[] bytes, int pieceBytes) throws IOException {
    ByteArrayOutputStream terminal = new ByteArrayOutputStream();
    try (TerminalSafeOutput out = new TerminalSafeOutput(terminal)) {
      for (int at = 0; at < bytes.length; at += pieceBytes) {
        out.write(bytes, at, Math.min(pieceBytes, bytes.length - at));
      }
    }
    return terminal.toByteArray();
  }

  private static byte[] bytes(String hex) {
    return java.util.HexFormat.ofDelimiter(" ").parseHex(hex);
  }
}
