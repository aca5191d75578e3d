package io.cordwood.cli.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDictTrainer;
import io.cordwood.common.segment.Records;
import io.cordwood.common.segment.SegmentFiles;
import io.cordwood.common.segment.Topic;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PackedFilesTest {
  private static final String PLAIN = "order 1\norder 2\n";

  @TempDir private Path folder;

  private Path file(String name, byte[]... parts) throws IOException {
    var bytes = new ByteArrayOutputStream();
    Arrays.stream(parts).forEach(bytes::writeBytes);
    return Files.write(folder.resolve(name), bytes.toByteArray());
  }

  private static byte[] bytes(String latin) {
    return latin.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static byte[] zstd(String text) {
    return Zstd.compress(bytes(text));
  }

  private static String read(Path file) throws IOException {
    var text = new StringBuilder();
    read(file, text);
    return text.toString();
  }

  private static void read(Path file, StringBuilder text) throws IOException {
    new FileRecords(file.toString(), (byte) '\n', complaint -> text.append(complaint))
        .read((block, from, to, _) -> {
          text.append(new String(block, from, to - from, StandardCharsets.ISO_8859_1));
          return true;
        });
  }

  private void assertRefused(Path file, String found) {
    assertThatThrownBy(() -> read(file))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith(file + ": expected ")
        .hasMessageContaining(found);
  }

  private static void assertCut(Path file, String before, String message) {
    var text = new StringBuilder();
    assertThatThrownBy(() -> read(file, text)).hasMessageStartingWith(file + message);
    assertThat(text).hasToString(before);
  }

  /** The parallel program and files that can be read from anywhere begin with one. */
  @Test
  void framesThatAreSkippedMayStandAnywhere() throws IOException {
    for (int kind = 0x50; kind < 0x60; kind++) {
      byte[] skipped = bytes((char) kind + "*M\u0018\u0004\0\0\0abcd");
      Path file =
          file("a", skipped, skipped, zstd("order 1\n"), skipped, zstd("order 2\n"), skipped);
      assertThat(read(file)).isEqualTo(PLAIN);
    }
    assertThat(read(file("b.zst", bytes("P*M\u0018\0\0\0\0")))).isEmpty();
    Path other = file("c", bytes("P*M\u0018\0\0\0\0\u0004\"M\u0018abcdefgh"));
    assertRefused(other, "after 0 bytes unpacked, found damage: ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          \u00FD7zXZ\\0\\0\\4         | xz; 'xz -dc FILE
          ]\\0\\0\\200\\0\\377\\377   | lzma; 'xz -dc FILE
          BZh91AY&SY                  | bzip2; 'bzip2 -dc FILE
          BZh1\\27rE8P\\220           | bzip2; 'bzip2 -dc FILE
          \\4"M\\30d@                 | lz4; 'lz4 -dc FILE
          \\2!L\\30abcd               | lz4; 'lz4 -dc FILE
          LZIP\\1\\27                 | lzip; 'lzip -dc FILE
          \u0089LZO\\0\\r\\n          | lzop; 'lzop -dc FILE
          LRZI\\0\\6                  | lrzip; 'lrzcat FILE
          \\37\u009D\u0090abc         | compress; 'gzip -dc FILE
          x\u009Cabcdef               | zlib; 'pigz -dcz < FILE
          \u00FF\\6\\0\\0sNaPpY       | snappy; 'snzip -dc FILE
          PK\\3\\4\\24\\0             | zip; 'unzip -p FILE
          PK\\5\\6\\0\\0              | zip; 'unzip -p FILE
          7z\u00BC\u00AF'\\34         | 7z; '7z x -so FILE
          Rar!\\32\\7\\1\\0           | rar; 'unrar p -inul FILE
          PAR1\\25\\4\\25             | parquet; 'parquet cat FILE
          LPKSHHRH                    | a journal of systemd; 'journalctl --file FILE
          %\u00B5/\u00FDabcd          | zstd of before 0.8; 'zstd -dc FILE
          """)
  void whatIsNotReadIsNamedWithWhatReadsIt(String head, String message) throws IOException {
    String found = "plain or packed by gzip or zstd, found " + message + " | cordwood grep";
    assertRefused(file("a", bytes(head.translateEscapes()), bytes(PLAIN)), found);
  }

  @Test
  void archivesAndWhatIsPackedTwiceAreNamed() throws IOException {
    byte[] tar = Arrays.copyOf(bytes("a.log"), 1024);
    System.arraycopy(bytes("ustar\00000"), 0, tar, 257, 8);
    byte[] xz = bytes("\u00FD7zXZ\0" + PLAIN);
    assertRefused(file("a", tar), "found tar; 'tar -xOf FILE | ");
    assertRefused(
        file("b.tgz", GzipInputTest.packed(new String(tar, StandardCharsets.ISO_8859_1))),
        "found tar within gzip");
    assertRefused(file("c", Zstd.compress(zstd(PLAIN))), "zstd within zstd; 'zstd -dc FILE | ");
    assertRefused(file("d", Zstd.compress(xz)), "found xz within zstd; 'zstd -dc FILE | ");
    byte[] segment = SegmentFiles.storeSegment(List.of(new Records(3).batch(Topic.DEFAULT, 50)));
    assertRefused(file("e", Zstd.compress(segment)), "a segment as a file, found it in zstd");
  }

  /** Text is read whatever its name is; other bytes are not what the name says. */
  @ParameterizedTest
  @CsvSource({
    "a.br, found brotli; 'brotli -dc FILE",
    "a.gz, expected gzip or lines; found damage at its start",
    "a.log.zst, expected zstd or lines; found damage at its start",
    "a.LZ4, expected lz4 or lines; found damage at its start",
  })
  void bytesThatAreNeitherTextNorWhatTheNameSaysAreAnError(String name, String message)
      throws IOException {
    String found = message.replace("lines;", "lines,");
    assertRefused(file(name, bytes("\u001B\u0003\0\u0001abc"), bytes(PLAIN)), found);
    assertThat(read(file(name, bytes(PLAIN)))).isEqualTo(PLAIN);
    assertThat(read(file("www.shop.com.br", bytes(PLAIN)))).isEqualTo(PLAIN);
    assertThat(read(file("a.bin", bytes("\0\1\2\n")))).isEqualTo("\0\1\2\n");
  }

  @Test
  void emptyAndTinyFilesWithANameOfPackedOnesAreCutOff() throws IOException {
    assertRefused(file("a.gz"), "expected gzip or lines, found an empty file");
    assertRefused(file("b.zst"), "expected zstd or lines, found an empty file");
    assertRefused(file("c.gz", bytes("\u001F")), "found damage at its start");
    assertThat(read(file("d"))).isEmpty();
  }

  @Test
  void dictionariesAndLargeWindowsAreRefusedInWords() throws IOException {
    var trainer = new ZstdDictTrainer(1 << 20, 4000);
    List<byte[]> samples = new ArrayList<>();
    for (int i = 0; i < 2000; i++) {
      samples.add(bytes("level=info order=" + i * 7919 % 10_007 + " status=200 user=u" + i));
      trainer.addSample(samples.getLast());
    }
    try (var compressor = new ZstdCompressCtx()) {
      compressor.loadDict(trainer.trainSamples());
      Path file = file("a", compressor.compress(samples.getFirst()));
      assertRefused(file, "expected no dictionary after 0 bytes unpacked, found one; 'zstd -D ");
    }
    byte[] window = bytes("(\u00B5/\u00FD\0\u00A8\u0001\0\0"); // 2^31 bytes, an empty last block
    assertRefused(file("b", window), "expected at most 128 MiB of memory after 0 bytes");
  }

  @Test
  void damageSaysWhereAndWhatCameBeforeIsRead() throws IOException {
    byte[] frame = zstd("order 2\n");
    Path cut = file("a", zstd("order 1\n"), Arrays.copyOf(frame, frame.length - 3));
    assertCut(cut, "order 1\n", ": expected more packed lines after ");
    Path mixed = file("b", zstd(PLAIN), GzipInputTest.packed("x"));
    assertCut(mixed, PLAIN, ": expected packed lines after 16 bytes unpacked, found damage: ");
    Path torn = file("c", GzipInputTest.packed(PLAIN), bytes("\u001F\u008B\b"));
    assertCut(torn, PLAIN, ": expected more packed lines after 16 bytes unpacked, found the file");
    Path followed = file("d", GzipInputTest.packed(PLAIN), bytes("order 3\n"));
    String begin =
        ": expected packed lines after 16 bytes unpacked, found damage: bytes that begin";
    assertCut(followed, PLAIN, begin);
  }
}
