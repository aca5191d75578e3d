package io.cordwood.query.match;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LinearTimeTest {
  private static final byte LF = '\n';

  @ParameterizedTest
  @ValueSource(
      strings = {
        "(a+)+$",
        "^(a|a)*$",
        "(a|aa)+$",
        "(a+a+)+y",
        "(.*a){12}b",
        "(a|b)*a(a|b){16}$",
        "(a*)*c",
        "a{0,500}a{500}$"
      })
  void oneLongRecordCostsAFixedNumberOfStepsAByte(String pattern) {
    byte[] record = Blocks.bytes("a".repeat(1 << 20) + "!\n");
    Program program = RegexCompiler.compile(PatternTree.of(PatternSpec.regex(pattern)).whole());
    LazyDfa dfa = new LazyDfa(program, LF);
    assertThat(dfa.find(record, 0, record.length)).isEqualTo(-1);
    assertThat(dfa.stateBytes()).isLessThanOrEqualTo(LazyDfa.MAX_BYTES);

    int simulated = 1 << 12;
    ProgramStepper stepper = new ProgramStepper(program);
    byte[] shorter = Blocks.bytes("a".repeat(simulated) + "!\n");
    assertThat(new ProgramRun(stepper, LF).find(shorter, 0, shorter.length)).isEqualTo(-1);
    assertThat(stepper.work()).isLessThan(6L * program.size() * shorter.length);
  }

  @ParameterizedTest
  @ValueSource(strings = {"(a|a)*b", "((a*)*)*b", "(a+)+$", "(a|aa)+b", "(.*a){12}b"})
  void noPatternTakesLongOverAMebibyteOfItsLetters(String pattern) {
    byte[] record = Blocks.bytes("a".repeat(1 << 20) + "!\n");
    Matcher matcher = Matchers.compile(PatternSpec.regex(pattern));
    assertThat(Blocks.matching(matcher, record, LF)).isEmpty();
  }

  @Test
  void statesAreBoundedAndTheAnswerIsRightWhenTheyAreTooMany() {
    String pattern = "(a|b)*a(a|b){16}c";
    Program program = RegexCompiler.compile(PatternTree.of(PatternSpec.regex(pattern)).whole());
    int tableBytes = 100_000;
    LazyDfa dfa = new LazyDfa(program, LF, tableBytes);
    byte[] record = new byte[200_000];
    Random random = new Random(3);
    for (int i = 0; i < record.length; i++) {
      record[i] = (byte) (random.nextBoolean() ? 'a' : 'b');
    }
    record[record.length - 1] = LF;
    assertThat(dfa.find(record, 0, record.length)).isEqualTo(-1);
    assertThat(dfa.flushes()).isPositive();
    assertThat(dfa.exhausted()).isTrue();
    assertThat(dfa.stateBytes()).isLessThanOrEqualTo(tableBytes);
    record[record.length - 2] = 'c';
    record[record.length - 19] = 'a';
    assertThat(dfa.find(record, 0, record.length)).isEqualTo(record.length - 2);
    record[record.length - 19] = 'b';
    assertThat(dfa.find(record, 0, record.length)).isEqualTo(-1);
  }

  @Test
  void windowsOfFourCursorsMissNoRecord() {
    Random random = new Random(5);
    for (int round = 0; round < 40; round++) {
      StringBuilder text = new StringBuilder();
      int matching = 0;
      while (text.length() < 200_000) {
        boolean match = random.nextInt(300) == 0;
        matching += match ? 1 : 0;
        text.append("x".repeat(random.nextInt(round % 2 == 0 ? 200 : 12_000)));
        text.append(match ? "-7a\n" : "-a7\n");
      }
      byte[] block = Blocks.bytes(text.toString());
      Matcher matcher = Matchers.compile(PatternSpec.regex("[0-9][a-c]$"));
      assertThat(matcher).isInstanceOf(RegexMatcher.class);
      assertThat(Blocks.matching(matcher, block, LF)).as("round %d", round).hasSize(matching);
    }
  }
}
