package io.cordwood.cli.program;

import picocli.CommandLine.Model.OptionSpec;

/**
 * A flag's setting outside of the command line.
 *
 * @param name of the variable, or the key and its place in the file
 */
record Setting(OptionSpec option, String name, String value, Source source) {
  /** The sources of settings, those that count more first. */
  enum Source {
    VARIABLE_OF_COMMAND,
    VARIABLE,
    FILE_OF_COMMAND,
    FILE
  }

  boolean isAlone() {
    return option.arity().max() == 0;
  }

  boolean isOff() {
    return isAlone() && (value.equals("0") || value.equalsIgnoreCase("false"));
  }

  String asFlag() {
    return isOff() ? "false" : isAlone() && value.equals("1") ? "true" : value;
  }

  boolean isExcludedBy(Setting other) {
    return other.source.compareTo(source) < 0 && !other.isOff();
  }
}
