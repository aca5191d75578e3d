package io.cordwood.common.run;

/** The abilities of the JVM that runs this process. */
public final class Jvm {
  private Jvm() {}

  /**
   * Whether it has the optimizing compiler. Without it, as with {@code -XX:TieredStopAtLevel=1},
   * the Vector API is many times slower than plain code, and there is nothing to warm up for.
   */
  public static boolean optimizes() {
    String info = System.getProperty("java.vm.info", "");
    return !info.contains("emulated-client") && !info.contains("interpreted");
  }
}
