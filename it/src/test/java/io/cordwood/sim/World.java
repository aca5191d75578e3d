package io.cordwood.sim;

import java.io.IOException;

/** What lives in virtual time. */
interface World {
  /** Who does what befalls nodes. */
  String WORLD_NAME = "world";

  Sim.Life WORLD = new Sim.Life(WORLD_NAME);

  Sim sim();

  Faults faults();

  /** Runs all of it. */
  void run() throws IOException;

  /** The costs of the run, in a line. */
  String costs();
}
