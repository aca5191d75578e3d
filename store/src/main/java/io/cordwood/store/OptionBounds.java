package io.cordwood.store;

/** The bounds of a store's options. */
final class OptionBounds {
  private OptionBounds() {}

  /**
   * Refuses an option.
   *
   * @throws IllegalArgumentException that says what was expected and found, unless it holds
   */
  static void check(boolean holds, String expected, Object found) {
    if (!holds) {
      throw new IllegalArgumentException("store: expected " + expected + ", found " + found);
    }
  }
}
