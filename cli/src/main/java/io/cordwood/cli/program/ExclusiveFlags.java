package io.cordwood.cli.program;

/** Flags of which a command line has one at most, given once or several times: the last counts. */
public interface ExclusiveFlags extends Flags {}
