package io.cordwood.dist;

import io.cordwood.common.text.Durations;
import io.cordwood.common.text.Sizes;
import io.cordwood.common.text.Times;
import java.time.Duration;
import java.time.Instant;
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

  /** {@code yesterday}: a moment, in the local zone. */
  static final class TimeValue implements ITypeConverter<Instant> {
    @Override
    public Instant convert(String text) {
      return read(text, t -> Times.parse(t, Instant.now(), ZoneId.systemDefault()));
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
