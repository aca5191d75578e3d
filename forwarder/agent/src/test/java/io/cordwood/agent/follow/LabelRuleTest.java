package io.cordwood.agent.follow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.common.wire.Labels;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each file has the labels that its path says. */
final class LabelRuleTest {
  private static final Labels HOST = Labels.of(Map.of("host", "a", "pod", "none"));
  private static final String PODS =
      "/pods/(?<namespace>[^_]+)_(?<pod>[^_]+)_[^/]+/(?<container>[^/]+)/(?<previous>\\d+/)?";

  @TempDir private Path folder;

  @Test
  void whatAPathSaysIsAddedAndGoesBeforeThoseOfAllFiles() {
    LabelRule rule = LabelRule.pattern(HOST, PODS);
    Path file = Path.of("/var/log/pods/shop_web-1_9f/größe x/0.log");
    assertThat(rule.of(file, file).pairs())
        .containsEntry("host", "a")
        .containsEntry("namespace", "shop")
        .containsEntry("pod", "web-1")
        .containsEntry("container", "größe x")
        .hasSize(4);
  }

  @Test
  void aPathThatSaysNothingHasThoseOfAllFiles() {
    LabelRule rule = LabelRule.pattern(HOST, PODS);
    Path file = Path.of("/var/log/syslog");
    assertThat(rule.matches(file)).isFalse();
    assertThat(rule.of(file, file)).isEqualTo(HOST);
    assertThat(LabelRule.all(HOST).of(file, file)).isEqualTo(HOST);
    assertThat(LabelRule.all(HOST).matches(file)).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "/pods/([^/]+), expected a named group",
    "(?<topic>x), 'expected a label with another name, since each record has a topic'",
    "(?<pod>x, expected a regular expression",
  })
  void aPatternThatCanFindNoLabelIsRejected(String regex, String why) {
    assertThatThrownBy(() -> LabelRule.pattern(HOST, regex))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(why)
        .hasMessageContaining(", found ");
  }

  private Path write(String under, String name) throws IOException {
    Path home = Files.createDirectories(folder.resolve(under));
    return Files.writeString(home.resolve(name), "line\n");
  }

  @Test
  void everyFileHasItsOwnAndAllAreRead() throws IOException {
    Path named = write("web", "a_1.log");
    Path other = write("web", "b.log");
    Path broken = write("x\ny", "c_1.log");
    try (var follow = new FollowFixture(folder.resolve("checkpoint"), folder.resolve("*/*.log"))) {
      follow.restart(LabelRule.pattern(HOST, "/(?<pod>[^/]+)/[^/]+_[^/]+$"));
      assertThat(follow.read()).hasSize(3);
      assertThat(labels(follow, named).pairs()).containsEntry("pod", "web");
      assertThat(labels(follow, other)).isEqualTo(HOST);
      assertThat(labels(follow, broken)).isEqualTo(HOST);
      assertThat(follow.counters.labelPatternMisses.sum()).isOne();
      assertThat(follow.counters.hasErrors()).isTrue();
      assertThat(follow.said).anyMatch(line -> line.contains("without line feed"));
    }
  }

  @Test
  void whatIsReadAfterARestartHasTheLabelsOfThen() throws IOException {
    Path file = Files.writeString(folder.resolve("a.log"), "a\n");
    try (var follow = new FollowFixture(folder.resolve("checkpoint"), folder.resolve("*.log"))) {
      assertThat(follow.read()).hasSize(1);
      assertThat(labels(follow, file)).isEqualTo(Labels.NONE);
      follow.restart(LabelRule.all(HOST));
      assertThat(labels(follow, file)).isEqualTo(HOST);
      follow.restart();
      assertThat(labels(follow, file)).isEqualTo(HOST);
      assertThat(follow.read()).isEmpty();
    }
  }

  private static Labels labels(FollowFixture follow, Path file) {
    return follow.checkpoint.states().stream()
        .filter(state -> state.path.equals(file))
        .findFirst()
        .orElseThrow()
        .labels;
  }
}
