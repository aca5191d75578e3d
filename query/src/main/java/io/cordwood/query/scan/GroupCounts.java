package io.cordwood.query.scan;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Takes how many records there are of each group of tallies, and nothing else of them. */
@FunctionalInterface
public interface GroupCounts extends FieldTally.Sink {
  @Override
  default void numbers(int field, long count, double sum, double least, double greatest) {
    // None is asked for.
  }

  @Override
  default void distinct(int field, long hash) {
    // None is asked for.
  }

  @Override
  default void example(ByteBuffer text) {
    // None is asked for.
  }

  /** The first values of a group's key; null where a record has none. */
  static List<@Nullable String> values(ByteBuffer key, int count) {
    ByteBuffer rest = key.duplicate();
    List<@Nullable String> values = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      ByteBuffer value = FieldTally.nextValue(rest);
      values.add(value == null ? null : UTF_8.decode(value).toString());
    }
    return values;
  }
}
