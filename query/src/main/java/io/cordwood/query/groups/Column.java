package io.cordwood.query.groups;

import io.cordwood.query.groups.Groups.Group;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A column of a table of groups.
 *
 * @param value a text, a {@link Long}, {@link Double} or {@link Estimate}; null if there is none
 */
record Column(Kind kind, String name, Function<Group, @Nullable Object> value) {
  /** The kind of a column. */
  enum Kind {
    TIME,
    BY,
    NUMBER,
    EXAMPLE
  }
}
