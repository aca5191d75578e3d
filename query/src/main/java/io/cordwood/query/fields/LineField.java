package io.cordwood.query.fields;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A value that a line of text has at a fixed place, without a name; see {@link LineForm}. */
enum LineField {
  LEVEL,
  TIME,
  THREAD,
  LOGGER,
  MESSAGE;

  /** As it is asked for. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The one of this name; null if none has it. */
  static @Nullable LineField of(String name) {
    for (LineField field : values()) {
      if (field.word().equals(name)) {
        return field;
      }
    }
    return null;
  }
}
