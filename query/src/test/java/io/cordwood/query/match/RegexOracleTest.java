package io.cordwood.query.match;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.re2j.Pattern;
import io.cordwood.common.segment.AnyOf;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * RE2/J says which records match; whatever way a pattern is searched for, ours must be the same.
 */
class RegexOracleTest {
  private static final long SEED = 7;
  private static final int PATTERNS = 800;
  private static final int RECORDS = 30;

  @ParameterizedTest
  @ValueSource(bytes = {'\n', 0})
  void findsTheRecordsThatRe2Finds(byte delimiter) {
    Random random = new Random(SEED + delimiter);
    RandomRegex generator = new RandomRegex(random);
    for (int i = 0; i < PATTERNS; i++) {
      String pattern = generator.next(2);
      boolean ignoreCase = random.nextInt(3) == 0;
      PatternSpec spec = new PatternSpec(pattern, true, ignoreCase);
      List<String> records = IntStream.range(0, RECORDS).mapToObj(n -> generator.record()).toList();
      byte[] block = Blocks.of(records.stream().map(Blocks::bytes).toList(), delimiter);
      List<Integer> expected = expected(spec, records);
      assertThat(Blocks.matching(Matchers.compile(spec), block, delimiter))
          .as("seed %d, pattern %d: %s, records %s", SEED, i, spec, records)
          .isEqualTo(expected);
      assertEveryEngineFinds(spec, block, delimiter, expected);
    }
  }

  /** Without literals; with a table of a few states, thrown away all the time; without a table. */
  private static void assertEveryEngineFinds(
      PatternSpec spec, byte[] block, byte delimiter, List<Integer> expected) {
    Program program = RegexCompiler.compile(PatternTree.of(spec).whole());
    if (Matchers.compile(spec) instanceof EverythingMatcher) {
      return;
    }
    for (int tableBytes : new int[] {LazyDfa.MAX_BYTES, 4_000, 1}) {
      LazyDfa dfa = new LazyDfa(program, delimiter, tableBytes);
      assertThat(Blocks.matching(matcher(dfa), block, delimiter))
          .as("table of %d bytes, %s", tableBytes, spec)
          .isEqualTo(expected);
    }
    ProgramRun run = new ProgramRun(new ProgramStepper(program), delimiter);
    assertThat(run.find(block, 0, block.length) >= 0).isEqualTo(!expected.isEmpty());
  }

  private static Matcher matcher(LazyDfa dfa) {
    return new Matcher() {
      @Override
      public int find(Haystack payloads, int from, int to, byte delimiter) {
        return dfa.find(payloads.array(from, to), from, to);
      }

      @Override
      public List<AnyOf> required() {
        return List.of();
      }
    };
  }

  private static List<Integer> expected(PatternSpec spec, List<String> records) {
    Pattern oracle =
        Pattern.compile(
            spec.patterns().getFirst(), spec.ignoreCase() ? Pattern.CASE_INSENSITIVE : 0);
    List<Integer> expected = new ArrayList<>();
    for (int i = 0; i < records.size(); i++) {
      if (oracle.matcher(records.get(i)).find()) {
        expected.add(i);
      }
    }
    return expected;
  }

  @Test
  void matchingRecordsContainWhatIsRequired() {
    Random random = new Random(SEED);
    RandomRegex generator = new RandomRegex(random);
    for (int i = 0; i < PATTERNS; i++) {
      PatternSpec spec = new PatternSpec(generator.next(2), true, random.nextInt(3) == 0);
      Matcher matcher = Matchers.compile(spec);
      for (int n = 0; n < RECORDS; n++) {
        String text = generator.record();
        if (Blocks.matches(matcher, text)) {
          assertThat(matcher.required())
              .as("seed %d, %s matches %s", SEED, spec, text)
              .allMatch(clause -> clause.literals().stream().anyMatch(l -> contains(text, l)));
        }
      }
    }
  }

  private static boolean contains(String text, byte[] literal) {
    byte[] folded = Ascii.lower(Blocks.bytes(text));
    Needle needle = new Needle(literal, false);
    return needle.firstBetween(folded, 0, folded.length - literal.length + 1) >= 0;
  }
}
