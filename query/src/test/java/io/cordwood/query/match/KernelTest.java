package io.cordwood.query.match;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class KernelTest {
  private static final long SEED = 42;

  static Kernel[] kernels() {
    return new Kernel[] {new VectorKernel(), new SwarKernel()};
  }

  @Test
  void vectorKernelIsTheBestWhereItsModuleIsPresent() {
    assertThat(Kernels.BEST).isInstanceOf(VectorKernel.class);
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void findsWhatANaiveSearchFinds(Kernel kernel) {
    Random random = new Random(SEED);
    for (int round = 0; round < 30_000; round++) {
      byte[] bytes = randomBytes(random, random.nextInt(200), "abAB_\n");
      byte[] literal = randomBytes(random, 1 + random.nextInt(6), "abAB_\n");
      boolean folded = random.nextBoolean();
      int from = random.nextInt(bytes.length + 1);
      int to = from + random.nextInt(bytes.length - from + 1);
      Needle needle = new Needle(folded ? Ascii.lower(literal) : literal, folded);
      int onHeap = kernel.find(bytes, from, to, needle);
      int offHeap = kernel.find(Blocks.memory(bytes), from, to, needle);
      assertThat(List.of(onHeap, offHeap))
          .as(
              "seed %d, round %d: %s in %s [%d, %d), folded %s",
              SEED, round, text(literal), text(bytes), from, to, folded)
          .containsOnly(naiveFind(bytes, from, to, literal, folded));
    }
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void findsANeedleAtEveryPlaceAroundVectorBorders(Kernel kernel) {
    for (int length = 1; length <= 40; length += 3) {
      byte[] literal = "x".repeat(length).getBytes(StandardCharsets.US_ASCII);
      for (int at = 0; at <= 260; at++) {
        byte[] bytes = new byte[260 + length];
        System.arraycopy(literal, 0, bytes, at, length);
        Needle needle = new Needle(literal, false);
        MemorySegment memory = Blocks.memory(bytes);
        assertThat(kernel.find(bytes, 0, bytes.length, needle)).isEqualTo(at);
        assertThat(kernel.find(bytes, 0, at + length - 1, needle)).isEqualTo(-1);
        assertThat(kernel.find(memory, 0, bytes.length, needle)).isEqualTo(at);
        assertThat(kernel.find(memory, 0, at + length - 1, needle)).isEqualTo(-1);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void foldsLettersAndNothingElse(Kernel kernel) {
    byte[] bytes = new byte[100];
    for (int a = 0; a < 256; a++) {
      for (int b = 0; b < 256; b++) {
        bytes[70] = (byte) a;
        byte wanted = Ascii.lower((byte) b);
        int found = kernel.find(bytes, 1, 100, new Needle(new byte[] {wanted}, true));
        boolean same = Ascii.lower((byte) a) == wanted;
        assertThat(found).as("%d for %d", a, b).isEqualTo(wanted == 0 ? 1 : same ? 70 : -1);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void countsAByte(Kernel kernel) {
    Random random = new Random(SEED);
    for (int round = 0; round < 2_000; round++) {
      byte[] bytes = randomBytes(random, random.nextInt(300), "\n\u000b\0ab");
      int from = random.nextInt(bytes.length + 1);
      int expected = 0;
      for (int i = from; i < bytes.length; i++) {
        expected += bytes[i] == '\n' ? 1 : 0;
      }
      assertThat(kernel.count(bytes, from, bytes.length, (byte) '\n')).isEqualTo(expected);
      assertThat(kernel.count(Blocks.memory(bytes), from, bytes.length, (byte) '\n'))
          .isEqualTo(expected);
    }
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void findsTheFirstPlaceOfAByte(Kernel kernel) {
    Random random = new Random(SEED);
    for (int round = 0; round < 10_000; round++) {
      byte[] bytes =
          randomBytes(random, random.nextInt(300), "a\u000b\t\0b\u008a".repeat(20) + '\n');
      int from = random.nextInt(bytes.length + 1);
      int to = random.nextInt(from, bytes.length + 1);
      int at = text(bytes).substring(from, to).indexOf('\n');
      assertThat(kernel.first(bytes, from, to, (byte) '\n')).isEqualTo(at < 0 ? to : from + at);
    }
  }

  @Test
  void marksKindsOfBytes() {
    Random random = new Random(SEED);
    var marks = new ByteMarks();
    var marker = new ByteMarker(marks);
    for (int round = 0; round < 20_000; round++) {
      byte[] bytes = new byte[random.nextInt(200)];
      random.nextBytes(bytes);
      int from = random.nextInt(bytes.length + 1);
      int to = from + random.nextInt(bytes.length - from + 1);
      assertThat(marker.mark(new VectorKernel(), bytes, from, to)).isTrue();
      String text = text(bytes).substring(from, Math.min(to, from + ByteMarks.BYTES));
      assertThat(marks.words()).isEqualTo(naiveMarks(text, "[A-Za-z0-9_]"));
      assertThat(marks.capitals()).isEqualTo(naiveMarks(text, "[A-Z]"));
      assertThat(marks.digits()).isEqualTo(naiveMarks(text, "[0-9]"));
      assertThat(marks.spaces()).isEqualTo(naiveMarks(text, " "));
      assertThat(marks.tabs()).isEqualTo(naiveMarks(text, "\t"));
      assertThat(marks.colons()).isEqualTo(naiveMarks(text, ":"));
      assertThat(marks.equals()).isEqualTo(naiveMarks(text, "="));
      assertThat(marks.quotes()).isEqualTo(naiveMarks(text, "\""));
      assertThat(marks.escapes()).isEqualTo(naiveMarks(text, "\u001b"));
      assertThat(marks.opening()).isEqualTo(naiveMarks(text, "\\["));
      assertThat(marks.closing()).isEqualTo(naiveMarks(text, "]"));
    }
    assertThat(marker.mark(new SwarKernel(), new byte[1], 0, 1)).isFalse();
  }

  private static long naiveMarks(String text, String kind) {
    return Pattern.compile(kind)
        .matcher(text)
        .results()
        .mapToLong(found -> 1L << found.start())
        .sum();
  }

  private static int naiveFind(byte[] bytes, int from, int to, byte[] literal, boolean folded) {
    String haystack = text(bytes).substring(from, to);
    String needle = text(literal);
    int at =
        folded
            ? haystack.toLowerCase(Locale.ROOT).indexOf(needle.toLowerCase(Locale.ROOT))
            : haystack.indexOf(needle);
    return at < 0 ? -1 : from + at;
  }

  private static byte[] randomBytes(Random random, int length, String alphabet) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) alphabet.charAt(random.nextInt(alphabet.length()));
    }
    return bytes;
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }
}
