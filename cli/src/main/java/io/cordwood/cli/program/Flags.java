package io.cordwood.cli.program;

/** Holds the values of some flags of a command, and lists them. */
public interface Flags {
  /** Lists them, in the order in which help and manual have them. */
  void list(FlagList list);
}
