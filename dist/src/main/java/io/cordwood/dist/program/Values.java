package io.cordwood.dist.program;

import io.cordwood.common.text.Durations;
import io.cordwood.common.text.Sizes;
import java.time.Duration;
import java.util.function.Function;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** How the values of flags are read. */
public final class Values {
  private Values() {}

  /** {@code 64KiB}: a number of bytes. */
  public static final class SizeValue implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
      return read(text, Sizes::parse);
    }
  }

  /** {@code 2h30m}: a length of time. */
  public static final class DurationValue implements ITypeConverter<Duration> {
    @Override
    public Duration convert(String text) {
      return read(text, Durations::parse);
    }
  }

  /**
   * What is made of a flag's value.
   *
   * @throws TypeConversionException if the parser throws an IllegalArgumentException, whose message
   *     the user reads
   */
  public static <T> T read(String text, Function<String, T> parse) {
    try {
      return parse.apply(text);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(String.valueOf(e.getMessage()));
    }
  }
}
