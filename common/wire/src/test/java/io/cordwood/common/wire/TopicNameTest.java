package io.cordwood.common.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

final class TopicNameTest {
  private static final Pattern RULE = Pattern.compile(TopicName.PATTERN);

  @Test
  void theCheckIsThePatternThatMessagesShow() {
    for (char each = 0; each <= 0x200; each++) {
      agree(String.valueOf(each));
      agree("a" + each);
      agree("A9" + each + "z");
    }
    for (int length = 0; length <= TopicName.MAX_BYTES + 1; length++) {
      agree("n".repeat(length));
    }
  }

  private static void agree(String name) {
    assertThat(TopicName.isValid(name)).as(name).isEqualTo(RULE.matcher(name).matches());
  }
}
