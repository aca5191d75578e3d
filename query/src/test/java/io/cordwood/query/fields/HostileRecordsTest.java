package io.cordwood.query.fields;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Records that nobody means well: an answer is given, and nothing thrown. */
final class HostileRecordsTest {
  private static final int MEBIBYTE = 1 << 20;

  private static List<String> records() {
    return List.of(
        "{\"x\":" + "[".repeat(10_000) + "]".repeat(10_000) + ",\"a\":1}",
        "{\"x\":" + "{\"x\":".repeat(10_000) + "1" + "}".repeat(10_000) + ",\"a\":1}",
        "{\"x\":" + "9".repeat(400) + ",\"a\":1}",
        "{\"x\":1e" + "9".repeat(400) + ",\"a\":1}",
        "{\"x\":\"" + "y".repeat(MEBIBYTE) + "\",\"a\":1}",
        "{\"x\":\"" + "\\\"".repeat(MEBIBYTE / 2) + "\",\"a\":1}",
        "{" + "\"x\":1,".repeat(MEBIBYTE / 6) + "\"a\":1}",
        "{\"x\":1" + ",".repeat(MEBIBYTE) + "\"a\":1}",
        "x=1 ".repeat(MEBIBYTE / 4) + "a=1",
        "= ".repeat(MEBIBYTE / 2) + "a=1",
        "{ ".repeat(MEBIBYTE / 2) + "a=1",
        "\"x\" ".repeat(MEBIBYTE / 4) + "a=1",
        "\\\" ".repeat(MEBIBYTE / 3) + "a=1");
  }

  @ParameterizedTest
  @MethodSource("records")
  void whatStandsBehindMuchIsFound(String record) {
    byte[] bytes = record.getBytes(StandardCharsets.UTF_8);
    assertThat(holds("a=1", bytes)).isTrue();
    assertThat(holds("a>0.5 and a<=1e0", bytes)).isTrue();
    assertThat(holds("a=2", bytes)).isFalse();
    assertThat(holds("a.b.c=1", bytes)).isFalse();
  }

  @Test
  void longNumbersAreNumbersAndTextsThatAreTooLongAreNone() {
    assertThat(holds("x>1e100", number("9".repeat(400)))).isTrue();
    assertThat(holds("x<1e-100", number("0." + "0".repeat(390) + "1"))).isTrue();
    assertThat(holds("x>0", number("9".repeat(Quantity.MAX_BYTES + 1)))).isFalse();
    assertThat(holds("x>0", number("1e99999999999"))).isTrue();
    assertThat(holds("x>0", number("NaN"))).isFalse();
  }

  private static byte[] number(String digits) {
    return ("{\"x\":" + digits + "}").getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void bytesThatAreNotUtf8StayAsTheyAre() {
    byte[] record = "{\"?\":\"??\",\"a\":\"?\\n?\"}".getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < record.length; i++) {
      record[i] = record[i] == '?' ? (byte) 0xFF : record[i];
    }
    var finder = new FieldFinder().in(record, 0, record.length);
    assertThat(finder.find(FieldPath.of("a"))).isTrue();
    assertThat(finder.value()).containsExactly(0xFF, '\n', 0xFF);
    assertThat(holds("a~~'^.\\n.$'", record)).isTrue();
    assertThat(holds("a='\uFFFD\n\uFFFD'", record)).isFalse();
  }

  @Test
  void aValueThatHoldsBothDelimitersIsSearched() {
    byte[] record = "a=\"x\\u0000\\ny\"".getBytes(StandardCharsets.UTF_8);
    assertThat(holds("a~\"\\ny\"", record)).isTrue();
    assertThat(holds("a~~'^x.\\ny$'", record)).isTrue();
  }

  @Test
  void anyBytesAreAnsweredFor() {
    var random = new SplittableRandom(5);
    byte[] letters = "{}[]\":,\\ u00=a1.-\t".getBytes(StandardCharsets.UTF_8);
    Where where = Where.parse(List.of("a=1", "a.a>1 and a[0]~x", "1?!=a", "status~~'.'"));
    for (int i = 0; i < 50_000; i++) {
      byte[] record = new byte[random.nextInt(60)];
      for (int j = 0; j < record.length; j++) {
        boolean any = random.nextInt(20) == 0;
        record[j] = any ? (byte) random.nextInt() : letters[random.nextInt(letters.length)];
      }
      int from = record.length == 0 ? 0 : random.nextInt(record.length);
      assertThat(where.holds(new FieldFinder().in(record, from, record.length), true))
          .isIn(true, false);
    }
  }

  private static boolean holds(String where, byte[] record) {
    return Where.parse(List.of(where)).holds(new FieldFinder().in(record, 0, record.length), true);
  }
}
