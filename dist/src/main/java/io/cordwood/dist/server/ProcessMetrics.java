package io.cordwood.dist.server;

import com.sun.management.OperatingSystemMXBean;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import java.lang.management.ManagementFactory;

/** The metrics of a node's process and its JVM. */
final class ProcessMetrics {
  private ProcessMetrics() {}

  /** Has a registry show them; what is to be closed when the node ends. */
  static AutoCloseable bindTo(MeterRegistry registry) {
    new JvmMemoryMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
    new FileDescriptorMetrics().bindTo(registry);
    FunctionCounter.builder(
            "process.cpu.seconds",
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class),
            system -> system.getProcessCpuTime() / 1e9)
        .description("Processor time that the process took")
        .register(registry);
    JvmGcMetrics gc = new JvmGcMetrics();
    gc.bindTo(registry);
    return gc;
  }
}
