package io.cordwood.cli.program;

import io.cordwood.common.text.Durations;
import io.cordwood.common.text.Sizes;
import java.time.Duration;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;

/** How the values of flags are read. */
public final class Values {
  /** The beginning of picocli's own message about a value. */
  private static final Pattern INVALID = Pattern.compile("^Invalid value for [^:]*: ");

  private Values() {}

  /** {@code 100}: how many of something. */
  public static final class CountValue implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
      long count = read(text, Values::number);
      if (count < 0) {
        throw new TypeConversionException("expected a number of 0 or more, found \"" + text + "\"");
      }
      return count;
    }
  }

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

  /** Has a command line say of numbers, and of what is true, what it expects. */
  static void register(CommandLine line) {
    line.registerConverter(Long.class, text -> read(text, Values::number));
    line.registerConverter(Integer.class, text -> read(text, Values::integer));
    line.registerConverter(Boolean.class, text -> read(text, Values::truth));
    line.registerConverter(long.class, text -> read(text, Values::number));
    line.registerConverter(int.class, text -> read(text, Values::integer));
    line.registerConverter(boolean.class, text -> read(text, Values::truth));
  }

  private static long number(String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("expected a whole number, found \"" + text + "\"", e);
    }
  }

  private static int integer(String text) {
    long number = number(text);
    if (number != (int) number) {
      throw new IllegalArgumentException(
          "expected at most %d, found %s".formatted(Integer.MAX_VALUE, text));
    }
    return (int) number;
  }

  private static boolean truth(String text) {
    boolean truth = text.equalsIgnoreCase("true");
    if (!truth && !text.equalsIgnoreCase("false")) {
      throw new IllegalArgumentException("expected true or false, found \"" + text + "\"");
    }
    return truth;
  }

  /**
   * The message about a wrong command line.
   *
   * @param words those of picocli
   */
  static String reason(ParameterException e, String words) {
    ArgSpec argument = e.getArgSpec();
    if (argument == null || !INVALID.matcher(words).lookingAt()) {
      return words;
    }
    Class<?> type = argument.auxiliaryTypes()[0];
    String expected =
        type.isEnum() ? ofEnum(type, e.getValue()) : INVALID.matcher(words).replaceFirst("");
    String name =
        argument instanceof OptionSpec option
            ? String.join(", ", option.names())
            : argument.paramLabel();
    return name + ": " + expected;
  }

  private static String ofEnum(Class<?> type, String found) {
    return Stream.of(type.getEnumConstants())
        .map(Object::toString)
        .collect(Collectors.joining(", ", "expected one of ", ", found \"" + found + "\""));
  }

  /**
   * A flag's value as an object.
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
