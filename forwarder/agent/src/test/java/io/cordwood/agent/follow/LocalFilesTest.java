package io.cordwood.agent.follow;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of Docker's driver {@code local}, whose entries are no lines. */
final class LocalFilesTest {
  @TempDir private Path folder;

  private Path file() {
    return folder.resolve("container.log");
  }

  private void add(byte[]... entries) throws IOException {
    for (byte[] entry : entries) {
      Files.write(file(), entry, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
  }

  private static byte[] entry(String stream, String line) {
    return entry(stream, line, new byte[0]);
  }

  /** A piece, as versions of Docker from 19.03 on mark it. */
  private static byte[] piece(String stream, String line, boolean isLast) {
    int last = isLast ? 1 : 0;
    return entry(stream, line, new byte[] {4 << 3, 1, (5 << 3) | 2, 5, 8, (byte) last, 18, 1, 'x'});
  }

  private static byte[] entry(String stream, String line, byte[] more) {
    var message = new ByteArrayOutputStream();
    bytes(message, 1, stream);
    message.write(2 << 3);
    varint(message, ContainerFixture.NOW.toEpochMilli() * 1_000_000 - 5_000_000);
    bytes(message, 3, line);
    message.writeBytes(more);
    int length = message.size();
    return ByteBuffer.allocate(length + 8)
        .putInt(length)
        .put(message.toByteArray())
        .putInt(length)
        .array();
  }

  private static void bytes(ByteArrayOutputStream to, int field, String text) {
    byte[] bytes = text.getBytes(UTF_8);
    to.write((field << 3) | 2);
    varint(to, bytes.length);
    to.writeBytes(bytes);
  }

  private static void varint(ByteArrayOutputStream to, long value) {
    long left = value;
    for (; left >= 0x80; left >>>= 7) {
      to.write((int) (left & 0x7F) | 0x80);
    }
    to.write((int) left);
  }

  @Test
  void piecesAreJoinedAndTheFirstBytesShowTheFormat() throws IOException {
    String half = "x".repeat(16 << 10);
    add(
        entry("stdout", "one"),
        piece("stdout", half, false),
        entry("stderr", "two é"),
        piece("stdout", half, false),
        piece("stdout", "end", true),
        entry("stdout", "old ", new byte[] {4 << 3, 1}),
        entry("stdout", "way"),
        entry("stderr", ""));
    for (LineFormat format : List.of(LineFormat.auto, LineFormat.docker)) {
      try (var file = new ContainerFixture(file(), format, "")) {
        assertThat(file.read())
            .containsExactlyInAnyOrder(
                "stdout one", "stderr two é", "stdout " + half + half + "end", "stdout old way");
        assertThat(file.counters.blankLines.sum()).isOne();
        assertThat(file.counters.linesUnlike.sum()).isZero();
        assertThat(file.counters.timesReplaced.sum()).isZero();
        assertThat(file.counters.nulBytes.sum()).isZero();
      }
    }
  }

  @Test
  void stackTraceIsOneRecord() throws IOException {
    add(entry("stderr", "java.lang.Error: x"), entry("stdout", "a"));
    add(entry("stderr", "\tat a.B.c(D.java:1)"));
    try (var file = new ContainerFixture(file(), LineFormat.auto, "java")) {
      assertThat(file.read()).isEmpty();
      file.end();
      assertThat(file.read())
          .containsExactlyInAnyOrder("stderr java.lang.Error: x\n\tat a.B.c(D.java:1)", "stdout a");
    }
  }

  /** An entry that a crash has cut, or bytes of nothing, cost no entry that comes after them. */
  @Test
  void bytesOfNoEntryAreKeptAndCounted() throws IOException {
    byte[] entry = entry("stdout", "cut");
    for (int length = 1; length < entry.length; length++) {
      Files.deleteIfExists(file());
      add(entry("stdout", "before"), Arrays.copyOf(entry, length));
      byte[] large = {(byte) 0x7F, -1, -1, -1, 'n', 'o'};
      add(length % 2 == 0 ? large : new byte[] {0, 0, 0, 0}, entry("stderr", "after"));
      try (var file = new ContainerFixture(file(), LineFormat.auto, "")) {
        List<String> records = new ArrayList<>(file.read());
        file.end();
        records.addAll(file.read());
        assertThat(records).contains("stdout before");
        assertThat(file.counters.linesUnlike.sum()).isPositive();
        assertThat(String.join("", records)).contains("after");
      }
    }
  }

  @Test
  void recordsAreTheSameWhereverReadingStopsAndWhenTheyAreMadeAgain() throws IOException {
    var random = new Random(Long.getLong("cordwood.seed", 45));
    for (int round = 0; round < 100; round++) {
      Files.deleteIfExists(file());
      var all = new ByteArrayOutputStream();
      for (int i = 0; i < 30; i++) {
        String stream = random.nextBoolean() ? "stdout" : "stderr";
        boolean isPiece = random.nextInt(4) == 0;
        String line = "line " + i;
        all.writeBytes(isPiece ? piece(stream, line, random.nextBoolean()) : entry(stream, line));
        if (random.nextInt(10) == 0) {
          byte[] garbage = new byte[random.nextInt(20)];
          random.nextBytes(garbage);
          all.writeBytes(garbage);
        }
      }
      byte[] bytes = all.toByteArray();
      List<String> made = new ArrayList<>();
      try (var file = new ContainerFixture(file(), LineFormat.local, "")) {
        int at = 0;
        while (at < bytes.length) {
          int to = Math.min(bytes.length, at + 1 + random.nextInt(300));
          add(Arrays.copyOfRange(bytes, at, to));
          made.addAll(file.read());
          at = to;
        }
        file.end();
        made.addAll(file.read());
        assertThat(file.readAgain()).isEqualTo(made);
      }
      assertThat(String.join("", made)).contains("line 29");
    }
  }
}
