package io.cordwood.cli.program;

import java.util.List;
import java.util.concurrent.Callable;

/** A command that a person runs: lists its flags and the text of its help, and does its work. */
public interface Command extends Flags, Callable<Integer> {
  /** The command line with what other programs call a flag in the words that this one has. */
  default String[] rewritten(String... args) {
    return args;
  }

  /** Which of its flags exclude each other, beside those of a {@link ExclusiveFlags}. */
  default List<Exclusion> exclusions() {
    return List.of();
  }
}
