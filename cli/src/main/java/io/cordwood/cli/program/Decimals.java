package io.cordwood.cli.program;

/** Numbers with a fraction, as values of flags. */
public final class Decimals {
  private Decimals() {}

  /**
   * Reads one of 0 or more.
   *
   * @throws picocli.CommandLine.TypeConversionException if the text is none
   */
  public static Double read(String text) {
    return Values.read(text, Decimals::parse);
  }

  /**
   * Reads one of 0 or more.
   *
   * @throws IllegalArgumentException if the text is none; the message says what was expected
   */
  public static double parse(String text) {
    if (!text.matches("\\d{1,15}(\\.\\d{1,15})?")) {
      throw new IllegalArgumentException(
          "expected a number such as 3 or 0.25, found \"" + text + "\"");
    }
    return Double.parseDouble(text);
  }
}
