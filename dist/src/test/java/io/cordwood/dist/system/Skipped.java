package io.cordwood.dist.system;

/** Says so that nobody overlooks it that tests are left out on this machine. */
final class Skipped {
  private static final String FRAME = "#".repeat(100);

  private Skipped() {}

  static void say(String what, String why) {
    System.out.printf("%n%s%n# SKIPPED: %s%n# %s%n%s%n%n", FRAME, what, why.strip(), FRAME);
  }
}
