package io.cordwood.dist.program;

import java.util.List;

/** Flags that can be set without picocli. What is not taken here is no error: picocli reads it. */
public interface QuickFlags {
  /** A value that no number has. */
  long NO_NUMBER = -1;

  /** Those of its mixins that have usual flags. */
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

  /** A number of up to nine digits; {@link #NO_NUMBER} if the text is something else. */
  static long number(String text) {
    boolean digits = !text.isEmpty() && text.length() <= 9;
    for (int at = 0; at < text.length(); at++) {
      digits &= text.charAt(at) >= '0' && text.charAt(at) <= '9';
    }
    return digits ? Long.parseLong(text) : NO_NUMBER;
  }
}
