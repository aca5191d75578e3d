package io.cordwood.cli.manual;

import java.util.Locale;

/** A shell whose completion can be printed. */
enum Shell {
  BASH,
  ZSH,
  FISH;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
