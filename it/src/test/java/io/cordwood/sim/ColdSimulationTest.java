package io.cordwood.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Stores that keep records in a bucket lose none, and answers say what they lack, for days of
 * virtual time under faults that are drawn from seeds; and the simulator notices when that is not
 * so. {@code COLD=true bench/simulate} runs it with more seeds.
 */
final class ColdSimulationTest {
  private static final long FIRST = Settings.number("cordwood.seed", 1);
  private static final long SEEDS = Settings.number("cordwood.seeds", 2);
  private static final int MINUTES = Settings.minutes(3 * 24 * 60);

  private static final Faults.Limits LIMITS =
      Faults.Limits.parse(
          System.getProperty("cordwood.faults", "all"),
          Settings.number("cordwood.events", Long.MAX_VALUE),
          Faults.Limits.COLD);

  private static final Mistake MISTAKE = Settings.mistake();

  /** Seeds within which a mistake has to be found. */
  private static final int MOST_SEEDS = 100;

  @Test
  void noSeedFindsAViolation() {
    long hash = 0;
    for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
      Simulation.Result result = Simulation.run(Run.cold(seed, MINUTES, LIMITS, MISTAKE));
      assertThat(result.violation()).as(() -> SeedRuns.shortest(result)).isEmpty();
      System.out.printf("ColdSimulationTest: seed %d: %s%n", seed, result.costs());
      hash = 31 * hash + result.hash();
    }
    System.out.printf(
        "ColdSimulationTest: seeds %d to %d, %d min each, no violation, hash %016x%n",
        FIRST, FIRST + SEEDS - 1, MINUTES, hash);
  }

  @Test
  void aSeedIsTheSameRunEachTime() {
    SeedRuns.assertRepeatable(Run.cold(FIRST, MINUTES, LIMITS, MISTAKE));
  }

  /** Those that few seeds find; all of them with {@code -Dcordwood.mistakes=true}. */
  private static Stream<Mistake> mistakes() {
    boolean all = Boolean.getBoolean("cordwood.mistakes");
    return Stream.of(Mistake.values())
        .filter(Mistake::isCold)
        .filter(mistake -> all || mistake.isFoundSoon());
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void aMistakeIsFound(Mistake mistake) {
    SeedRuns.assertFound(
        "ColdSimulationTest",
        mistake,
        MOST_SEEDS,
        seed -> Run.cold(seed, MINUTES, Faults.Limits.COLD, mistake));
  }
}
