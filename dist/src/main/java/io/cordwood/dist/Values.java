package io.cordwood.dist;

import io.cordwood.common.text.Durations;
import io.cordwood.common.text.Sizes;
import java.time.Duration;
import java.time.ZoneId;
import java.util.function.Function;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** How the values of flags are read. */
final class Values {
  private Values() {}

  /** {@code 64KiB}: a number of bytes. */
  static final class SizeValue implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
      return read(text, Sizes::parse);
    }
  }

  /** {@code 2h30m}: a length of time. */
  static final class DurationValue implements ITypeConverter<Duration> {
    @Override
    public Duration convert(String text) {
      return read(text, Durations::parse);
    }
  }

  /** A line with fields in braces. */
  static final class TemplateValue implements ITypeConverter<Template> {
    @Override
    public Template convert(String text) {
      return read(text, Template::new);
    }
  }

  /** {@code Europe/Berlin}: a zone of times. */
  static final class ZoneValue implements ITypeConverter<ZoneId> {
    @Override
    public ZoneId convert(String text) {
      return read(text, ZoneFlag::parse);
    }
  }

  private static <T> T read(String text, Function<String, T> parse) {
    try {
      return parse.apply(text);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(String.valueOf(e.getMessage()));
    }
  }
}
