package io.cordwood.dist.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.access.TopicPatterns;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which rules somebody sees who may see some topics. */
final class AlertsRouteTest {
  private static List<String> words(String text) {
    return Stream.of(text.split(" ")).filter(word -> !word.isEmpty()).toList();
  }

  @ParameterizedTest
  @CsvSource({
    "'', *, true",
    "'', shop*, false",
    "shop, shop, true",
    "shop, shop*, true",
    "shop*, shop*, true",
    "shop-a*, shop*, true",
    "shop*, shop-a*, false",
    "shop*, shop, false",
    "'shop* pay', 'shop* pay', true",
    "'shop* pay', shop*, false",
    "'shop-a,shop-b', shop*, true",
    "'shop*', 'shop* shop-x', true",
    "pay, shop*, false",
    "*, shop*, false"
  })
  void aRuleIsSeenIfAllItsTopicsMayBe(String topics, String allowed, boolean isSeen) {
    assertThat(AlertsRoute.mayBeSeen(words(topics), new TopicPatterns(words(allowed)), false))
        .isEqualTo(isSeen);
  }

  @Test
  void noRuleIsSeenWithATokenForSomeLabels() {
    assertThat(AlertsRoute.mayBeSeen(List.of("shop"), TopicPatterns.ALL, true)).isFalse();
  }
}
