package io.cordwood.sim;

import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.UUID;

/** Random draws of the gossip library, which takes no source of them: all follow from a seed. */
public final class SeededDraws {
  private static Random random = new Random(0);

  private SeededDraws() {}

  static void seed(long seed) {
    random = new Random(seed);
  }

  /** For {@code ThreadLocalRandom.current()}. */
  public static Random current() {
    return random;
  }

  /** For that of {@link Collections}. */
  public static void shuffle(List<?> list) {
    Collections.shuffle(list, random);
  }

  /** For that of {@link UUID}. */
  public static UUID randomUUID() {
    return new UUID(random.nextLong(), random.nextLong());
  }
}
