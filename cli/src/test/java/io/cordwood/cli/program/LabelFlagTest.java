package io.cordwood.cli.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** {@code --label} of forward and import. */
final class LabelFlagTest {
  private static Map<String, String> pairs(List<String> labels) {
    var flag = new LabelFlag();
    flag.labels = labels;
    return flag.pairs();
  }

  private static void assertRejected(List<String> labels, String why) {
    assertThatThrownBy(() -> pairs(labels))
        .isInstanceOf(CommandException.class)
        .hasMessage("--label: " + why);
  }

  private static List<String> many(int count) {
    return IntStream.range(0, count).mapToObj(i -> "n" + i + "=v").toList();
  }

  @Test
  void thereAreTheMostLabelsAndNotOneMore() {
    String most = "x".repeat(8192 - "\na=".length());
    assertThat(pairs(List.of("a=" + most))).isEqualTo(Map.of("a", most));
    assertRejected(
        List.of("a=x" + most), "expected labels of at most 8192 bytes in all, found 8193 bytes");
    assertThat(pairs(many(64))).hasSize(64);
    assertRejected(many(65), "expected at most 64 labels, found 65");
  }

  @Test
  void eachIsANameAndAValueAndIsThereOnce() {
    assertThat(pairs(List.of("pod=a=b", "env="))).isEqualTo(Map.of("pod", "a=b", "env", ""));
    assertRejected(List.of("pod"), "expected NAME=VALUE, found \"pod\"");
    assertRejected(List.of("pod=a", "pod=a"), "expected each label once, found pod twice");
  }
}
