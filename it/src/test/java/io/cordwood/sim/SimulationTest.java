package io.cordwood.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A cluster in virtual time keeps its promises under faults that are drawn from seeds; and the
 * simulator notices when it does not. {@code bench/simulate} runs it with more seeds.
 */
final class SimulationTest {
  private static final long FIRST = number("cordwood.seed", 1);
  private static final long SEEDS = number("cordwood.seeds", 4);
  private static final int MINUTES = (int) number("cordwood.minutes", 10);

  /** Seeds within which a mistake has to be found. */
  private static final int MOST_SEEDS = 100;

  private static long number(String property, long usual) {
    String text = System.getProperty(property, Long.toString(usual));
    if (!text.matches("[0-9]{1,18}") || text.matches("0+")) {
      throw new IllegalArgumentException(
          "-D%s: expected a number from 1, found '%s'".formatted(property, text));
    }
    return Long.parseLong(text);
  }

  @Test
  void noSeedFindsAViolation() {
    long hash = 0;
    for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
      Simulation.Result result = Simulation.run(seed, MINUTES, Mistake.NONE);
      assertThat(result.violation()).as(result.report()).isEmpty();
      hash = 31 * hash + result.hash();
    }
    System.out.printf(
        "SimulationTest: seeds %d to %d, %d min each, no violation, hash %016x%n",
        FIRST, FIRST + SEEDS - 1, MINUTES, hash);
  }

  @Test
  void aSeedIsTheSameRunEachTime() {
    Simulation.Result first = Simulation.run(FIRST, MINUTES, Mistake.NONE);
    Simulation.Result second = Simulation.run(FIRST, MINUTES, Mistake.NONE);
    assertThat(second.hash()).as(second.costs()).isEqualTo(first.hash());
  }

  /** Those that few seeds find; all of them with {@code -Dcordwood.mistakes=true}. */
  private static Stream<Mistake> mistakes() {
    boolean all = Boolean.getBoolean("cordwood.mistakes");
    return Stream.of(Mistake.values())
        .filter(mistake -> mistake != Mistake.NONE && (all || mistake.isFoundSoon()));
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void aMistakeIsFound(Mistake mistake) {
    Optional<String> found = Optional.empty();
    long seed = 0;
    while (found.isEmpty() && seed < MOST_SEEDS) {
      seed++;
      found = Simulation.run(seed, MINUTES, mistake).violation();
    }
    assertThat(found).as("%s within %d seeds", mistake, MOST_SEEDS).isPresent();
    System.out.printf("SimulationTest: %s: seed %d: %s%n", mistake, seed, found.orElse(""));
  }
}
