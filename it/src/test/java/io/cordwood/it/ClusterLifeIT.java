package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The same without the Vector API, of the larger cluster. */
final class ClusterLifeIT extends ClusterLifeTest {
  @Override
  @ParameterizedTest
  @CsvSource("3, 3, 2")
  void anyQuestionIsAnsweredAsANaiveSearchAnswersIt(int ingest, int stores, int copies)
      throws Exception {
    super.anyQuestionIsAnsweredAsANaiveSearchAnswersIt(ingest, stores, copies);
  }

  @Test
  void theVectorApiIsNotThere() {
    assertThat(ModuleLayer.boot().findModule("jdk.incubator.vector")).isEmpty();
  }
}
