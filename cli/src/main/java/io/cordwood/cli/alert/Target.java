package io.cordwood.cli.alert;

import java.io.IOException;
import java.util.List;

/** Whom alerts are sent to. Safe for all threads. */
public interface Target {
  /** The name by which the state knows it; a rule has one of each. */
  String name();

  /** Whether it gets what fires again after each window. */
  default boolean wantsEachWindow() {
    return false;
  }

  /** Sends them; returns when they have arrived. */
  void send(Rule rule, List<Alert> alerts) throws IOException, InterruptedException;
}
