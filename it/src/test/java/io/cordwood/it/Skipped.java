package io.cordwood.it;

/**
 * Says so that nobody overlooks it that tests are left out on this machine; with {@code
 * -Dcordwood.it.require=true} that is a failure.
 */
final class Skipped {
  private static final String FRAME = "#".repeat(100);

  private Skipped() {}

  static void say(String what, String why) {
    if (Boolean.getBoolean("cordwood.it.require")) {
      throw new AssertionError("expected to test " + what + ", found " + why.strip());
    }
    System.out.printf("%n%s%n# SKIPPED: %s%n# %s%n%s%n%n", FRAME, what, why.strip(), FRAME);
  }
}
