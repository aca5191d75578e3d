package io.cordwood.common.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class LabelsTest {
  private static Labels decode(String text) {
    return Labels.decode(text.getBytes(UTF_8));
  }

  private static Map<String, String> pairs(int count, String value) {
    var pairs = new HashMap<String, String>();
    for (int i = 0; i < count; i++) {
      pairs.put("name" + i, value);
    }
    return pairs;
  }

  @Test
  void pairsStandInTheOrderOfTheirNamesAndAreReadAgain() {
    Labels labels = Labels.of(Map.of("pod", "web-1", "_x", "a=b", "host", "", "k8s.ns-1", "größe"));
    assertThat(new String(labels.bytes(), UTF_8))
        .isEqualTo("\n_x=a=b\nhost=\nk8s.ns-1=größe\npod=web-1");
    assertThat(Labels.decode(labels.bytes())).isEqualTo(labels);
    assertThat(Labels.decode(labels.bytes()).pairs()).containsEntry("_x", "a=b");
    assertThat(Labels.decode(new byte[0])).isEqualTo(Labels.NONE).isEqualTo(Labels.of(Map.of()));
  }

  @Test
  void valuesMayHaveAnyCharacterButTwo() {
    String value = "\u202e\u0001\t\r \ud83e\udeb5 \u00a0=";
    assertThat(Labels.decode(Labels.of(Map.of("a", value)).bytes()).pairs())
        .containsEntry("a", value);
    assertThatThrownBy(() -> Labels.of(Map.of("a", "1\n2")))
        .hasMessage("expected a value of label a without line feed and NUL, found \"1\\n2\"");
    assertThatThrownBy(() -> Labels.of(Map.of("a", "1\0")))
        .hasMessage("expected a value of label a without line feed and NUL, found \"1\\0\"");
    assertThatThrownBy(() -> Labels.of(Map.of("a", "\ud83e")))
        .hasMessage("expected labels of whole characters, found half of one");
  }

  @ParameterizedTest
  @CsvSource({
    "a, 1",
    "b, 2=2",
    "bb, ''",
    "c, größe",
    "_, x",
    "zz, z",
    "B, y",
    "b.b, 3",
    "a0, 4",
  })
  void onePairMoreIsAsIfAllWereSorted(String name, String value) {
    Map<String, String> pairs = new HashMap<>(Map.of("b", "1", "bb", "a=b", "c", "\u00e9"));
    Labels labels = Labels.of(pairs);
    pairs.put(name, value);
    Labels with = labels.with(name, value);
    assertThat(with).isEqualTo(Labels.of(pairs)).isEqualTo(Labels.decode(with.bytes()));
    assertThat(with.value(name)).isEqualTo(value);
    assertThat(with.value("c")).isEqualTo(pairs.get("c"));
    assertThat(with.value("d")).isNull();
    assertThat(Labels.NONE.with(name, value)).isEqualTo(Labels.of(Map.of(name, value)));
  }

  @Test
  void onePairMoreThanThereMayBeIsRejected() {
    Labels full = Labels.of(pairs(Labels.MAX_PAIRS, "v"));
    assertThat(full.with("name7", "other").value("name7")).isEqualTo("other");
    assertThatThrownBy(() -> full.with("more", "v"))
        .hasMessage("expected at most 64 labels, found 65");
    assertThatThrownBy(() -> Labels.NONE.with("a", "x".repeat(Labels.MAX_BYTES)))
        .hasMessageContaining("of at most 8192 bytes in all");
    assertThatThrownBy(() -> Labels.NONE.with("a", "1\n2")).hasMessageContaining("line feed");
    assertThatThrownBy(() -> Labels.NONE.with("topic", "x")).hasMessageContaining("another name");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "_", "Z9", "service.name", "x-y_z.0"})
  void namesAreThoseOfFields(String name) {
    assertThat(Labels.checkName(name)).isEqualTo(name);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "9a", ".a", "-", "a b", "@pod", "é", "a=b", "a\nb", "topic", "time"})
  void whatIsNoNameIsRejected(String name) {
    assertThatThrownBy(() -> Labels.of(Map.of(name, "1")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("expected a label")
        .hasMessageEndingWith(", found \"" + name.replace("\n", "\\n") + "\"");
  }

  @Test
  void limitsAreMetAndNotPassed() {
    assertThat(Labels.of(pairs(Labels.MAX_PAIRS, "v")).pairs()).hasSize(Labels.MAX_PAIRS);
    assertThatThrownBy(() -> Labels.of(pairs(Labels.MAX_PAIRS + 1, "v")))
        .hasMessage("expected at most 64 labels, found 65");
    String longest = "x".repeat(Labels.MAX_BYTES - "\na=".length());
    assertThat(Labels.of(Map.of("a", longest)).bytes()).hasSize(Labels.MAX_BYTES);
    assertThatThrownBy(() -> Labels.of(Map.of("a", longest + "x")))
        .hasMessage("expected labels of at most 8192 bytes in all, found 8193 bytes");
    String name = "n".repeat(Labels.MAX_NAME_BYTES);
    assertThat(Labels.of(Map.of(name, "")).pairs()).containsKey(name);
    assertThatThrownBy(() -> Labels.checkName(name + "n")).hasMessageContaining("{0,127}");
  }

  @ParameterizedTest
  @CsvSource({
    "'\nb=1\na=2', in the order of their names",
    "'\na=1\na=2', each label once",
    "'\na', as name=value",
    "'a=1', as name=value",
    "'\na=1\n', as name=value",
    "'\n\na=1', as name=value",
  })
  void bytesThatAreNotWhatIsWrittenAreRejected(String text, String why) {
    assertThatThrownBy(() -> decode(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(why);
  }

  @Test
  void bytesThatAreNoTextAreRejected() {
    assertThatThrownBy(() -> Labels.decode(new byte[] {'\n', 'a', '=', (byte) 0xC3}))
        .hasMessage("expected labels in UTF-8, found other bytes");
  }

  @Test
  void anOriginIsATopicAndLabels() {
    Origin origin = new Origin("shop", Labels.of(Map.of("pod", "web-1")));
    assertThat(new String(origin.bytes(), UTF_8)).isEqualTo("shop\npod=web-1");
    assertThat(Origin.decode(origin.bytes())).isEqualTo(origin);
    assertThat(Origin.decode("shop".getBytes(UTF_8)).labels()).isEqualTo(Labels.NONE);
    assertThatThrownBy(() -> Origin.decode("\npod=web-1".getBytes(UTF_8)))
        .hasMessageContaining("expected a topic");
  }

  @Test
  void labelsThatWereReadLatelyAreReadOnce() {
    byte[] bytes = Labels.of(Map.of("pod", "read-lately")).bytes();
    Labels labels = Labels.decode(bytes.clone());
    assertThat(Labels.decode(bytes.clone())).isSameAs(labels);
    byte[] others = bytes.clone();
    others[bytes.length - 1] = 'z';
    assertThat(Labels.decode(others).pairs()).containsEntry("pod", "read-latelz");
    others[bytes.length - 1] = 0;
    assertThatThrownBy(() -> Labels.decode(others)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aThousandSetsOfLabelsAreReadOnce() {
    List<byte[]> sets =
        IntStream.range(0, 1000)
            .mapToObj(pod -> Labels.of(Map.of("app", "shop", "pod", "web-" + pod)).bytes())
            .toList();
    List<Labels> first = sets.stream().map(set -> Labels.decode(set.clone())).toList();
    long again =
        IntStream.range(0, 1000)
            .filter(pod -> Labels.decode(sets.get(pod).clone()) == first.get(pod))
            .count();
    assertThat(again).isGreaterThan(900);
  }

  @Test
  void theNumberOfPairsIsKnown() {
    assertThat(Labels.NONE.size()).isZero();
    assertThat(Labels.of(pairs(Labels.MAX_PAIRS, "a=b")).size()).isEqualTo(Labels.MAX_PAIRS);
  }

  @Test
  void longLabelsAreReadEachTime() {
    byte[] bytes = Labels.of(Map.of("a", "v".repeat(RecentLabels.MAX_BYTES))).bytes();
    Labels labels = Labels.decode(bytes.clone());
    assertThat(Labels.decode(bytes.clone())).isEqualTo(labels).isNotSameAs(labels);
  }
}
