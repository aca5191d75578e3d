package io.cordwood.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.common.bucket.BucketUrl;
import io.cordwood.common.segment.Topic;
import io.cordwood.store.StoreOptions.Keeping;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How long each topic is kept is what the flag says, in any order. */
final class RetentionRuleTest {
  private static ByTopic<Duration> times(String... rules) {
    return RetentionRule.all(
        Stream.of(rules).map(RetentionRule::parse).toList(), Keeping.DEFAULT_RETENTION);
  }

  private static long days(ByTopic<Duration> times, String topic) {
    return times.of(new Topic(topic)).toDays();
  }

  @Test
  void theLongestNameThatFitsCountsWhateverTheOrder() {
    for (var times :
        List.of(
            times("audit*=7y", "audit-web=10d", "30d", "a*=1d"),
            times("a*=1d", "*=30d", "audit-web=10d", "audit*=7y"))) {
      assertThat(days(times, "audit")).isEqualTo(7 * 366);
      assertThat(days(times, "audit-db")).isEqualTo(7 * 366);
      assertThat(days(times, "audit-web")).isEqualTo(10);
      assertThat(days(times, "audit-web2")).isEqualTo(7 * 366);
      assertThat(days(times, "aud")).isEqualTo(1);
      assertThat(days(times, "shop")).isEqualTo(30);
    }
  }

  @Test
  void topicsWithoutARuleAreKeptAsByDefault() {
    assertThat(days(times("audit*=7y"), "shop")).isEqualTo(7);
  }

  @Test
  void oneTimeIsForAll() {
    assertThat(times("30d").isOne()).isTrue();
    assertThat(times("30d", "audit=720h").isOne()).isTrue();
    assertThat(times("30d", "audit=7y").isOne()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"30d, 720h", "*=30d, 720h", "audit*=1y, audit*=8784h", "audit=250ms, audit=250ms"})
  void aRuleIsToldAsItIsRead(String text, String told) {
    var rule = RetentionRule.parse(text);
    assertThat(rule).hasToString(told);
    assertThat(RetentionRule.parse(told)).isEqualTo(rule);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "audit*", "=7d", "a*b=7d", "../x=7d", "audit=7", "audit=1y6d"})
  void whatIsNoRuleIsRefused(String text) {
    assertThatThrownBy(() -> RetentionRule.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("expected");
  }

  @Test
  void twoRulesForTheSameAreRefused() {
    assertThatThrownBy(() -> times("*=7d", "30d"))
        .hasMessage("expected one retention for the topics *, found two");
  }

  @Test
  void aBucketKeepsNoTopicForAShorterTimeThanDisks() {
    for (String rule : List.of("audit-web=1d", "audit*=29d", "20d")) {
      ByTopic<Duration> kept =
          RetentionRule.all(List.of(RetentionRule.parse(rule)), ColdOptions.FOR_EVER);
      var options =
          new ColdOptions(BucketUrl.parse("s3://logs"), Duration.ZERO, 1, Optional.empty(), kept);
      options.checkKeepsAsLongAs(times("1d", "audit-web=24h", "audit-db=20d"));
      assertThatThrownBy(() -> options.checkKeepsAsLongAs(times("1d", "audit*=30d", "shop=21d")))
          .hasMessageContaining("--cold-retention: expected at least as long as --retention");
      assertThat(options.isForEver()).isFalse();
    }
  }
}
