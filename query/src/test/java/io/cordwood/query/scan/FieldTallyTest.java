package io.cordwood.query.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.query.fields.Extract;
import io.cordwood.query.fields.FieldPath;
import io.cordwood.query.fields.GroupField;
import io.cordwood.query.fields.Grouping;
import io.cordwood.query.fields.Grouping.Each;
import io.cordwood.query.result.AnswerFormatException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class FieldTallyTest {
  /** The bits that stand for x: nodes of other versions have the same. */
  private static final String X = "0: 6a4f9505be85405";

  private static Grouping grouping(boolean values) {
    return new Grouping(
        List.of(GroupField.parse("a", Extract.NONE), GroupField.parse("b", Extract.NONE)),
        List.of(FieldPath.of("n")),
        values,
        List.of(GroupField.parse("b", Extract.NONE)),
        Each.EXAMPLE);
  }

  private static byte[] tally(boolean values) {
    var tally = new FieldTally(grouping(values), Extract.NONE, "shop");
    for (String record : List.of("a=1 b=x n=2", "a=1 b=x n=3ms", "a=1", "n=x", "a=1 b=x")) {
      byte[] bytes = record.getBytes(StandardCharsets.UTF_8);
      tally.add(bytes, 0, bytes.length, (byte) '\n');
    }
    byte[] taken = tally.take();
    assertThat(tally.hasAny()).isFalse();
    return taken;
  }

  private static List<String> read(byte[] bytes, boolean values) throws IOException {
    List<String> read = new ArrayList<>();
    FieldTally.read(
        ByteBuffer.wrap(bytes),
        grouping(values),
        new FieldTally.Sink() {
          @Override
          public void group(ByteBuffer key, long records) {
            read.add(value(key) + "," + value(key) + ": " + records);
          }

          @Override
          public void numbers(int field, long count, double sum, double least, double greatest) {
            read.add("%d: %d, %s, %s, %s".formatted(field, count, sum, least, greatest));
          }

          @Override
          public void example(ByteBuffer text) {
            read.add(StandardCharsets.UTF_8.decode(text).toString());
          }

          @Override
          public void distinct(int field, long hash) {
            read.add("%d: %x".formatted(field, hash));
          }
        });
    return read;
  }

  private static String value(ByteBuffer key) {
    ByteBuffer value = FieldTally.nextValue(key);
    return value == null ? "-" : StandardCharsets.UTF_8.decode(value).toString();
  }

  @Test
  void groupsAndNumbersAreReadAsTheyWereCounted() throws IOException {
    assertThat(read(tally(false), false))
        .containsExactly(
            "1,x: 3",
            "0: 2, 2.003, 0.003, 2.0",
            X,
            "a=1 b=x n=2",
            "1,-: 1",
            "a=1",
            "-,-: 1",
            "n=x");
    assertThat(read(tally(true), true))
        .containsExactly(
            "1,x: 3",
            "0: 1, 2.0, 2.0, 2.0",
            "0: 1, 0.003, 0.003, 0.003",
            X,
            "a=1 b=x n=2",
            "1,-: 1",
            "a=1",
            "-,-: 1",
            "n=x");
  }

  /** From another node, which may be no node of this kind. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void otherBytesAreRefusedOrReadAndNothingElse(boolean values) throws IOException {
    byte[] tally = tally(values);
    for (int length = 0; length < tally.length; length++) {
      byte[] cut = Arrays.copyOf(tally, length);
      try {
        assertThat(read(cut, values).size()).isLessThan(read(tally, values).size());
      } catch (AnswerFormatException e) {
        assertThat(e).hasMessageContaining("expected a tally of fields");
      }
    }
    var random = new SplittableRandom(3);
    for (int i = 0; i < 5000; i++) {
      byte[] damaged = tally.clone();
      damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
      try {
        assertThat(read(damaged, values)).isNotNull();
      } catch (AnswerFormatException e) {
        assertThat(e).hasMessageContaining("expected a tally of fields");
      }
    }
    assertThatThrownBy(() -> read(new byte[] {5, 0, 0, 1}, values))
        .isInstanceOf(AnswerFormatException.class);
  }
}
