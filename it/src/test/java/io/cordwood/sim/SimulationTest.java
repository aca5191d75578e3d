package io.cordwood.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A cluster in virtual time keeps its promises under faults that are drawn from seeds; and the
 * simulator notices when it does not. {@code bench/simulate} runs it with more seeds.
 */
final class SimulationTest {
  private static final long FIRST = Settings.number("cordwood.seed", 1);
  private static final long SEEDS = Settings.number("cordwood.seeds", 4);
  private static final int MINUTES = Settings.minutes(10);

  private static final Faults.Limits LIMITS =
      Faults.Limits.parse(
          System.getProperty("cordwood.faults", "all"),
          Settings.number("cordwood.events", Long.MAX_VALUE),
          Faults.Limits.ALL);

  private static final Mistake MISTAKE = Settings.mistake();

  /** Seeds within which a mistake has to be found. */
  private static final int MOST_SEEDS = 125;

  @Test
  void noSeedFindsAViolation() {
    long hash = 0;
    for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
      Simulation.Result result = Simulation.run(Run.of(seed, MINUTES, LIMITS, MISTAKE));
      assertThat(result.violation()).as(() -> SeedRuns.shortest(result)).isEmpty();
      hash = 31 * hash + result.hash();
    }
    System.out.printf(
        "SimulationTest: seeds %d to %d, %d min each, no violation, hash %016x%n",
        FIRST, FIRST + SEEDS - 1, MINUTES, hash);
  }

  @Test
  void aRunThatFailsIsShortened() {
    Simulation.Result failed =
        SeedRuns.firstThatFails(MOST_SEEDS, seed -> Run.of(seed, MINUTES, Mistake.FORGET_DEPARTED))
            .orElseThrow();
    Simulation.Result shortest = Shrinking.of(failed).result();
    assertThat(shortest.kinds()).hasSizeLessThan(failed.kinds().size());
    assertThat(shortest.violation()).isPresent();
    assertThat(shortest.report()).contains("again: SEED=", " EVENTS=", " MISTAKE=FORGET_DEPARTED");
    assertThat(Simulation.run(shortest.run()).hash()).isEqualTo(shortest.hash());
  }

  @Test
  void aSeedIsTheSameRunEachTime() {
    SeedRuns.assertRepeatable(Run.of(FIRST, MINUTES, LIMITS, MISTAKE));
  }

  /** Those that few seeds find; all of them with {@code -Dcordwood.mistakes=true}. */
  private static Stream<Mistake> mistakes() {
    boolean all = Boolean.getBoolean("cordwood.mistakes");
    return Stream.of(Mistake.values())
        .filter(mistake -> mistake != Mistake.NONE && !mistake.isCold())
        .filter(mistake -> all || mistake.isFoundSoon());
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void aMistakeIsFound(Mistake mistake) {
    SeedRuns.assertFound(
        "SimulationTest", mistake, MOST_SEEDS, seed -> Run.of(seed, MINUTES, mistake));
  }
}
