package io.cordwood.common.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class AnswerLineTest {
  @Test
  void aSenderReadsWhatANodeWrites() {
    long most = 999_999_999_999_999_999L;
    assertThat(AnswerLine.acknowledged(AnswerLine.ack(most).strip())).isEqualTo(most);
    assertThat(AnswerLine.millis(AnswerLine.clock(0).strip())).isZero();
    assertThat(AnswerLine.isWaiting(AnswerLine.waiting("a while").strip())).isTrue();
    assertThat(AnswerLine.isError(AnswerLine.error("full").strip())).isTrue();
  }

  @Test
  void anErrorIsOneLineWhateverItsReasonHolds() {
    assertThat(AnswerLine.error("a\nb\u001b[1m")).isEqualTo("error: a?b?[1m\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "ack", "ack ", "ack -1", "ack 1 ", "ack 1000000000000000000", "ack x"})
  void isNoAcknowledgement(String line) {
    assertThat(AnswerLine.acknowledged(line)).isEqualTo(-1);
  }

  @Test
  void theStartOfALineIsKnown() {
    assertThat(AnswerLine.mayBegin("cl")).isTrue();
    assertThat(AnswerLine.mayBegin("error: x")).isTrue();
    assertThat(AnswerLine.mayBegin("HTTP")).isFalse();
  }
}
