package io.cordwood.dist.forward;

/** The figures of a run, for people and for machines; read by any thread. */
interface ForwardFigures {
  /** Records taken so far. */
  long records();

  /**
   * Some of them, for a line on a terminal.
   *
   * @param recordsPerSecond since the line before
   */
  String line(double recordsPerSecond);

  /** All of them by their names, as a JSON object in one line. */
  String json();
}
