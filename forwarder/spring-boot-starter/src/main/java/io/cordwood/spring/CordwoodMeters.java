package io.cordwood.spring;

import io.cordwood.forwarder.DropReason;
import io.cordwood.forwarder.ForwarderCounters;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.springframework.boot.logging.LoggingSystem;

/** Meters of the appender that is attached; without one there are none. */
final class CordwoodMeters implements MeterBinder {
  private final LoggingSystem system;

  CordwoodMeters(LoggingSystem system) {
    this.system = system;
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    if (CordwoodLogging.attached(system) == null) {
      return;
    }
    count(registry, "appended", "Records taken or dropped", ForwarderCounters::appended);
    count(registry, "acknowledged", "Records that a node has", ForwarderCounters::acknowledged);
    count(registry, "resent", "Records sent again", c -> c.handling().resentRecords());
    count(registry, "connects", "Connections made", c -> c.connections().connects());
    count(registry, "disconnects", "Connections lost or left", c -> c.connections().disconnects());
    for (DropReason reason : DropReason.values()) {
      FunctionCounter.builder("cordwood.appender.dropped", this, of(c -> c.dropped(reason)))
          .description("Records lost")
          .tag("reason", reason.name().toLowerCase(Locale.ROOT))
          .register(registry);
    }
    gauge(registry, "pending", "Records in memory", ForwarderCounters::pending);
    gauge(registry, "pending.bytes", "Memory that they take", ForwarderCounters::pendingBytes);
    gauge(registry, "spool", "Records in the spool", counters -> counters.spool().records());
  }

  private void count(
      MeterRegistry registry, String name, String help, ToDoubleFunction<ForwarderCounters> value) {
    FunctionCounter.builder("cordwood.appender." + name, this, of(value))
        .description(help)
        .register(registry);
  }

  private void gauge(
      MeterRegistry registry, String name, String help, ToDoubleFunction<ForwarderCounters> value) {
    Gauge.builder("cordwood.appender." + name, this, of(value))
        .description(help)
        .register(registry);
  }

  /** Another appender may be there by now, or none. */
  private static ToDoubleFunction<CordwoodMeters> of(ToDoubleFunction<ForwarderCounters> value) {
    return meters -> {
      AttachedAppender appender = CordwoodLogging.attached(meters.system);
      return appender == null ? 0 : value.applyAsDouble(appender.counters().get());
    };
  }
}
