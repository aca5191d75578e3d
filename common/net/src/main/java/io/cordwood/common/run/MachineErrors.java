package io.cordwood.common.run;

/**
 * Tells errors of the machine, after which a thread cannot be trusted to go on, from defects of the
 * code, after which it begins its next work: those hold up one piece of work, and no other.
 */
public final class MachineErrors {
  private MachineErrors() {}

  /** Throws it again if it is the machine's: no memory, or a JVM that is broken. */
  public static void rethrow(Throwable e) {
    if (e instanceof VirtualMachineError error && !(e instanceof StackOverflowError)) {
      throw error;
    }
  }
}
