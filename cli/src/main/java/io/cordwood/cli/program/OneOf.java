package io.cordwood.cli.program;

/**
 * Flags of which a command line has one at most, given once or several times: the last counts. A
 * mixin, of a command or of other flags.
 */
public interface OneOf {}
