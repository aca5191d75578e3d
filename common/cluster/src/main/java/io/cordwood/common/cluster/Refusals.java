package io.cordwood.common.cluster;

import io.cordwood.common.cluster.GossipFormatException.Reason;
import io.cordwood.common.run.RateLimitedLog;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts refusals by reason, and logs each with what to do about it. Each reason has a rate limit
 * of its own, so that a flood of garbage does not hide a wrong key. Any thread may use it.
 */
final class Refusals {
  private static final Logger LOG = LoggerFactory.getLogger(Refusals.class);

  private final String what;
  private final Map<Reason, Counter> counters = new EnumMap<>(Reason.class);
  private final Map<Reason, RateLimitedLog> logs = new EnumMap<>(Reason.class);

  Refusals(String what, MeterRegistry registry, String counter) {
    this.what = what;
    for (Reason reason : Reason.values()) {
      String tag = reason.name().toLowerCase(Locale.ROOT);
      counters.put(reason, registry.counter(counter, "reason", tag));
      logs.put(reason, new RateLimitedLog(LOG));
    }
  }

  /**
   * @param why anything but a {@link GossipFormatException} counts as malformed
   */
  void refused(Object peer, Throwable why) {
    Reason reason = why instanceof GossipFormatException known ? known.reason() : Reason.MALFORMED;
    String message = why instanceof GossipFormatException ? why.getMessage() : why.toString();
    Objects.requireNonNull(counters.get(reason)).increment();
    Objects.requireNonNull(logs.get(reason))
        .warn("refused " + what + " of", peer, message + "; " + reason.advice());
  }
}
