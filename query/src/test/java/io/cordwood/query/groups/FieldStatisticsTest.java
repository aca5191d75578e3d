package io.cordwood.query.groups;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class FieldStatisticsTest {
  private static final int HEADER_BYTES = 16;

  private static void add(FieldStatistics numbers, double value) {
    numbers.add(1, value, value, value);
  }

  /** The bytes of an object, and of all that it leads to; roughly, and rather too many. */
  private static long bytes(@Nullable Object object, Set<Object> seen)
      throws IllegalAccessException {
    if (object == null || !seen.add(object)) {
      return 0;
    }
    if (object.getClass().isArray()) {
      return HEADER_BYTES + (long) Double.BYTES * Array.getLength(object);
    }
    long bytes = HEADER_BYTES;
    for (Class<?> type = object.getClass(); type != Object.class; type = type.getSuperclass()) {
      for (Field field : type.getDeclaredFields()) {
        if (!Modifier.isStatic(field.getModifiers())) {
          bytes += Long.BYTES;
          field.setAccessible(true);
          bytes += field.getType().isPrimitive() ? 0 : bytes(field.get(object), seen);
        }
      }
    }
    return bytes;
  }

  @Test
  void numbersOfAnySizeAndSignTakeNoMoreThanIsCounted() throws IllegalAccessException {
    var numbers = new FieldStatistics(true);
    for (double value = 1e-300; value < 1e300; value *= 1.01) {
      add(numbers, value);
      add(numbers, -value);
    }
    assertThat(bytes(numbers, Collections.newSetFromMap(new IdentityHashMap<>())))
        .isBetween(16_000L, (long) Groups.NUMBERS_BYTES + QuantileSketch.BYTES);
  }

  @Test
  void percentilesAreWithinAHundredthForNumbersOfAWideRange() {
    var numbers = new FieldStatistics(true);
    double[] values =
        IntStream.range(0, 1000)
            .mapToDouble(i -> (i % 2 == 0 ? -1 : 1) * Math.pow(5e8, i / 1000.0))
            .toArray();
    Arrays.stream(values).forEach(value -> add(numbers, value));
    Arrays.sort(values);
    for (double quantile : new double[] {0, 0.25, 0.499, 0.5, 0.51, 0.75, 0.99, 1}) {
      assertThat(numbers.at(quantile))
          .as("%s", quantile)
          .isCloseTo(values[(int) (quantile * (values.length - 1))], withinPercentage(1.01));
    }
  }
}
