package io.cordwood.forwarder;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a layout makes of an event, before it is a record. */
final class EventBytesTest {
  private static final String NUL = String.valueOf((char) 0);

  @ParameterizedTest
  @CsvSource({
    "a, a",
    "a$, a",
    "a0, a",
    "a$0, a",
    "a0$, a",
    "a00, a0",
    "a$$, a$",
    "a0b, a0b",
    "0, ''",
    "'', ''",
    "$, ''",
    "a$b0, a$b"
  })
  void oneLineEndOrNulIsNoPartOfARecord(String event, String record) {
    byte[] bytes = ("xyz" + written(event)).getBytes(ISO_8859_1);
    int length = EventEnd.lengthWithout(bytes, 3, bytes.length - 3);
    assertThat(new String(bytes, 3, length, ISO_8859_1)).isEqualTo(written(record));
  }

  private static String written(String text) {
    return text.replace("$", "\n").replace("0", NUL);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 5, 6, 9, -1})
  void whatZlibMakesIsPacked(int level) throws IOException {
    var packed = new ByteArrayOutputStream();
    try (OutputStream out = new DeflaterOutputStream(packed, new Deflater(level))) {
      out.write("an event ".repeat(200).getBytes(UTF_8));
    }
    boolean begins5E = packed.toByteArray()[1] == 0x5E; // as text may, after an x
    assertThat(areIn(packed.toByteArray())).isEqualTo(!begins5E);
  }

  @Test
  void whatGzipMakesIsPacked() throws IOException {
    var packed = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(packed)) {
      out.write("an event ".repeat(200).getBytes(UTF_8));
    }
    assertThat(areIn(packed.toByteArray())).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "x ", "x\u0691 = 7", "x^2", "xyz", "\u001f", "{\"a\":1}"})
  void textIsNot(String text) {
    assertThat(areIn(text.getBytes(UTF_8))).isFalse();
  }

  private static boolean areIn(byte[] bytes) {
    return PackedBytes.areIn(bytes, 0, bytes.length);
  }
}
