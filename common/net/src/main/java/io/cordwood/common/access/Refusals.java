package io.cordwood.common.access;

import io.cordwood.common.run.RateLimitedLog;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.slf4j.LoggerFactory;

/**
 * Counts those who were not let in, and tells of them: a line a minute in the log, and some lines a
 * second in the audit log, however many there are. Safe for all threads.
 */
public final class Refusals {
  private final RateLimitedLog log =
      new RateLimitedLog(LoggerFactory.getLogger(Refusals.class), Duration.ofMinutes(1));

  private final Map<DeniedException.Reason, Counter> counters =
      new EnumMap<>(DeniedException.Reason.class);
  private final AuditLog audit;

  public Refusals(MeterRegistry registry, AuditLog audit) {
    this.audit = audit;
    for (var reason : DeniedException.Reason.values()) {
      counters.put(
          reason, registry.counter("cordwood_access_refused_total", "reason", reason.label()));
    }
  }

  /**
   * Enters one.
   *
   * @param what the method and path, or the port
   */
  public void add(String token, String address, String what, DeniedException why) {
    Objects.requireNonNull(counters.get(why.reason())).increment();
    String message = String.valueOf(why.getMessage());
    log.warn("refused", address, message);
    if (audit.isOn()) {
      audit.refused(
          new AuditLog.Entry(token, address, what, message, "refused", Duration.ZERO, 0, 0));
    }
  }
}
