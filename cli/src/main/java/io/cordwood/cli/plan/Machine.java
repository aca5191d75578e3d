package io.cordwood.cli.plan;

/**
 * The hardware of each node. A part that is not known is infinite, and limits nothing.
 *
 * @param cores of its processor; may be a fraction
 * @param diskBytes of its disk
 * @param diskRate bytes a second that its disk reads and writes together
 * @param netRate bytes a second in each direction
 */
record Machine(double cores, double diskBytes, double diskRate, double netRate) {
  /**
   * @throws IllegalArgumentException if it makes no sense; the message says what was expected
   */
  public Machine {
    if (!(cores > 0 && diskBytes > 0 && diskRate > 0 && netRate > 0)) {
      throw new IllegalArgumentException(
          "expected cores, a disk and rates of more than 0, found %s, %s, %s and %s"
              .formatted(cores, diskBytes, diskRate, netRate));
    }
  }
}
