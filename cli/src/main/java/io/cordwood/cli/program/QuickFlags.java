package io.cordwood.cli.program;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;

/**
 * Sets and shows flags without picocli, as the annotations of the object that holds them say. The
 * classes that do it are written from these when they are compiled. What is not taken is no error:
 * picocli reads it.
 */
public interface QuickFlags {
  /** A value that no number has. */
  long NO_NUMBER = -1;

  /** The object that is told. */
  Object holder();

  /** More flags of the same command. */
  default List<QuickFlags> mixins() {
    return List.of();
  }

  /** Sets a flag that stands alone, by any of its names; false if this is none of those. */
  default boolean take(String flag) {
    return false;
  }

  /** Sets a flag that has a value; false if this is none of those, or may be no value. */
  default boolean take(String flag, String value) {
    return false;
  }

  /** Its flags with their values, without those of {@link #mixins}. */
  default List<FlagValue> values() {
    return List.of();
  }

  /** All flags with their values, the mixins' after its own. */
  default Stream<FlagValue> allValues() {
    return Stream.concat(values().stream(), mixins().stream().flatMap(QuickFlags::allValues));
  }

  /** A number of up to nine digits; {@link #NO_NUMBER} if the text is something else. */
  static long number(String text) {
    boolean digits = !text.isEmpty() && text.length() <= 9;
    for (int at = 0; at < text.length(); at++) {
      digits &= text.charAt(at) >= '0' && text.charAt(at) <= '9';
    }
    return digits ? Long.parseLong(text) : NO_NUMBER;
  }

  /** The constant that is shown as a text; null if none is. */
  static <T> @Nullable T named(T[] constants, String text) {
    for (T each : constants) {
      if (each.toString().equals(text)) {
        return each;
      }
    }
    return null;
  }

  /** A converter's value of a text; null if it refuses it, for picocli says that better. */
  static <T> @Nullable T read(ITypeConverter<T> converter, String text) {
    try {
      return converter.convert(text);
    } catch (Exception e) {
      return null;
    }
  }
}
