package io.cordwood.query.loki;

import io.cordwood.common.http.server.HttpError;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/** Counts what clients of Loki ask for that is too much. Any thread may use it. */
final class Refusals {
  private final Map<LimitException.Limit, Counter> counters =
      new EnumMap<>(LimitException.Limit.class);

  Refusals(MeterRegistry meters) {
    for (LimitException.Limit limit : LimitException.Limit.values()) {
      counters.put(limit, meters.counter("cordwood.query.loki.refused", "limit", limit.word()));
    }
  }

  /** The answer to what was refused: counted if it was too much, and now an {@link HttpError}. */
  RuntimeException count(RuntimeException why) {
    if (why instanceof LimitException limit) {
      Objects.requireNonNull(counters.get(limit.limit())).increment();
      return new HttpError(400, String.valueOf(limit.getMessage()));
    }
    return why;
  }
}
