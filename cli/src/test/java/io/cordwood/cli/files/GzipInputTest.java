package io.cordwood.cli.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipException;
import org.junit.jupiter.api.Test;

final class GzipInputTest {
  private static final String TEXT = "a line\nanother\n".repeat(10_000);

  /** Gives one byte at a time and says that there is none, as a slow pipe does. */
  private static final class Slow extends FilterInputStream {
    Slow(byte[] bytes) {
      super(new ByteArrayInputStream(bytes));
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      return super.read(bytes, offset, Math.min(1, length));
    }

    @Override
    public int available() {
      return 0;
    }
  }

  static byte[] packed(String text) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var out = new GZIPOutputStream(bytes)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return bytes.toByteArray();
  }

  private static byte[] joined(byte[]... parts) {
    var bytes = new ByteArrayOutputStream();
    Arrays.stream(parts).forEach(bytes::writeBytes);
    return bytes.toByteArray();
  }

  private static String read(byte[] bytes) throws IOException {
    try (var in = new GzipInput(new Slow(bytes))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** With extra fields, a name, a comment and a checksum of the header. */
  private static byte[] withLongHeader(byte[] member) {
    byte[] header = Arrays.copyOf(member, 10);
    header[3] = 2 | 4 | 8 | 16;
    byte[] fields = "\u0003\0xyzname\0comment\0cc".getBytes(StandardCharsets.ISO_8859_1);
    return joined(header, fields, Arrays.copyOfRange(member, 10, member.length));
  }

  @Test
  void everyMemberIsReadHoweverSlowItComes() throws IOException {
    byte[] both = joined(packed(TEXT), packed(""), withLongHeader(packed("last\n")));
    assertThat(read(both)).isEqualTo(TEXT + "last\n");
    assertThat(read(joined(both, new byte[1000]))).isEqualTo(TEXT + "last\n");
  }

  @Test
  void whatIsCutOffIsAnErrorAtEachByte() throws IOException {
    byte[] member = withLongHeader(packed("last\n"));
    byte[] both = joined(packed("first\n"), member);
    for (int cut = 1; cut < member.length; cut++) {
      byte[] torn = Arrays.copyOf(both, both.length - cut);
      assertThatThrownBy(() -> read(torn)).isInstanceOf(EOFException.class);
    }
  }

  @Test
  void whatFollowsAMemberAndIsNoneIsAnError() throws IOException {
    byte[] text = "plain\n".getBytes(StandardCharsets.UTF_8);
    for (byte[] rest : new byte[][] {text, joined(new byte[3], text), {0x1F, (byte) 0x8B, 7, 0}}) {
      assertThatThrownBy(() -> read(joined(packed("first\n"), rest)))
          .isInstanceOf(ZipException.class)
          .hasMessage("bytes that begin no member");
    }
  }

  @Test
  void damageIsAnErrorBehindWhatCameBefore() throws IOException {
    byte[] second = packed(TEXT);
    for (int damaged : new int[] {3, second.length / 2, second.length - 8, second.length - 1}) {
      byte[] bytes = second.clone();
      bytes[damaged] ^= (byte) 0xFF;
      try (var in = new GzipInput(new Slow(joined(packed("first\n"), bytes)))) {
        assertThat(in.readNBytes(6)).asString().isEqualTo("first\n");
        assertThatThrownBy(in::readAllBytes).isInstanceOf(ZipException.class);
      }
    }
  }
}
